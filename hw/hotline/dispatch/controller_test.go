package dispatch

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func describeController(p arch.Params) hw.Generator[ControllerPorts] { return Controller{p} }

func TestController(t *testing.T) {
	forSizes(t, describeController, checkController)
	forSizes(t, describeController, checkOrder)
}

// checkController gathers and updates with random registers.
func checkController(d *ir.Design, p arch.Params, seed uint64) error {
	c, err := newControlling(d, p, seed)
	if err != nil {
		return err
	}
	for range 12 {
		c.item.Rate, c.req.Rate, c.op.Rate = rate(c.Rand), rate(c.Rand), rate(c.Rand)
		c.configure()
		if err := c.gather(1 + c.Rand.IntN(12)); err != nil {
			return fmt.Errorf("gather: %w", err)
		}
		if err := c.update(1 + c.Rand.IntN(30)); err != nil {
			return fmt.Errorf("update: %w", err)
		}
	}
	return quiet(c.Bench)
}

// controlling is a Controller among the memories that it reads.
type controlling struct {
	*bench.Bench
	p       arch.Params
	pin     pins
	item    *bench.Source
	req, op *bench.Sink
	model   *RegisterModel
	words   []uint64 // of the half
	results []uint64
	half    uint64

	hot, cold int // pulses
}

func newControlling(d *ir.Design, p arch.Params, seed uint64) (*controlling, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	return &controlling{Bench: b, p: p, pin: pinsOf(b), item: b.Push("item"), req: bench.PopOf[dma.Request](b, "req", p), op: bench.PopOf[reduce.Op](b, "op", p)}, nil
}

// configure drives random registers.
func (c *controlling) configure() {
	c.model = randomRegisters(c.Rand, c.p)
	driveRegisters(c.pin, c.model)
	c.half = c.Rand.Uint64N(2)
	c.pin.set("half", c.half)
}

func driveRegisters(pin pins, m *RegisterModel) {
	pin.set("tables", uint64(m.Tables))
	pin.set("row_log2", uint64(m.RowLog2))
	pin.set("gpus", uint64(m.GPUs))
	pin.set("scale", uint64(floatBits(m.Scale)))
	pin.elements("hot", 64, m.Hot)
	pin.elements("pooled", 64, m.Pooled)
	pin.elements("grad", 64, m.Grad)
}

// gather sends the lookups of n inputs, popular or not as they come.
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
	return c.run(false, lookupsOf(popular, c.model.Slots), want, int(want.Values[0]), int(want.Values[1]))
}

// update sends a list of n entries.
func (c *controlling) update(n int) error {
	list := make([]uint32, n*entryWords)
	items := make([]walked, n)
	for i := range items {
		list[2*i], list[2*i+1] = uint32(c.Rand.IntN(c.p.Tables)), c.Rand.Uint32()
		items[i] = walked{number: 2 * i, last: c.Rand.IntN(2) == 0}
	}
	results := make([]lookup.Result, len(list)) // left by an earlier sweep
	for i := range results {
		results[i] = lookup.Result{Hit: c.Rand.IntN(2) == 0, Way: c.Rand.IntN(c.p.Ways)}
	}
	c.place(list, results)
	return c.run(true, items, c.model.Update(list), 0, n)
}

// place puts words and results into the memories.
func (c *controlling) place(words []uint32, results []lookup.Result) {
	c.words, c.results = make([]uint64, len(words)+c.p.Engines), make([]uint64, len(words)+c.p.Engines)
	for i := range words {
		c.words[i], c.results[i] = uint64(words[i]), uint64(results[i].Way)
		if results[i].Hit {
			c.results[i] |= 1 << c.p.WayBits()
		}
	}
}

