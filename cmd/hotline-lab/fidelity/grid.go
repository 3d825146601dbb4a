package fidelity

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
)

// point is a point of the grid: an accelerator in a machine, and mini-batches.
type point struct {
	name   string
	params arch.Params
	gpus   int
	gen    int // PCIe generation and lanes, of all links
	lanes  int
	inputs int // of a mini-batch
	tables int
	each   int // lookups of an input in each table
	row    int // bytes of a row
	skew   skew
	share  float64 // of the inputs whose rows all were learned, unless skew is clicks
	tuned  bool    // the constants of host/device/functional were found with its help
	quick  bool    // belongs to the quick grid
}

// skew is how often the rows of a table are read.
type skew string

const (
	uniform skew = "uniform"
	zipf    skew = "zipf"   // exponent 1.05
	clicks  skew = "clicks" // the generator of host/dlrm/data, with its correlations
)

// small and paper are the points that others differ from in a few things.
func small() point {
	return point{name: "small", params: arch.Small(), gpus: 2, gen: 3, lanes: 16, inputs: 256, tables: 8, each: 1, row: 64, skew: zipf, share: 0.5}
}

func paper() point {
	return point{name: "paper", params: arch.Paper(), gpus: 4, gen: 3, lanes: 16, inputs: 4096, tables: 26, each: 1, row: 256, skew: clicks}
}

// grid is all points.
func grid() []point {
	var g points
	g.work()
	g.sizes()
	g.scale()
	g.random()
	return g
}

// points is a grid being made.
type points []point

// add adds a point that differs from another.
func (g *points) add(from point, name string, change func(p *point)) *point {
	p := from
	if name != "" {
		p.name += " " + name
	}
	change(&p)
	*g = append(*g, p)
	return &(*g)[len(*g)-1]
}

// work is different work for the small configuration, whose model is part of the
// program.
func (g *points) work() {
	s := small()
	s.tuned, s.quick = true, true
	g.add(s, "", func(*point) {})
	for _, n := range []int{1, 3, 4} {
		g.add(s, fmt.Sprintf("gpus=%d", n), func(p *point) { p.gpus = n })
	}
	for _, l := range [][2]int{{1, 1}, {1, 4}, {3, 4}, {4, 16}, {5, 16}} {
		g.add(s, fmt.Sprintf("link=gen%dx%d", l[0], l[1]), func(p *point) { p.gen, p.lanes = l[0], l[1] })
	}
	for _, n := range []int{1, 7, 64, 1024} {
		g.add(s, fmt.Sprintf("inputs=%d", n), func(p *point) { p.inputs = n })
	}
	for _, x := range []skew{uniform, clicks} {
		g.add(s, fmt.Sprintf("skew=%s", x), func(p *point) { p.skew = x })
	}
	for _, x := range []float64{0, 0.9, 1} {
		g.add(s, fmt.Sprintf("share=%v", x), func(p *point) { p.share = x })
	}
	for _, n := range []int{16, 32, 128, 256, 512} {
		g.add(s, fmt.Sprintf("row=%d", n), func(p *point) { p.row = n })
	}
	for _, x := range [][2]int{{2, 1}, {1, 40}, {4, 8}, {32, 1}, {26, 2}} {
		g.add(s, fmt.Sprintf("tables=%dx%d", x[0], x[1]), func(p *point) { p.tables, p.each = x[0], x[1] })
	}
}

// sizes are other sizes of the small configuration.
func (g *points) sizes() {
	sized := func(name string, change func(p *arch.Params)) *point {
		return g.add(small(), name, func(p *point) { change(&p.params) })
	}
	sized("engines=16 banks=4", func(p *arch.Params) { p.Engines, p.Banks = 16, 4 })
	sized("engines=4 banks=32", func(p *arch.Params) { p.Engines, p.Banks = 4, 32 })
	sized("ways=2", func(p *arch.Params) { p.Ways = 2 })
	sized("ways=16 blocks=1024", func(p *arch.Params) { p.Ways, p.Blocks = 16, 1024 })
	sized("queue=2", func(p *arch.Params) { p.QueueDepth = 2 })
	sized("window=8", func(p *arch.Params) { p.Window = 8 })
	sized("cache=4", func(p *arch.Params) { p.Cache = 4 })
	sized("cache=1024 window=128", func(p *arch.Params) { p.Cache, p.Window = 1024, 128 })
	sized("stream=512", func(p *arch.Params) { p.Engines, p.StreamBits, p.ALUs = 16, 512, 16 }).tuned = true
	sized("tags=4", func(p *arch.Params) { p.Tags = 4 }).tuned = true
	sized("tags=256", func(p *arch.Params) { p.Tags = 256 })
	sized("vector=1024", func(p *arch.Params) { p.VectorValues = 1024 })
}

