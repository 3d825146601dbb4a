package random

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Options bound a random design.
type Options struct {
	Size   int  // pieces (registers, wires, memories, loops, instances ...) of a module
	Levels int  // levels of instances below the top
	Wide   bool // the top has a loop of many iterations
	Fail   bool // assertions fail occasionally; otherwise all hold
	Extern bool // use external modules
	Clocks int  // clocks of the top, each with or without a reset; 0 for the default clock
	// Plain excludes quotients, remainders and products of more than 64 bits, which kernels that
	// simulate whole cycles of a batch of instances do not support.
	Plain bool
}

// Small is a design that is quick to simulate in any engine.
var Small = Options{Size: 3, Levels: 2}

// Varied returns options for a seed, from tiny designs to designs larger than Small.
func Varied(seed uint64) Options {
	o := varied(seed)
	o.Extern = seed%7 == 5
	o.Plain = seed%3 != 0
	return o
}

func varied(seed uint64) Options {
	switch {
	case seed%25 == 24:
		return Options{Size: 1, Wide: true}
	case seed%10 == 7:
		return Options{Size: 1 + int(seed/10%4), Levels: int(seed / 40 % 2), Clocks: 1 + int(seed/10%3)}
	}
	return Options{Size: 1 + int(seed%4), Levels: int(seed / 4 % 3)}
}

// Random returns the design for seed. It panics if hw rejects the design, which is a mistake in
// this package or in hw.
func Random(seed uint64, o Options) *ir.Design {
	d, err := elaborate(newModule(seed, o))
	if err != nil {
		panic(fmt.Sprintf("random: seed %d: %v", seed, err))
	}
	return d
}

func elaborate(p module) (*ir.Design, error) {
	if p.Clocks > 0 {
		return hw.Elaborate(clocked{p})
	}
	return hw.Elaborate(p)
}

// module is a random module.
type module struct {
	Seed         uint64
	Level, Which int
	Async        bool // no conditions reset its instances
	Options
}

func newModule(seed uint64, o Options) module { return module{Seed: seed, Level: o.Levels, Options: o} }

// ModuleName returns a name that is unique over all modules and seeds.
func (p module) ModuleName() string {
	name := fmt.Sprintf("rand%d_%d%c", p.Seed, p.Level, 'a'+p.Which)
	if p.Async {
		name += "_once"
	}
	return name
}

// child returns one of two modules of the next level, so that some modules are shared.
func (p module) child(which int) module {
	return module{p.Seed, p.Level - 1, which, p.Async, p.Options}
}

// budget returns the budget of the module; see builder.spend.
func (p module) budget() int {
	if p.Wide && p.Level == p.Levels {
		return 1200
	}
	return 30 * (p.Size + 2) * (p.Level + 1)
}

// ports are the ports of a module.
type ports struct {
	In, Out       []hw.Bits
	InVec, OutVec []hw.Vec
	Digest        hw.Bits
}

// Build describes the module.
func (p module) Build(m *hw.Module) ports {
	b := &builder{m: m, p: p, r: rand.New(rand.NewPCG(p.Seed, uint64(2*p.Level+p.Which)))}
	b.taste, b.long = b.r.IntN(1000), b.chance(6)
	b.open(nil)
	var io ports
	for i := range 1 + b.r.IntN(4) {
		io.In = append(io.In, b.keep(m.In(fmt.Sprint("in", i), b.width())))
	}
	for i := range b.r.IntN(3) {
		n, w := b.shape()
		io.InVec = append(io.InVec, b.keepVec(m.InVec(fmt.Sprint("in_vec", i), n, w)))
	}
	if p.Wide && p.Level == p.Levels {
		b.lanes()
	}
	b.pieces(p.Size)
	b.drive()
	for i := range 1 + b.r.IntN(3) {
		io.Out = append(io.Out, m.Out(fmt.Sprint("out", i), b.width()))
	}
	for i := range b.r.IntN(2) {
		n, w := b.shape()
		io.OutVec = append(io.OutVec, m.OutVec(fmt.Sprint("out_vec", i), n, w))
	}
	b.assign(&targets{bits: io.Out, vecs: io.OutVec})
	io.Digest = m.Out("digest", digestWidth)
	io.Digest.Set(b.digest())
	return io
}

const digestWidth = 64

// twin has two disjoint combinational paths, so that one can drive the other around the instance.
type twin struct {
	Width int `hw:"parameter"`
}

type twinPorts struct{ A, B, NotA, MinusB hw.Bits }

// Build describes the module.
func (p twin) Build(m *hw.Module) twinPorts {
	io := twinPorts{A: m.In("a", p.Width), B: m.In("b", p.Width), NotA: m.Out("not_a", p.Width), MinusB: m.Out("minus_b", p.Width)}
	io.NotA.Set(io.A.Not())
	io.MinusB.Set(io.B.Neg())
	return io
}
