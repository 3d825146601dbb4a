package dispatch_test

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// dispatching is a harness: a Dispatch, its Model, and the interfaces of the other blocks.
type dispatching struct {
	*bench.Bench
	p     arch.Params
	k     sizes.Beats
	tb    dispatch.Ports
	data  sim.Pin // data of a beat of a load
	model *dispatch.Model

	command              *bench.Source
	loadReq, rowReq, opq *bench.Sink
	writer               *dispatchtest.Writer

	around    dispatch.Environment // during the command
	base      uint64               // address of the words that the command loads
	loads     []dma.ReadRequest
	beats     []dma.LoadBeat // still to arrive
	sweep     sweeping
	swept     bool
	scanned   *dispatchtest.Scanned
	results   []eal.Result // ports of the engines
	edram     []lookup.Access
	edramData []hw.Bits
	stretch   uint64   // learning epoch, modulo 2
	bases     []uint32 // bases in the engines, by slot
	held      []lookup.Result
	found     [2][]lookup.Result // results of both halves

	quietAt  [2]int        // cycles from which the reducer is idle, and no write is pending
	failWith arch.DMAError // error of a read or write of the command, in some cycle
	failed   arch.DMAError
	busy     bool // a command has been accepted
	done     int  // done pulses of this command
	status   arch.Status
	finished int // done pulses of earlier commands

	rows []dma.ReadRequest
	ops  []reduce.Operation
	want dispatch.Effect // expected since the last comparison
}

// sweeping is a sweep of the lookup engines.
type sweeping struct {
	busy, learn bool
	half        int
	rows, at    int
	expect      []uint32 // expected words on the eDRAM port, nil if none
}

func newDispatching(d *ir.Design, p arch.Params, seed uint64) (*dispatching, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	x := &dispatching{Bench: b, p: p, k: sizes.BeatsOf(p), tb: sim.Bind[dispatch.Ports](b.Sim, dispatch.Of(p)), data: b.Pin("load_data"), model: dispatch.NewModel(p), command: bench.PushOf[dispatch.Command](b, "command", p),
		loadReq: bench.PopOf[dma.Request](b, "load_req", p), rowReq: bench.PopOf[dma.Request](b, "row_req", p), opq: bench.PopOf[reduce.Op](b, "op", p), writer: dispatchtest.NewWriter(b, p), bases: make([]uint32, p.Slots)}
	for i := range x.found {
		x.found[i] = make([]lookup.Result, 2*p.HalfWords())
	}
	x.tb.EALReady.Poke(1)
	x.results, x.edram, x.edramData = dispatchtest.Elements(x.tb.Lookup.Result), dispatchtest.Elements(x.tb.Lookup.EDRAM), dispatchtest.Lanes(x.tb.Lookup.EDRAMData)
	x.scanned = dispatchtest.NewScanned(x.tb.Scan, p.Banks)
	return x, nil
}

// cycle runs one clock cycle with all surrounding blocks.
func (x *dispatching) cycle() error {
	now := int(x.Sim.Cycle())
	// A command must not end before its error has occurred.
	x.tb.WritePending.Poke(bench.Bit(now < x.quietAt[1] || x.failWith != x.failed))
	x.load()
	x.fail()
	started := false
	err := x.Cycle(func() error {
		busy := x.tb.Op.Valid.Peek() == 1 || now < x.quietAt[0]
		x.tb.ReduceIdle.Poke(bench.Bit(!busy))
		started = x.tb.Lookup.Start.Peek() == 1
		return x.look()
	})
	if err != nil {
		return err
	}
	x.busy = x.command.Sent() > x.finished+x.done
	x.collect()
	if err := x.engines(started); err != nil {
		return err
	}
	return x.writer.Collect()
}

// fail makes a read or write fail on one of the interfaces. A load fails only if it is meant to.
func (x *dispatching) fail() {
	loaded := len(x.around.Words) == 0 || x.swept || len(x.ops) > 0
	if x.failWith != 0 && x.Rand.IntN(20) == 0 && loaded {
		x.failed = x.failWith
	}
	for i, side := range []hw.Enum[arch.DMAError]{x.tb.LoadError, x.tb.RowError, x.tb.WriteError} {
		side.Poke(arch.DMAOK)
		if int(x.failWith)%3 == i {
			side.Poke(x.failed)
		}
	}
}