func (c *controlling) run(update bool, items []walked, want Effect, hot, cold int) error {
	c.pin["update"].SetBool(update)
	if err := c.pin.pulse(c.Bench, "start"); err != nil {
		return err
	}
	c.pin["update"].SetBool(!update)
	c.hot, c.cold = 0, 0
	for _, x := range items {
		var f fields
		f.put(wordsBits(c.p), uint64(x.number))
		f.put(slotBits(c.p), uint64(x.slot))
		f.put(1, truth(x.last))
		c.item.Send(0, f.words)
	}
	sent := c.item.Sent() + len(items)
	for n := 0; c.item.Sent() < sent || !c.pin["idle"].Bool(); n++ {
		if n > 40*len(items)+100 {
			return fmt.Errorf("not idle after %d cycles: %d items wait", n, sent-c.item.Sent())
		}
		if err := c.cycle(); err != nil {
			return err
		}
	}
	var reads []dma.ReadRequest
	for _, it := range c.req.Got[0] {
		reads = append(reads, requestOf(it))
	}
	var ops []reduce.Operation
	for _, it := range c.op.Got[0] {
		ops = append(ops, operationOf(it))
	}
	c.req.Got[0], c.op.Got[0] = nil, nil
	if c.hot != hot || c.cold != cold {
		return fmt.Errorf("%d hot and %d cold rows, want %d and %d", c.hot, c.cold, hot, cold)
	}
	if err := compare("reads", reads, want.Rows, equal); err != nil {
		return err
	}
	return compare("operations", ops, want.Ops, equalOps)
}

// cycle is one cycle with the memories.
func (c *controlling) cycle() error {
	var fetch, slot, table bool
	var row, s, t uint64
	err := c.Cycle(func() error {
		fetch, slot, table = c.pin["fetch_enable"].Bool(), c.pin["slot_enable"].Bool(), c.pin["table_enable"].Bool()
		row, s, t = c.pin.get("fetch_row"), c.pin.get("slot_read"), c.pin.get("table_read")
		c.hot += int(c.pin.get("hot_row"))
		c.cold += int(c.pin.get("cold_row"))
		return nil
	})
	if err != nil {
		return err
	}
	if fetch {
		at := int(row^c.half<<(edramRowBits(c.p)-1)) * c.p.Engines
		if at >= len(c.words) {
			return fmt.Errorf("row %#x is fetched", row)
		}
		at = min(at, len(c.words)-c.p.Engines)
		c.pin.elements("data", wordBits, c.words[at:at+c.p.Engines])
		c.pin.elements("result", 1+c.p.WayBits(), c.results[at:at+c.p.Engines])
	}
	if slot {
		x := c.model.SlotTable[s]
		c.pin.set("slot_base", uint64(x.Base))
		c.pin.set("slot_table", uint64(x.Table))
		c.pin["slot_first"].SetBool(x.First)
		c.pin["slot_last"].SetBool(x.Last)
	}
	if table {
		c.pin.set("table_base", c.model.TableBase[t])
	}
	return nil
}

// checkOrder lets only some reads, or only some operations, of an update
// leave: neither waits for the other further than to the end of a step.
func checkOrder(d *ir.Design, p arch.Params, seed uint64) error {
	for limit := range 3 {
		for _, stalled := range []string{"req", "op"} {
			c, err := newControlling(d, p, seed)
			if err != nil {
				return err
			}
			c.configure()
			c.place([]uint32{0, 0}, make([]lookup.Result, 2))
			c.pin.set("update", 1)
			if err := c.pin.pulse(c.Bench, "start"); err != nil {
				return err
			}
			c.item.Send(0, make(bench.Item, ir.Words(itemBits(p))))
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
				reads, ops = min(limit+1, 2), limit
			}
			if len(c.req.Got[0]) != reads || len(c.op.Got[0]) != ops {
				return fmt.Errorf("%s stalled: %d reads and %d operations, want %d and %d", stalled, len(c.req.Got[0]), len(c.op.Got[0]), reads, ops)
			}
			if c.pin["idle"].Bool() != (ops == 3) {
				return fmt.Errorf("%s stalled after %d: idle is %v", stalled, limit, c.pin["idle"].Bool())
			}
		}
	}
	return nil
}
