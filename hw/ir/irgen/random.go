package irgen

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Options bound a random design.
type Options struct {
	Size   int // pieces (registers, wires, memories, loops, instances ...) of a module
	Levels int // of instances below the top
}

// Small is a design that is quick to simulate in any engine.
var Small = Options{Size: 3, Levels: 2}

// Random is the design that seed gives. It panics if hw refuses the design,
// which is a mistake in this package or in hw.
func Random(seed uint64, o Options) *ir.Design {
	d, err := hw.Elaborate(module{seed, o.Levels, o.Size})
	if err != nil {
		panic(fmt.Sprintf("irgen: seed %d: %v", seed, err))
	}
	return d
}

// module is a random module.
type module struct {
	Seed        uint64
	Level, Size int
}

// ModuleName is different for all modules of a design.
func (p module) ModuleName() string { return fmt.Sprintf("rand%d_%x", p.Level, p.Seed) }

// child is one of two modules of the next level, so that some are shared.
func (p module) child(which int) module {
	return module{p.Seed&^1 | uint64(which), p.Level - 1, p.Size}
}

// ports are the ports of a module.
type ports struct {
	In, Out       []hw.Bits
	InVec, OutVec []hw.Vec
	Digest        hw.Bits
}

// Build describes the module.
func (p module) Build(m *hw.Module) ports {
	b := &builder{m: m, p: p, r: rand.New(rand.NewPCG(p.Seed, uint64(p.Level)))}
	b.open(nil)
	var io ports
	for i := range 1 + b.r.IntN(4) {
		io.In = append(io.In, b.keep(m.In(fmt.Sprint("in", i), b.width())))
	}
	for i := range b.r.IntN(3) {
		io.InVec = append(io.InVec, b.keepVec(m.InVec(fmt.Sprint("in_vec", i), b.length(), b.width())))
	}
	b.pieces(p.Size)
	b.drive()
	for i := range 1 + b.r.IntN(3) {
		out := m.Out(fmt.Sprint("out", i), b.width())
		out.Set(b.bits(out.Width(), 2))
		io.Out = append(io.Out, out)
	}
	for i := range b.r.IntN(2) {
		out := m.OutVec(fmt.Sprint("out_vec", i), b.length(), b.width())
		out.Set(b.vec(out.Len(), out.Width(), 2))
		io.OutVec = append(io.OutVec, out)
	}
	io.Digest = m.Out("digest", digestWidth)
	io.Digest.Set(b.digest())
	return io
}

const digestWidth = 32

// twin has two combinational paths that share nothing, so that one can feed the
// other around the instance.
type twin struct{ Width int }

type twinPorts struct{ A, B, NotA, MinusB hw.Bits }

// Build describes the module.
func (p twin) Build(m *hw.Module) twinPorts {
	io := twinPorts{A: m.In("a", p.Width), B: m.In("b", p.Width), NotA: m.Out("not_a", p.Width), MinusB: m.Out("minus_b", p.Width)}
	io.NotA.Set(io.A.Not())
	io.MinusB.Set(io.B.Neg())
	return io
}
