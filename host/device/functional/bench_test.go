package functional_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// BenchmarkMiniBatch classifies, gathers and updates mini-batches at paper scale: 4,096 inputs of
// 26 lookups in tables of a million rows of 256 bytes. Two thirds of the lookups hit learned rows,
// and 10,000 cold rows are updated.
func BenchmarkMiniBatch(b *testing.B) {
	const inputs, tables, rows, rowBytes, updates = 4096, 26, 1 << 20, 256, 10_000
	cfg := server.DefaultConfig()
	s, err := server.New(cfg)
	require.NoError(b, err)
	a, err := functional.New(s.Kernel, arch.Paper(), cfg.Period, cfg.Endpoint)
	require.NoError(b, err)
	dev, err := s.Insert(a)
	require.NoError(b, err)
	drv, err := driver.Open(dev, driver.DefaultOptions())
	require.NoError(b, err)
	alloc := func(from *server.Space, n int) *server.Region { return from.Alloc("bench", n) }
	do := func(c arch.Command) driver.Completion {
		got, err := drv.Do(c)
		require.NoError(b, err)
		return got
	}
	words, list, bitmap := alloc(s.Host, 4*inputs*tables), alloc(s.Host, 8*updates), alloc(s.Host, 4096)
	table := alloc(s.Host, tables*rows*rowBytes)
	for t := range tables {
		do(driver.SWrite(arch.RegTable+t, table.Address()+uint64(t*rows*rowBytes)))
		do(driver.SWrite(arch.RegSlot+t, uint64(t*rows)|uint64(t)<<arch.SlotTableLo|3<<arch.SlotFirstBit))
	}
	for g, gpu := range s.GPUs {
		do(driver.SWrite(arch.RegHot+g, alloc(gpu.Memory, rowBytes*arch.Paper().Blocks).Address()))
		do(driver.SWrite(arch.RegPooled+g, alloc(gpu.Memory, rowBytes*inputs*tables).Address()))
		do(driver.SWrite(arch.RegGrad+g, alloc(gpu.Memory, rowBytes*updates).Address()))
		do(driver.SWrite(arch.RegMailbox+g, alloc(gpu.Memory, 4096).Address()))
	}
	do(driver.SWrite(arch.RegSlots, tables))
	do(driver.SWrite(arch.RegTables, tables))
	do(driver.SWrite(arch.RegRowLog2, 8))
	do(driver.SWrite(arch.RegGPUs, uint64(len(s.GPUs))))

	rng := rand.New(rand.NewPCG(1, 1))
	draw := func(cold int) {
		w := make([]uint32, inputs*tables)
		for i := range w {
			x := rng.Float64()
			w[i] = uint32(2000 * x * x)
			if cold > 0 && rng.IntN(cold) == 0 {
				w[i] = 2000 + uint32(rng.IntN(rows-2000))
			}
		}
		require.NoError(b, words.WriteUint32s(0, w))
	}
	draw(0)
	do(driver.Learn(0, words.Address(), inputs))
	cold := make([]uint32, 0, 2*updates)
	for i := range updates {
		cold = append(cold, uint32(i%tables), uint32(2000+i))
	}
	require.NoError(b, list.WriteUint32s(0, cold))
	draw(3)
	for b.Loop() {
		do(driver.Classify(0, words.Address(), inputs, bitmap.Address()))
		do(driver.Gather(0, inputs))
		do(driver.Update(1, list.Address(), updates))
	}
	b.ReportMetric(float64(b.N)*inputs*tables/b.Elapsed().Seconds(), "lookups/s")
	b.ReportMetric(float64(b.N)*inputs/b.Elapsed().Seconds(), "inputs/s")
}