// look checks and records the outputs of this cycle.
func (x *dispatching) look() error {
	tb := x.tb
	if mute := tb.Mute.Peek() == 1; mute != (tb.WriteError.Peek() != arch.DMAOK) {
		return fmt.Errorf("mute is %v with write error %v", mute, tb.WriteError.Peek())
	}
	if (tb.Command.Ready.Peek() == 1) == x.busy {
		return fmt.Errorf("ready is %v, busy with a command is %v", !x.busy, x.busy)
	}
	done := tb.Done.Peek() == 1
	if done {
		x.done++
		if err := x.outcome(); err != nil {
			return err
		}
	}
	if (tb.ClearErrors.Peek() == 1) != done {
		return errors.New("errors are cleared before they are told of, or not then")
	}
	if done {
		x.failed, x.failWith = 0, 0
	}
	if slot := tb.Lookup.Slot; slot.Enable.Peek() == 1 {
		x.bases[slot.Addr.Peek()] = uint32(slot.Base.Peek())
	}
	if err := x.scanned.Look(x.around.EAL); err != nil {
		return err
	}
	if tb.Lookup.Read.Peek() == 1 {
		row, top := int(tb.Lookup.ReadRow.Peek()), x.k.AddressBits()-1
		half := row >> top
		at := (row - half<<top) * x.p.Engines
		x.held = x.found[half][at : at+x.p.Engines]
	}
	return nil
}

// outcome compares a completion with the expected one.
func (x *dispatching) outcome() error {
	e := x.want
	x.status = x.tb.Status.Peek()
	got := dispatch.Effect{Status: x.status, Values: [2]uint32{uint32(x.tb.Value0.Peek()), uint32(x.tb.Value1.Peek())}}
	if got.Status != e.Status || got.Status == 0 && got.Values != e.Values {
		return fmt.Errorf("status %d, values %d, want %d, %d", got.Status, got.Values, e.Status, e.Values)
	}
	return nil
}

// collect takes what has left, and keeps the reducer and the writes busy for a while.
func (x *dispatching) collect() {
	busy := func(i int) { x.quietAt[i] = int(x.Sim.Cycle()) + 1 + x.Rand.IntN(6) }
	for _, it := range x.loadReq.Got[0] {
		q := dispatchtest.RequestOf(it)
		x.loads = append(x.loads, q)
		if !x.around.NoLoad {
			x.fetch(q)
		}
	}
	for _, it := range x.rowReq.Got[0] {
		x.rows = append(x.rows, dispatchtest.RequestOf(it))
	}
	for _, it := range x.opq.Got[0] {
		o := dispatchtest.OperationOf(it)
		x.ops = append(x.ops, o)
		busy(0)
		if o.Write {
			busy(1)
		}
	}
	if len(x.writer.Packet.Got[0])+len(x.writer.Data.Got[0]) > 0 {
		busy(1)
	}
	x.loadReq.Got[0], x.rowReq.Got[0], x.opq.Got[0] = nil, nil, nil
	x.scanned.Show()
	for e, r := range x.held {
		x.results[e].Hit.Poke(bench.Bit(r.Hit))
		x.results[e].Way.Poke(uint64(r.Way))
	}
	x.held = nil
}

// fetch queues the beats of a load, with the words at the requested address.
func (x *dispatching) fetch(q dma.ReadRequest) {
	n := x.p.StreamBytes()
	for k := 0; k < q.Len; k += n {
		data := make([]uint64, n/8)
		for w := range n / 4 {
			at, word := int(q.Addr-x.base)/4+k/4+w, x.Rand.Uint32()
			if at < len(x.around.Words) {
				word = x.around.Words[at]
			}
			data[w/2] |= uint64(word) << (w % 2 * 32)
		}
		x.beats = append(x.beats, dma.LoadBeat{Dest: q.Dest + uint32(k/n), Data: data})
	}
}

// load delivers a beat, in any order. The load port reports a load from the cycle after its
// request.
func (x *dispatching) load() {
	failing := x.around.NoLoad && len(x.loads) > 0 && x.failed == 0
	x.tb.Loading.Poke(bench.Bit(len(x.beats) > 0 || failing))
	if failing && x.Rand.IntN(4) == 0 {
		x.failed = x.failWith
	}
	bring := len(x.beats) > 0 && x.Rand.IntN(4) > 0
	x.tb.Load.Valid.Poke(bench.Bit(bring))
	if !bring {
		return
	}
	i := x.Rand.IntN(len(x.beats))
	b := x.beats[i]
	x.beats[i] = x.beats[len(x.beats)-1]
	x.beats = x.beats[:len(x.beats)-1]
	x.tb.Load.Data.Dest.Poke(uint64(b.Dest))
	x.data.SetWords(b.Data)
}

// engines reads the words and completes the rows of results.
func (x *dispatching) engines(started bool) error {
	s := &x.sweep
	if err := x.checkWords(); err != nil {
		return err
	}
	if started {
		if err := x.startSweep(); err != nil {
			return err
		}
	}
	if s.busy {
		if s.at == s.rows && x.Rand.IntN(4) == 0 {
			s.busy = false
		}
		if s.at < s.rows && x.Rand.IntN(3) > 0 {
			x.readRow()
			s.at++
		}
	}
	x.tb.Lookup.Busy.Poke(bench.Bit(s.busy))
	return x.showReady()
}

func (x *dispatching) showReady() error {
	row := int(x.tb.Lookup.ScanRow.Peek()) &^ (1 << (x.k.AddressBits() - 1))
	x.tb.Lookup.RowReady.Poke(bench.Bit(!x.sweep.busy || row < x.sweep.at-1))
	return nil
}

