package dma

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// tiny returns sizes with few tags, so that the ring is often full.
func tiny() arch.Params {
	p := arch.Small()
	p.Tags, p.VectorValues = 4, 32
	return p
}

// survivors returns the faults of d that check does not detect. It requires that more than least
// faults are tried. With -short, it tries every twelfth fault.
func survivors(t *testing.T, d *ir.Design, least int, check func() error) []string {
	n := bench.Every(12)
	list, tried := bench.SurvivorsOfEvery(n, d, check)
	require.Greater(t, tried, least/n)
	return list
}

// seeds returns the number of seeds of a random test.
func seeds() uint64 {
	if testing.Short() {
		return 1
	}
	return 3
}

// read and write return the engines of an accelerator.
func read(p arch.Params) Read   { return Read{p.Link(), p.VectorValues} }
func write(p arch.Params) Write { return Write{p.Link()} }

// noise is a memory with pseudo-random content.
type noise struct{}

func (noise) ReadAt(addr uint64, p []byte) {
	for i := range p {
		p[i] = byte((addr + uint64(i)) * 0x9e3779b97f4a7c15 >> 56)
	}
}

func (noise) WriteAt(uint64, []byte) {}

// The channels of the boundary.
const (
	readDesc  = "m_axis_read_desc"
	readData  = "s_axis_read_data"
	writeDesc = "m_axis_write_desc"
	writeData = "m_axis_write_data"
)

// words returns a random beat.
func words(r *rand.Rand, p arch.Params) []uint64 {
	out := make([]uint64, p.StreamBits/64)
	for i := range out {
		out[i] = r.Uint64()
	}
	return out
}

// rate returns a random probability, often 1.
func rate(r *rand.Rand) float64 { return min(1, 0.2+1.2*r.Float64()) }
