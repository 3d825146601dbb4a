package main

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
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
	share  float64 // of the inputs whose rows all were learned; the rest of skew clicks is as it comes
	tuned  bool    // the constants of host/accel were looked at with it
	quick  bool    // belongs to the quick grid
}

// skew is how often the rows of a table are read.
type skew string

const (
	uniform skew = "uniform"
	zipf    skew = "zipf"   // exponent 1.05
	clicks  skew = "clicks" // the generator of host/rec/data, with its correlations
)

// small and paper are the points that the others differ from, each in a few
// things.
func small() point {
	return point{params: arch.Small(), gpus: 2, gen: 3, lanes: 16, inputs: 256, tables: 8, each: 1, row: 64, skew: zipf, share: 0.5}
}

func paper() point {
	return point{params: arch.Paper(), gpus: 4, gen: 3, lanes: 16, inputs: 4096, tables: 26, each: 1, row: 256, skew: clicks}
}

// grid is all points.
func grid() []point {
	var out []point
	add := func(base point, name string, change func(*point)) *point {
		p := base
		p.name = name
		if change != nil {
			change(&p)
		}
		out = append(out, p)
		return &out[len(out)-1]
	}
	tuned := func(p *point) { p.tuned = true }
	quick := func(p *point) { p.quick = true }
	both := func(p *point) { tuned(p); quick(p) }

	s := small()
	both(add(s, "small", nil))
	for _, n := range []int{1, 3, 4} {
		quick(add(s, fmt.Sprintf("small gpus=%d", n), func(p *point) { p.gpus = n }))
	}
	for _, l := range [][2]int{{1, 1}, {1, 4}, {3, 4}, {4, 16}, {5, 16}} {
		quick(add(s, fmt.Sprintf("small link=gen%dx%d", l[0], l[1]), func(p *point) { p.gen, p.lanes = l[0], l[1] }))
	}
	for _, n := range []int{1, 7, 64, 1024} {
		quick(add(s, fmt.Sprintf("small inputs=%d", n), func(p *point) { p.inputs = n }))
	}
	for _, x := range []skew{uniform, clicks} {
		both(add(s, fmt.Sprintf("small skew=%s", x), func(p *point) { p.skew = x }))
	}
	for _, x := range []float64{0, 0.9, 1} {
		quick(add(s, fmt.Sprintf("small share=%v", x), func(p *point) { p.share = x }))
	}
	for _, n := range []int{16, 32, 128, 256, 512} {
		at := add(s, fmt.Sprintf("small row=%d", n), func(p *point) { p.row = n })
		quick(at)
		at.tuned = n == 256
	}
	for _, x := range [][2]int{{2, 1}, {1, 40}, {4, 8}, {32, 1}, {26, 2}} {
		at := add(s, fmt.Sprintf("small tables=%dx%d", x[0], x[1]), func(p *point) { p.tables, p.each = x[0], x[1] })
		quick(at)
		at.tuned = x[1] == 8
	}

	sized := func(name string, change func(p *arch.Params)) {
		add(s, "small "+name, func(p *point) { change(&p.params) })
	}
	sized("engines=16 banks=4", func(p *arch.Params) { p.Engines, p.Banks = 16, 4 })
	sized("engines=4 banks=32", func(p *arch.Params) { p.Engines, p.Banks = 4, 32 })
	sized("ways=2", func(p *arch.Params) { p.Ways = 2 })
	sized("ways=16 blocks=1024", func(p *arch.Params) { p.Ways, p.Blocks = 16, 1024 })
	sized("queue=2", func(p *arch.Params) { p.QueueDepth = 2 })
	sized("window=8", func(p *arch.Params) { p.Window = 8 })
	sized("cache=4", func(p *arch.Params) { p.Cache = 4 })
	sized("cache=1024 window=128", func(p *arch.Params) { p.Cache, p.Window = 1024, 128 })
	sized("stream=512", func(p *arch.Params) { p.Engines, p.StreamBits, p.ALUs = 16, 512, 16 })
	sized("tags=4", func(p *arch.Params) { p.Tags = 4 })
	sized("tags=256", func(p *arch.Params) { p.Tags = 256 })
	sized("vector=1024", func(p *arch.Params) { p.VectorValues = 1024 })

	middle := s
	middle.params.Engines, middle.params.Banks, middle.params.Blocks, middle.params.Tags = 32, 16, 1<<16, 64
	middle.params.StreamBits, middle.params.ALUs, middle.params.EDRAMWords = 256, 8, 1<<17
	middle.tables, middle.inputs, middle.row, middle.gpus = 26, 1024, 128, 4
	add(middle, "middle", nil)
	add(middle, "middle skew=clicks", func(p *point) { p.skew = clicks })
	add(middle, "middle skew=uniform", func(p *point) { p.skew = uniform })

	p := paper()
	tuned(add(p, "paper", nil))
	add(p, "paper skew=uniform", func(p *point) { p.skew, p.share = uniform, 0.5 })
	add(p, "paper skew=zipf", func(p *point) { p.skew, p.share = zipf, 0.75 })
	add(p, "paper gpus=1 inputs=1024", func(p *point) { p.gpus, p.inputs = 1, 1024 })
	add(p, "paper inputs=16384", func(p *point) { p.inputs, p.row = 16384, 64 })
	add(p, "paper row=64 inputs=128", func(p *point) { p.inputs, p.row = 128, 64 })
	add(p, "paper tables=16x13 row=128 inputs=512", func(p *point) { p.tables, p.each, p.row, p.inputs = 16, 13, 128, 512 })
	add(p, "paper link=gen5x16 inputs=1024", func(p *point) { p.gen, p.inputs = 5, 1024 })
	add(p, "paper link=gen1x8 inputs=256", func(p *point) { p.gen, p.lanes, p.inputs = 1, 8, 256 })
	return out
}
