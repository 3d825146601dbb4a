package random

import (
	_ "embed"

	"github.com/hotline-rtl/hotline/hw"
)

//go:embed blend.v
var blendSource string

// blend is an external module: combinational, with a register, or with a register that has a
// reset.
type blend struct {
	Width, Key   int
	State, Reset bool
}

type blendPorts struct {
	A hw.Bits `hw:"in,Width,name=A"`
	B hw.Bits `hw:"in,Width"`
	Y hw.Bits `hw:"out,Width"` // depends on A only
	Z hw.Bits `hw:"out,Width,name=Z_out"`
	Q hw.Bits `hw:"out,Width"`
}

// Build describes the module.
func (p blend) Build(m *hw.Module) blendPorts {
	name, start := "blend_logic", "zero"
	switch {
	case p.Reset:
		name, start = "blend_reset", "key"
	case p.State:
		name = "blend_state"
	}
	x := m.Extern(name).Source("blend.v", blendSource).Param("WIDTH", p.Width).Param("KEY", p.Key)
	io := hw.Ports[blendPorts](m)
	if p.Reset {
		x.Clock("ck", "low", hw.Low).Param("START", start)
	} else if p.State {
		x.Clock("ck", "")
	}
	x.Path(io.Y, io.A).Path(io.Z, io.B)
	m.Doc("foreign")
	hw.Behave(x, func() hw.Model[blendPorts] { return newBlended(p, start) })
	return io
}

// blended is the model of a blend.
type blended struct {
	blend
	key, start, q []uint64
}

func newBlended(p blend, start string) *blended {
	s := &blended{blend: p, key: make([]uint64, (p.Width+63)/64)}
	for i := range s.key {
		s.key[i] = uint64(int64(p.Key) >> 63) // sign extension
	}
	s.key[0] = uint64(int64(p.Key))
	s.trim(s.key)
	s.start, s.q = make([]uint64, len(s.key)), make([]uint64, len(s.key))
	if start == "key" {
		s.start = s.key
	}
	return s
}

// trim clears the bits of x beyond the width.
func (s *blended) trim(x []uint64) {
	if n := s.Width % 64; n != 0 {
		x[len(x)-1] &= 1<<n - 1
	}
}

// xor returns x ^ y, or its complement.
func (s *blended) xor(x, y []uint64, inverted bool) []uint64 {
	out := make([]uint64, len(x))
	for i := range out {
		if out[i] = x[i] ^ y[i]; inverted {
			out[i] = ^out[i]
		}
	}
	s.trim(out)
	return out
}

// Eval implements hw.Model.
func (s *blended) Eval(io blendPorts) {
	io.Y.PokeWords(s.xor(io.A.PeekWords(), s.key, true))
	io.Z.PokeWords(s.xor(io.B.PeekWords(), s.q, false))
	io.Q.PokeWords(s.q)
}

// Step implements hw.Model.
func (s *blended) Step(io blendPorts, reset bool) {
	if reset {
		s.q = s.start
		return
	}
	turned := make([]uint64, len(s.q))
	for i := range s.Width {
		k := (i + 1) % s.Width
		turned[k/64] |= s.q[i/64] >> (i % 64) & 1 << (k % 64)
	}
	s.q = s.xor(turned, io.A.PeekWords(), false)
}

// foreign connects the output of one path of an external module to the input of the other.
func (b *builder) foreign() {
	p := blend{Width: b.width(), Key: b.r.IntN(1<<16) - 1<<15, State: !b.chance(3)}
	p.Reset = p.State && !b.unreset && !b.p.Async && !b.chance(3)
	name := b.name("foreign")
	var io blendPorts
	if p.Reset && b.chance(3) {
		io = hw.InstReset(b.m, name, p, b.bits(4, 2).Eq(hw.K(b.r.IntN(16))))
	} else {
		io = hw.Inst(b.m, name, p)
	}
	if b.chance(2) {
		io.A.Set(b.bits(p.Width, 1))
		io.B.Set(io.Y)
	} else {
		io.B.Set(b.bits(p.Width, 1))
		io.A.Set(io.Z)
	}
	b.keep(io.Y)
	b.keep(io.Z)
	b.keep(io.Q)
}