// scale is larger ones, up to that of the paper.
func (g *points) scale() {
	m := small()
	m.name = "middle"
	m.params.Engines, m.params.Banks, m.params.Blocks, m.params.Tags = 32, 16, 1<<16, 64
	m.params.StreamBits, m.params.ALUs, m.params.EDRAMWords = 256, 8, 1<<17
	m.tables, m.inputs, m.row, m.gpus = 26, 1024, 128, 4
	for _, x := range []skew{zipf, clicks, uniform} {
		g.add(m, fmt.Sprintf("skew=%s", x), func(p *point) { p.skew = x })
	}

	p := paper()
	g.add(p, "", func(*point) {})
	g.add(p, "skew=uniform", func(p *point) { p.skew, p.share = uniform, 0.5 })
	g.add(p, "skew=zipf", func(p *point) { p.skew, p.share = zipf, 0.75 })
	g.add(p, "gpus=1 inputs=1024", func(p *point) { p.gpus, p.inputs = 1, 1024 })
	g.add(p, "inputs=16384 row=64", func(p *point) { p.inputs, p.row = 16384, 64 }).tuned = true
	g.add(p, "inputs=128 row=64", func(p *point) { p.inputs, p.row = 128, 64 }).tuned = true
	g.add(p, "tables=16x13 row=128 inputs=512", func(p *point) { p.tables, p.each, p.row, p.inputs = 16, 13, 128, 512 })
	g.add(p, "link=gen5x16 inputs=1024", func(p *point) { p.gen, p.inputs = 5, 1024 })
	g.add(p, "link=gen1x8 inputs=256", func(p *point) { p.gen, p.lanes, p.inputs = 1, 8, 256 })
}

// random is points of which nothing was known beforehand.
func (g *points) random() {
	for seed := range uint64(12) {
		p := draw(rand.New(rand.NewPCG(seed, 1)))
		p.name = fmt.Sprintf("random %d", seed)
		*g = append(*g, p)
	}
}

// draw draws a point until there is one that can be.
func draw(rng *rand.Rand) point {
	between := func(lo, hi int) int { return 1 << (lo + rng.IntN(hi-lo+1)) } // powers of two, by their logarithms
	for {
		a := arch.Params{Engines: between(2, 5), Banks: between(2, 6), Blocks: between(9, 14), Ways: between(1, 4), TagBits: 9 + rng.IntN(6),
			QueueDepth: between(1, 6), Window: between(3, 7), Cache: between(2, 10), StreamBits: between(7, 9), VectorValues: between(5, 9),
			Tags: between(2, 8), Slots: 64, Tables: 32, GPUs: 4, EDRAMWords: 1 << 16}
		a.ALUs = a.StreamBits / 32
		p := point{params: a, gpus: 1 + rng.IntN(4), gen: 1 + rng.IntN(5), lanes: between(0, 4), inputs: 1 + rng.IntN(500),
			tables: 1 + rng.IntN(26), each: 1 + rng.IntN(4), row: between(4, 10), skew: []skew{uniform, zipf, clicks}[rng.IntN(3)], share: rng.Float64()}
		if a.Validate() == nil && p.fits() {
			return p
		}
	}
}

// fits tells whether the accelerator takes the work.
func (p point) fits() bool {
	a, slots := p.params, p.slots()
	return slots >= dispatch.LeastSlots(a) && slots <= a.Slots && slots*p.inputs <= a.HalfWords() &&
		p.row >= a.StreamBytes() && p.row <= 4*a.VectorValues && p.rows() >= a.Blocks/p.tables
}
