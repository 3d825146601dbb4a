package functional_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// harness is a machine with an accelerator and its driver. It has two tables of 100 rows in host
// memory. An input has three lookups: one in table 0 and two in table 1.
type harness struct {
	t   *testing.T
	s   *server.Server
	dev *server.Device
	drv *driver.Driver
	rng *rand.Rand

	words, bitmap, list *server.Region
	tables              [2]*server.Region
	gpus                []gpuAreas
}

type gpuAreas struct{ hot, pooled, grad, mailbox *server.Region }

const (
	rowBytes  = 64
	rowLog2   = 6
	tableRows = 100
	slots     = 3
	scale     = float32(-0.5)
)

// tableOf and firstID describe the feature fields.
var (
	tableOf = [slots]int{0, 1, 1}
	firstID = [slots]uint32{0, tableRows, tableRows}
)

func newHarness(t *testing.T, gpus int, opts driver.Options) *harness {
	cfg := server.DefaultConfig()
	cfg.GPUs = gpus
	r := &harness{t: t, rng: rand.New(rand.NewSource(int64(gpus)))}
	var err error
	r.s, err = server.New(cfg)
	require.NoError(t, err)
	a, err := functional.New(r.s.Kernel, arch.Small(), cfg.Period, cfg.Endpoint)
	require.NoError(t, err)
	r.dev, err = r.s.Insert(a)
	require.NoError(t, err)
	r.drv, err = driver.Open(r.dev, opts)
	require.NoError(t, err)

	r.words, r.bitmap, r.list = r.alloc(r.s.Host, 1<<16), r.alloc(r.s.Host, 4096), r.alloc(r.s.Host, 4096*8)
	for i := range r.tables {
		r.tables[i] = r.alloc(r.s.Host, tableRows*rowBytes)
		r.randomise(r.tables[i])
	}
	for _, g := range r.s.GPUs {
		area := gpuAreas{r.alloc(g.Memory, 4096*rowBytes), r.alloc(g.Memory, 1<<18), r.alloc(g.Memory, 1<<16), r.alloc(g.Memory, 4096)}
		r.randomise(area.hot)
		r.randomise(area.grad)
		r.gpus = append(r.gpus, area)
	}
	return r
}

func (r *harness) alloc(s *server.Space, n int) *server.Region {
	return s.Alloc("test", n)
}

func (r *harness) randomise(region *server.Region) {
	v := make([]float32, region.Size()/4)
	for i := range v {
		v[i] = float32(r.rng.NormFloat64())
	}
	require.NoError(r.t, region.WriteFloat32s(0, v))
}

// configure writes all address registers.
func (r *harness) configure() {
	set := func(register int, v uint64) { r.do(driver.SWrite(register, v)) }
	for i, table := range r.tables {
		set(arch.RegTable+i, table.Address())
	}
	for s := range slots {
		set(arch.RegSlot+s, arch.Slot{Base: firstID[s], Table: tableOf[s], First: s == 0 || tableOf[s] != tableOf[s-1], Last: s == slots-1 || tableOf[s] != tableOf[s+1]}.Bits())
	}
	for i, g := range r.gpus {
		set(arch.RegHot+i, g.hot.Address())
		set(arch.RegPooled+i, g.pooled.Address())
		set(arch.RegGrad+i, g.grad.Address())
		set(arch.RegMailbox+i, g.mailbox.Address())
	}
	set(arch.RegSlots, slots)
	set(arch.RegTables, uint64(len(r.tables)))
	set(arch.RegRowLog2, rowLog2)
	set(arch.RegGPUs, uint64(len(r.gpus)))
	set(arch.RegScale, uint64(floatBits(scale)))
}

// do runs a command that must succeed.
func (r *harness) do(c arch.Command) driver.Completion {
	got, err := r.drv.Do(c)
	require.NoError(r.t, err)
	return got
}

// place writes the words of a mini-batch at a multiple of 4096 words.
func (r *harness) place(area int, words []uint32) uint64 {
	require.NoError(r.t, r.words.WriteUint32s(area*4*4096, words))
	return r.words.Address() + uint64(area*4*4096)
}

// batch returns n inputs whose row indices are below limit.
func (r *harness) batch(n, limit int) []uint32 {
	words := make([]uint32, n*slots)
	for i := range words {
		words[i] = uint32(r.rng.Intn(limit))
	}
	return words
}

func (r *harness) row(region *server.Region, index int) []float32 {
	v := make([]float32, rowBytes/4)
	require.NoError(r.t, region.ReadFloat32s(index*rowBytes, v))
	return v
}

// hotSet reads the hot set as a map from id to block.
func (r *harness) hotSet() map[uint32]uint32 {
	area := r.alloc(r.s.Host, 4096*8)
	got := r.do(driver.HotSet(area.Address()))
	entries := make([]uint32, 2*got.Value0)
	require.NoError(r.t, area.ReadUint32s(0, entries))
	hot := map[uint32]uint32{}
	for i := 0; i < len(entries); i += 2 {
		hot[entries[i]] = entries[i+1]
	}
	require.Len(r.t, hot, int(got.Value0), "each row once")
	if got.Value0%8 != 0 { // the rest of the packet is padding
		var pad [1]uint32
		require.NoError(r.t, area.ReadUint32s(int(got.Value0)*8, pad[:]))
		require.EqualValues(r.t, 0xffffffff, pad[0])
	}
	return hot
}
