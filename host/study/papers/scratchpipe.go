package papers

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/dlrm/data/profile"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/staticcache"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// cached lists the systems whose work depends on the capacity of a cache.
var cached = map[string]timing.System{
	"scratchpipe": scratchpipe.Order, "straw-man": scratchpipe.StrawmanOrder, "static-cache": staticcache.Order,
}

// Tables and mini-batches of the paper are scaled down by this factor for training. The share of a
// table in the scratchpad, and the window, are not scaled.
const scale = 128

// Mini-batches of a training, and how many of them at its end are counted.
const (
	traced = 300
	tail   = 100
)

// trace holds the average demand of the last mini-batches of a training, at the size of the paper.
type trace struct{ slots, fills, leaves int }

// cached returns a system with a cache as a source.
func (b *bench) cached(system string, order timing.System, c Case) source {
	return source{fmt.Sprintf("%s: %+v", system, c), func() (load, error) {
		m, err := c.config()
		if err != nil {
			return load{}, err
		}
		if system == "static-cache" {
			w, err := c.static()
			return steady(order, m, c, w, usual), err
		}
		t, err := b.traces.get(fmt.Sprintf("%s, %v, %d", c.Clicks, c.Share, c.Lookups), func() (trace, error) { return b.trace(c) })
		w := timing.Work{Inputs: c.all(), Own: scratchpipe.Work{Slots: t.slots, Fills: t.fills, Leaves: t.leaves}}
		return steady(order, m, c, w, pipelined), err
	}}
}

// trace trains ScratchPipe on small tables.
func (b *bench) trace(c Case) (trace, error) {
	preset, err := gen.Named("scratchpipe-"+c.Clicks, Seed)
	if err != nil {
		return trace{}, err
	}
	c.Dim, c.Bottom, c.Rows = 128, []int{13, 512, 256, 128}, c.Rows/scale
	m, err := c.config()
	if err != nil {
		return trace{}, err
	}
	for i := range preset.Params.Tables {
		preset.Params.Tables[i].Rows /= scale
		preset.Params.Tables[i].Lookups = c.Lookups
	}
	source, err := gen.New(preset.Params, 1<<40)
	if err != nil {
		return trace{}, err
	}
	o := scratchpipe.DefaultOptions()
	o.Share = c.Share
	t := training{model: m, clicks: source, gpus: 1, batch: c.Batch / scale, batches: traced}
	r, err := t.run(b.ctx, func(s *server.Server, from *train.State) (train.System, error) { return scratchpipe.New(s, from, o) })
	if err != nil {
		return trace{}, err
	}
	own := func(w timing.Work) scratchpipe.Work { return timing.Own[scratchpipe.Work](w) }
	x := trace{slots: scale * own(r.Works[traced-tail]).Slots}
	for _, w := range r.Works[traced-tail:] {
		x.fills += own(w).Fills
		x.leaves += own(w).Leaves
	}
	x.fills, x.leaves = x.fills*scale/tail, x.leaves*scale/tail
	return x, nil
}

// static returns the work of a static cache. Each missed lookup is copied, even if rows are equal.
func (c Case) static() (timing.Work, error) {
	m, err := c.config()
	if err != nil {
		return timing.Work{}, err
	}
	p, err := gen.Named("scratchpipe-"+c.Clicks, Seed)
	if err != nil {
		return timing.Work{}, err
	}
	missed := 1 - p.Params.Fit([]profile.Target{{Table: p.Params.Tables[0].Name, Rows: c.Share}})[0].Reached
	lookups, bags := float64(c.all()*m.Lookups()), float64(c.all()*len(m.Tables))
	n := int(missed * lookups)
	return timing.Work{
		Inputs: c.all(), HotTable: int(c.Share * float64(m.Rows())), HotRows: int(lookups) - n, Listed: int(lookups) - n,
		ColdCopies: n, Own: staticcache.Work{Missed: n, MissedBags: int(bags * (1 - math.Pow(1-missed, float64(c.Lookups))))},
	}, nil
}
