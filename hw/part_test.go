package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// Parts assigns bits of signals and of elements.
type Parts struct{}

type partsPorts struct {
	Go     hw.Bits `hw:"in"`
	At     hw.Bits `hw:"in,2"`
	X      hw.Bits `hw:"in,8"`
	Joined hw.Bits `hw:"out,8"`
	Held   hw.Bits `hw:"out,8"`
	Lanes  hw.Vec  `hw:"out,8,len=4"`
}

func (Parts) Build(m *hw.Module) partsPorts {
	io := hw.Ports[partsPorts](m)
	io.Joined.Slice(7, 4).Set(io.X.Trunc(4))
	io.Joined.Slice(7, 2).Slice(1, 0).Set(io.X.Slice(7, 6)) // bits 3 and 2
	io.Joined.Bit(1).Set(io.Go)
	io.Joined.Bit(0).Set(hw.K(1))
	r := m.Reg("r", 8, 0xff)
	m.When(io.Go, func() { r.Slice(5, 2).Set(io.X.Trunc(4)) })
	m.When(io.X.Bit(7), func() { r.Trunc(3).Set(hw.K(0)) })
	r.Slice(7, 6).Set(r.Slice(7, 6))
	io.Held.Set(r)
	v := m.RegVec("v", 4, 8, 0)
	m.When(io.Go, func() { v.Index(io.At).Slice(7, 4).Set(io.X.Trunc(4)) })
	v.N(3).Trunc(4).Set(io.X.Trunc(4))
	io.Lanes.Set(v)
	return io
}

func TestParts(t *testing.T) {
	d, err := hw.Elaborate(Parts{})
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	tb := sim.Bind[partsPorts](s, Parts{})
	s.SetReset(true)
	require.NoError(t, s.Step())
	s.SetReset(false)
	tb.Go.Poke(1)
	tb.At.Poke(1)
	tb.X.Poke(0x65)
	require.EqualValues(t, 0b0101_01_1_1, tb.Joined.Peek())
	require.NoError(t, s.Step())
	require.EqualValues(t, 0b11_0101_11, tb.Held.Peek(), "bits 5 to 2")
	require.EqualValues(t, 0x50, tb.Lanes.N(1).Peek())
	require.EqualValues(t, 0x05, tb.Lanes.N(3).Peek())
	tb.At.Poke(3)
	tb.X.Poke(0xee)
	require.NoError(t, s.Step())
	require.EqualValues(t, 0b11_1110_00, tb.Held.Peek(), "the later part wins where they overlap")
	require.EqualValues(t, 0xee, tb.Lanes.N(3).Peek())
	require.EqualValues(t, 0x50, tb.Lanes.N(1).Peek())
}

// TestPartOfVector: Part returns the requested elements, as a single slice in the Verilog.
func TestPartOfVector(t *testing.T) {
	got := values(t, func(m *hw.Module, x hw.Bits) []hw.Bits {
		v := m.WireVec("v", 4, 8)
		for i := range 4 {
			v.N(i).Set(hw.Lit(8, uint64(0xa0+i)))
		}
		return []hw.Bits{v.Part(1, 2).Pack(), v.Part(0, 4).N(3), v.Part(3, 1).Pack()}
	})
	require.Equal(t, [][]uint64{{0xa2a1}, {0xa3}, {0xa3}}, got)
}

// TestRotL checks that RotL joins two slices, for any rotation.
func TestRotL(t *testing.T) {
	got := values(t, func(m *hw.Module, x hw.Bits) []hw.Bits {
		a := hw.Lit(5, 0b10011)
		return []hw.Bits{a.RotL(0), a.RotL(1), a.RotL(4), a.RotL(5), a.RotL(12), a.RotL(-1)}
	})
	require.Equal(t, [][]uint64{{0b10011}, {0b00111}, {0b11001}, {0b10011}, {0b01110}, {0b11001}}, got)
}

func TestPartMistakes(t *testing.T) {
	run(t, []mistake{
		{"drivers", func(m *hw.Module) {
			c, x := m.In("c", 1), m.In("x", 8)
			w := m.Wire("w", 8) // pma
			w.Slice(7, 4).Set(x.Trunc(4))
			u := m.Wire("u", 8)
			u.Trunc(4).Set(x.Trunc(4))
			m.When(c, func() { u.Slice(7, 4).Set(x.Trunc(4)) }) // pmb
			m.Out("q", 8).Trunc(4).Set(x)                       // pmc
			x.Bit(0).Set(c)                                     // pmd
			x.Inc().Bit(0).Set(c)                               // pme
			m.Wire("v", 4).Slice(4, 0).Set(c)                   // pmf
		}, []string{
			`{pma} < {build}: bad: [driver] wire "w" has no driver for bits 3 to 0`,
			`{pmb} < {build}: bad: [latch] "u" has no value for bits 7 to 4 on some path through here; set a default before`,
			`{pmc} < {build}: bad: [driver] output "q" has no driver for bits 7 to 4`,
			`{pmc} < {build}: bad: [width] "q"[3:0] has 4 bits, the value has 8; use Ext, SExt or Trunc`,
			`{pmd} < {build}: bad: [direction] input "x" cannot be set`,
			`{pme} < {build}: bad: [direction] only a signal, an element of a vector or bits of these can be set, not the result of slice`,
			`{pmf} < {build}: bad: [width] bits 4 down to 0 are not in a value of 4 bits`,
		}},
		{"of a vector", func(m *hw.Module) {
			v := m.InVec("v", 4, 8)
			v.Part(2, 3)                         // pva
			m.Out("q", 8).Set(v.Part(0, 0).N(0)) // pvb
		}, []string{
			`{pva} < {build}: bad: [width] 3 elements from element 2 of a vector of 4`,
			`{pvb} < {build}: bad: [width] 0 elements from element 0 of a vector of 4`,
		}},
		{"overwritten", func(m *hw.Module) {
			x, q, r := m.In("x", 8), m.Out("q", 8), m.Reg("r", 8, 0)
			q.Set(x)                      // poa
			q.Slice(7, 4).Set(x.Trunc(4)) // pob
			q.Slice(7, 2).Set(x.Trunc(6)) // poc
			q.Trunc(2).Set(x.Trunc(2))    // pod
			r.Bit(3).Set(x.Bit(0))        // poe
			r.Set(x)                      // pof
		}, []string{
			`{poa} < {build}: bad: [overwrite] this Set of "q" never takes effect: the one at {pod} < {build} always replaces it`,
			`{pob} < {build}: bad: [overwrite] this Set of "q" never takes effect: the one at {poc} < {build} always replaces it`,
			`{poe} < {build}: bad: [overwrite] this Set of "r" never takes effect: the one at {pof} < {build} always replaces it`,
		}},
		{"loop", func(m *hw.Module) {
			x, w := m.In("x", 2), m.Wire("w", 2) // plo
			w.Bit(0).Set(x.Bit(0))
			w.Bit(1).Set(w.Bit(0).And(x.Bit(1)))
		}, []string{`{plo} < {build}: bad: [loop] combinational loop: w ({plo} < {build}) <- w ({plo} < {build})`}},
	})
}