// startSweep checks the operands of a sweep.
func (x *dispatching) startSweep() error {
	s, m := &x.sweep, x.model
	tb := x.tb.Lookup
	half, words := int(tb.Half.Peek()), int(tb.Words.Peek())
	learn, slots := tb.Learn.Peek() == 1, int(tb.Slots.Peek())
	if s.busy || learn != s.learn || half != s.half || words != len(x.around.Words) || slots != m.Slots {
		return fmt.Errorf("sweep of %d words, %d slots, half %d, learn %v, busy %v; want %d, %d, %d, %v, false",
			words, slots, half, learn, s.busy, len(x.around.Words), m.Slots, s.half, s.learn)
	}
	for i, base := range m.Bases() {
		if x.bases[i] != base {
			return fmt.Errorf("slot %d of the engines has base %#x, want %#x", i, x.bases[i], base)
		}
	}
	x.swept = true
	s.busy, s.at, s.rows = true, 0, (words+x.p.Engines-1)/x.p.Engines
	copy(x.found[half], x.around.Results)
	for i := words; i < s.rows*x.p.Engines; i++ {
		x.found[half][i] = lookup.Result{Hit: x.Rand.IntN(2) == 0}
	}
	return nil
}

// readRow reads a row of words, one per engine.
func (x *dispatching) readRow() {
	s := &x.sweep
	for _, e := range x.edram {
		e.Enable.Poke(1)
		e.Row.Poke(uint64(s.half)<<(x.k.AddressBits()-1) | uint64(s.at))
	}
	at := s.at * x.p.Engines
	s.expect = x.around.Words[at:min(len(x.around.Words), at+x.p.Engines)]
}

// checkWords compares the words that the engines read last in a sweep. They must remain stable.
func (x *dispatching) checkWords() error {
	if !x.sweep.busy {
		x.sweep.expect = nil
	}
	for _, e := range x.edram {
		e.Enable.Poke(0)
	}
	for i, want := range x.sweep.expect {
		if got := uint32(x.edramData[i].Peek()); got != want {
			return fmt.Errorf("engine %d reads %#x, want %#x", i, got, want)
		}
	}
	return nil
}

// execute runs a command and compares its effects. The effects of a command that does not wait for
// its requests are compared after the next command that waits.
func (x *dispatching) execute(c arch.Command, s dispatch.Environment) error {
	x.finished += x.done
	x.around, x.base, x.loads, x.done, x.swept = s, c.Operand1, nil, 0, false
	x.sweep.learn, x.sweep.half = c.Opcode == arch.Learn, int(c.Flags&1)
	x.failWith = s.Error
	listed := x.model.Listed
	e := x.model.Execute(c, s)
	if e.Status == arch.StatusOK && c.Opcode == arch.Learn && listed {
		x.stretch ^= 1
	}
	e.Rows, e.Ops = append(x.want.Rows, e.Rows...), append(x.want.Ops, e.Ops...)
	x.want = e
	x.command.Send(0, bench.Item{uint64(c.Flags), uint64(c.Opcode), c.Operand3, c.Operand2, c.Operand1})
	for n := 0; x.done == 0; n++ {
		if limit := 10*(len(e.Rows)+len(e.Ops)+len(s.Words)+x.p.Blocks) + 500; n > limit {
			return fmt.Errorf("%+v: not done after %d cycles", c, limit)
		}
		if err := x.cycle(); err != nil {
			return fmt.Errorf("%+v: %w", c, err)
		}
	}
	if x.busy || x.command.Sent() != x.finished+1 {
		return errors.New("done without a command")
	}
	if got := int(x.tb.RowsAhead.Peek()); got != x.model.RowsAhead {
		return fmt.Errorf("%+v: %d rows are ahead, want %d", c, got, x.model.RowsAhead)
	}
	if got := x.tb.Stretch.Peek(); got != x.stretch {
		return fmt.Errorf("%+v: stretch %d, want %d", c, got, x.stretch)
	}
	if !waits(c.Opcode) || e.Status >= arch.StatusOpcode && e.Status != arch.StatusNoTable {
		return nil
	}
	if err := x.compare(); err != nil {
		return fmt.Errorf("%+v: %w", c, err)
	}
	return nil
}

// waits reports whether a command ends only when all its requests have left.
func waits(o arch.Opcode) bool {
	return o != arch.DMARead && o != arch.GPURead && o != arch.SWrite
}

func (x *dispatching) compare() error {
	err := errors.Join(
		dispatchtest.Compare("loads", x.loads, x.want.Loads, dispatchtest.Equal),
		dispatchtest.Compare("reads", x.rows, x.want.Rows, dispatchtest.Equal),
		dispatchtest.Compare("operations", x.ops, x.want.Ops, dispatchtest.EqualOps),
		dispatchtest.CompareWrites(x.writer.Writes, x.want.Writes))
	x.rows, x.ops, x.writer.Writes, x.want = nil, nil, nil, dispatch.Effect{}
	return err
}
