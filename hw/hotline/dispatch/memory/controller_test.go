package memory_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/memory"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func describeController(p arch.Params) hw.Generator[memory.Ports] {
	return memory.Controller{Beats: sizes.BeatsOf(p), SlotNumbers: sizes.SlotNumbers{Slots: p.Slots}, TableNumbers: sizes.TableNumbers{Tables: p.Tables}, GPUNumbers: sizes.GPUNumbers{GPUs: p.GPUs},
		VectorValues: p.VectorValues, Blocks: p.Blocks, Ways: p.Ways, IDBits: p.IDBits()}
}

func TestController(t *testing.T) {
	dispatchtest.ForSizes(t, describeController, checkController)
	dispatchtest.ForSizes(t, describeController, checkOrder)
}

// checkController gathers and updates with random registers, and finally runs the largest commands.
func checkController(d *ir.Design, p arch.Params, seed uint64) error {
	c, err := newControlling(d, p, seed)
	if err != nil {
		return err
	}
	for range 12 {
		c.item.Rate, c.req.Rate, c.op.Rate = dispatchtest.Rate(c.Rand), dispatchtest.Rate(c.Rand), dispatchtest.Rate(c.Rand)
		c.configure()
		if err := c.gather(1 + c.Rand.IntN(12)); err != nil {
			return fmt.Errorf("gather: %w", err)
		}
		if err := c.update(1 + c.Rand.IntN(30)); err != nil {
			return fmt.Errorf("update: %w", err)
		}
	}
	if err := c.most(); err != nil {
		return err
	}
	return dispatchtest.Quiet(c.Bench)
}

// most runs the largest gather and update.
func (c *controlling) most() error {
	c.model = dispatchtest.MostRegisters(c.Rand, c.p)
	c.drive()
	if err := c.gather(c.k.MaxInputs()); err != nil {
		return fmt.Errorf("most inputs: %w", err)
	}
	if err := c.update(c.p.HalfWords() / sizes.EntryWords); err != nil {
		return fmt.Errorf("most entries: %w", err)
	}
	return nil
}

// controlling is a Controller with the memories that it reads.
type controlling struct {
	*bench.Bench
	p       arch.Params
	k       sizes.Halves
	tb      memory.Ports
	data    []hw.Bits // ports of the engines
	result  []eal.Result
	item    *bench.Source
	req, op *bench.Sink
	model   *dispatch.RegisterModel
	words   []uint64 // words of the half
	results []lookup.Result
	half    uint64

	hot, cold int // counts of pulses
}

func newControlling(d *ir.Design, p arch.Params, seed uint64) (*controlling, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	g := describeController(p)
	tb := sim.Bind[memory.Ports](b.Sim, g)
	return &controlling{Bench: b, p: p, k: sizes.HalvesOf(p), tb: tb, data: dispatchtest.Lanes(tb.Data), result: dispatchtest.Elements(tb.Result), item: bench.PushOf[memory.Item](b, "item", g),
		req: bench.PopOf[dma.Request](b, "req", p), op: bench.PopOf[reduce.Op](b, "op", p)}, nil
}

// configure drives random registers.
func (c *controlling) configure() {
	c.model = dispatchtest.RandomRegisters(c.Rand, c.p)
	c.drive()
	c.half = c.Rand.Uint64N(2)
	c.tb.Half.Poke(c.half)
}

func (c *controlling) drive() {
	r, m := c.tb.Registers, c.model
	r.Tables.Poke(uint64(m.Tables))
	r.RowLog2.Poke(uint64(m.RowLog2))
	r.GPUs.Poke(uint64(m.GPUs))
	r.Scale.Poke(uint64(math.Float32bits(m.Scale)))
	dispatchtest.Poke(r.Hot, m.Hot)
	dispatchtest.Poke(r.Pooled, m.Pooled)
	dispatchtest.Poke(r.Grad, m.Grad)
}

// gather sends the lookups of n inputs, popular or not at random.
func (c *controlling) gather(n int) error {
	n = min(n, c.p.HalfWords()/c.model.Slots)
	words, results, popular := make([]uint32, n*c.model.Slots), make([]lookup.Result, n*c.model.Slots), make([]bool, n)
	for i := range words {
		words[i] = c.Rand.Uint32()
		results[i] = lookup.Result{Hit: c.Rand.IntN(2) == 0, Way: c.Rand.IntN(c.p.Ways)}
	}
	for i := range popular {
		popular[i] = c.Rand.IntN(3) == 0
	}
	c.place(words, results)
	want := c.model.Gather(words, results, popular)
	return c.run(false, lookupsOf(unpopular(popular), c.model.Slots, c.model.Group()), want, int(want.Values[0]), int(want.Values[1]))
}

// update sends a list of n entries.
func (c *controlling) update(n int) error {
	list := make([]uint32, n*sizes.EntryWords)
	for i := range n {
		list[2*i], list[2*i+1] = uint32(c.Rand.IntN(c.p.Tables)), c.Rand.Uint32()
	}
	results := make([]lookup.Result, len(list)) // left over from an earlier sweep
	for i := range results {
		results[i] = lookup.Result{Hit: c.Rand.IntN(2) == 0, Way: c.Rand.IntN(c.p.Ways)}
	}
	c.place(list, results)
	return c.run(true, lookupsOf(unpopular(make([]bool, n)), sizes.EntryWords, c.model.Group()), c.model.Update(list), 0, n)
}

