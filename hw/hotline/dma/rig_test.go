package dma

import (
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// tiny has few tags, so that the ring is often full.
func tiny() arch.Params {
	p := arch.Small()
	p.Tags, p.VectorValues = 4, 32
	return p
}

// noise is a memory with something different everywhere.
type noise struct{}

func (noise) ReadAt(addr uint64, p []byte) {
	for i := range p {
		p[i] = byte((addr + uint64(i)) * 0x9e3779b97f4a7c15 >> 56)
	}
}

func (noise) WriteAt(uint64, []byte) {}

// pins are ports by name.
type pins map[string]sim.Pin

func findPins(b *bench.Bench, names ...string) pins {
	out := pins{}
	for _, n := range names {
		out[n] = b.Pin(n)
	}
	return out
}

// setStatus drives a status port.
func (p pins) setStatus(prefix string, s TagStatus, valid bool) {
	p[prefix+"_valid"].SetBool(valid)
	p[prefix+"_tag"].Set(uint64(s.Tag))
	p[prefix+"_error"].Set(uint64(s.Error))
}

const (
	readDesc    = "m_axis_read_desc"
	readData    = "s_axis_read_data"
	readStatus  = "s_axis_read_desc_status"
	writeDesc   = "m_axis_write_desc"
	writeData   = "m_axis_write_data"
	writeStatus = "s_axis_write_desc_status"
)

// words is a random beat.
func words(r *rand.Rand, p arch.Params) []uint64 {
	out := make([]uint64, p.StreamBits/64)
	for i := range out {
		out[i] = r.Uint64()
	}
	return out
}

// field is a part of a packed word: width bits of little-endian words.
type field struct {
	width int
	value []uint64
}

// pack joins fields, the first most significant.
func pack(fields ...field) bench.Item {
	total := 0
	for _, f := range fields {
		total += f.width
	}
	out := make(bench.Item, (total+63)/64)
	for _, f := range fields {
		total -= f.width
		bv.Insert(out, total, f.value, f.width)
	}
	return out
}

func number(width int, v uint64) field { return field{width, []uint64{v}} }

func flag(v bool) field {
	if v {
		return number(1, 1)
	}
	return number(1, 0)
}

// rate is a random probability, often 1.
func rate(r *rand.Rand) float64 { return min(1, 0.2+1.2*r.Float64()) }
