package cycle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

func TestGeometry(t *testing.T) {
	g := newHarness(t, 0).drv.Geometry()
	p := arch.Small()
	require.Equal(t, arch.Geometry{Engines: p.Engines, Banks: p.Banks, Blocks: p.Blocks, Ways: p.Ways, StreamBytes: p.StreamBits / 8, Tags: p.Tags,
		HalfWords: p.HalfWords(), Slots: p.Slots, Tables: p.Tables, GPUs: p.GPUs, IDBits: p.IDBits(), VectorValues: p.VectorValues}, g)
}

// TestTableI runs the six instructions of Table I: it scales a row, adds another row and writes the
// sum.
func TestTableI(t *testing.T) {
	r := newHarness(t, 1)
	a, b, out := r.alloc(64), r.alloc(64), r.alloc(64)
	x, y := make([]float32, 16), make([]float32, 16)
	for i := range x {
		x[i], y[i] = float32(i)+0.5, 100*float32(i)
	}
	require.NoError(t, r.memory.WriteFloat32s(a.at, x))
	require.NoError(t, r.memory.WriteFloat32s(b.at, y))
	r.do(driver.SWrite(arch.RegRowLog2, 6))
	r.do(driver.DMARead(a.at, 64))
	r.do(driver.VMul(-0.25))
	r.do(driver.DMARead(b.at, 64))
	r.do(driver.VAdd(false))
	r.do(driver.DMAWrite(out.at, 64))
	got := make([]float32, 16)
	require.NoError(t, r.memory.ReadFloat32s(out.at, got))
	for i := range x {
		require.Equal(t, y[i]+float32(-0.25*x[i]), got[i], "value %d", i)
	}
	t.Logf("%v, %d cycles, %d simulated", r.k.Now(), r.card.Cycles(), r.card.Simulated())
}