// place writes words and results to the memories.
func (c *controlling) place(words []uint32, results []lookup.Result) {
	c.words, c.results = make([]uint64, len(words)+c.p.Engines), make([]lookup.Result, len(words)+c.p.Engines)
	copy(c.results, results)
	for i := range words {
		c.words[i] = uint64(words[i])
	}
}

func (c *controlling) run(update bool, items []walked, want dispatch.Effect, hot, cold int) error {
	c.tb.Update.Poke(bench.Bit(update))
	if err := dispatchtest.Pulse(c.Bench, c.tb.Start); err != nil {
		return err
	}
	c.tb.Update.Poke(bench.Bit(!update))
	c.hot, c.cold = 0, 0
	for _, x := range items {
		c.item.Send(0, x.item())
	}
	sent := c.item.Sent() + len(items)
	for n := 0; c.item.Sent() < sent || c.tb.Idle.Peek() == 0; n++ {
		if n > 40*len(items)+100 {
			return fmt.Errorf("not idle after %d cycles: %d items wait", n, sent-c.item.Sent())
		}
		if err := c.cycle(); err != nil {
			return err
		}
	}
	var reads []dma.ReadRequest
	for _, it := range c.req.Got[0] {
		reads = append(reads, dispatchtest.RequestOf(it))
	}
	var ops []reduce.Operation
	for _, it := range c.op.Got[0] {
		ops = append(ops, dispatchtest.OperationOf(it))
	}
	c.req.Got[0], c.op.Got[0] = nil, nil
	if c.hot != hot || c.cold != cold {
		return fmt.Errorf("%d hot and %d cold rows, want %d and %d", c.hot, c.cold, hot, cold)
	}
	if err := dispatchtest.Compare("reads", reads, want.Rows, dispatchtest.Equal); err != nil {
		return err
	}
	return dispatchtest.Compare("operations", ops, want.Ops, dispatchtest.EqualOps)
}

// cycle runs one cycle, including the memories.
func (c *controlling) cycle() error {
	var fetch, slot, table bool
	var row, s, t uint64
	err := c.Cycle(func() error {
		fetch, slot, table = c.tb.Fetch.Enable.Peek() == 1, c.tb.Slot.Enable.Peek() == 1, c.tb.Table.Enable.Peek() == 1
		row, s, t = c.tb.Fetch.Row.Peek(), c.tb.Slot.Number.Peek(), c.tb.Table.Number.Peek()
		c.hot += int(c.tb.HotRow.Peek())
		c.cold += int(c.tb.ColdRow.Peek())
		return nil
	})
	if err != nil {
		return err
	}
	if fetch {
		at := int(row^c.half<<(c.k.AddressBits()-1)) * c.p.Engines
		if at >= len(c.words) {
			return fmt.Errorf("row %#x is fetched", row)
		}
		at = min(at, len(c.words)-c.p.Engines)
		for e, x := range c.results[at : at+c.p.Engines] {
			c.data[e].Poke(c.words[at+e])
			c.result[e].Hit.Poke(bench.Bit(x.Hit))
			c.result[e].Way.Poke(uint64(x.Way))
		}
	}
	if slot {
		x := c.model.SlotTable[s]
		c.tb.Slot.Base.Poke(uint64(x.Base))
		c.tb.Slot.Table.Poke(uint64(x.Table))
		c.tb.Slot.First.Poke(bench.Bit(x.First))
		c.tb.Slot.Last.Poke(bench.Bit(x.Last))
	}
	if table {
		c.tb.Table.Base.Poke(c.model.TableBase[t])
	}
	return nil
}

// checkOrder lets only some reads, or only some operations, of an update leave. Reads and
// operations wait for each other only at the end of a place.
func checkOrder(d *ir.Design, p arch.Params, seed uint64) error {
	for limit := range 2 {
		for _, stalled := range []string{"req", "op"} {
			c, err := newControlling(d, p, seed)
			if err != nil {
				return err
			}
			c.configure()
			c.place([]uint32{0, 0}, make([]lookup.Result, 2))
			c.tb.Update.Poke(1)
			if err := dispatchtest.Pulse(c.Bench, c.tb.Start); err != nil {
				return err
			}
			for _, x := range lookupsOf([]int{0}, sizes.EntryWords, 1) {
				c.item.Send(0, x.item())
			}
			sinks := map[string]*bench.Sink{"req": c.req, "op": c.op}
			for range 30 {
				if len(sinks[stalled].Got[0]) == limit {
					sinks[stalled].Rate = 0
				}
				if err := c.cycle(); err != nil {
					return err
				}
			}
			reads, ops := limit, limit+1
			if stalled == "op" {
				reads, ops = ops, reads
			}
			if len(c.req.Got[0]) != reads || len(c.op.Got[0]) != ops || c.tb.Idle.Peek() == 1 {
				return fmt.Errorf("%s stalled: %d reads and %d operations, want %d and %d; idle is %d", stalled, len(c.req.Got[0]), len(c.op.Got[0]), reads, ops, c.tb.Idle.Peek())
			}
		}
	}
	return nil
}
