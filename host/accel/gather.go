package accel

import (
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// gatherJob reads the rows of the non-popular inputs and pools them.
type gatherJob struct {
	a           *Accel
	h           *half
	asks, pools cursor
	gpus        int
	source      int // GPU that the next hot row comes from
	hot, cold   uint32
	start       node.Time
	cycles      int // of the reducer so far
}

// cursor walks over the lookups of the non-popular inputs.
type cursor struct {
	h             *half
	inputs, slots int
	input, slot   int
	number        int // of the input among the non-popular ones
}

// valid skips popular inputs and reports whether a lookup is left.
func (c *cursor) valid() bool {
	for c.slot == 0 && c.input < c.inputs && c.h.popular[c.input/8]>>(c.input%8)&1 != 0 {
		c.input++
	}
	return c.input < c.inputs
}

// word is the number of the lookup's word.
func (c *cursor) word() int { return c.input*c.slots + c.slot }

func (c *cursor) advance() {
	if c.slot++; c.slot == c.slots {
		c.slot = 0
		c.input++
		c.number++
	}
}

// gather carries out the command for n inputs.
func (a *Accel) gather(n int) {
	h := &a.halves[a.now.cmd.half]
	c := cursor{h: h, inputs: n, slots: a.slots()}
	a.reads.start(&gatherJob{a: a, h: h, asks: c, pools: c, gpus: a.gpus(), start: a.k.Now()})
}

// slotOf takes a slot register apart.
func (a *Accel) slotOf(slot int) (table int, first, last bool) {
	r := a.regs[driver.RegSlot+slot]
	return int(r >> driver.SlotTableLo & 0xff), r>>driver.SlotFirstBit&1 != 0, r>>driver.SlotLastBit&1 != 0
}

func (g *gatherJob) next() (uint64, int, bool) {
	if !g.asks.valid() {
		return 0, 0, false
	}
	word := g.asks.word()
	table, _, _ := g.a.slotOf(g.asks.slot)
	g.asks.advance()
	if r := g.h.results[word]; r.hit {
		from := g.source
		g.source = (from + 1) % g.gpus
		g.hot++
		return g.a.hotRow(from, r.block), len(g.a.row()), true
	}
	g.cold++
	return g.a.coldRow(table, g.h.words[word]), len(g.a.row()), true
}

func (g *gatherJob) take(row []byte, e link.Error) {
	a := g.a
	a.fail(e)
	a.csrs.rowsRead++
	g.pools.valid()
	table, first, last := a.slotOf(g.pools.slot)
	if first {
		a.row().load(row)
	} else {
		a.row().add(row)
	}
	g.cycles += a.p.beats(len(row))
	if last {
		number := (g.pools.number/g.gpus)*a.tables() + table
		a.writeRow(a.regs[driver.RegPooled+g.pools.number%g.gpus]+uint64(number)<<a.rowLog2(), a.row())
		g.cycles += vectorCycles
	}
	g.pools.advance()
}

func (g *gatherJob) end() {
	g.a.now.values = [2]uint32{g.hot, g.cold}
	g.a.finish(g.start + g.a.cycles(g.cycles))
}
