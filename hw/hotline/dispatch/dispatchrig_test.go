package dispatch

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

// dispatching is a Dispatch, a Model, and in place of the other blocks what
// they show of themselves.
type dispatching struct {
	*bench.Bench
	p     arch.Params
	pin   pins
	model *Model

	command              *bench.Source
	loadReq, rowReq, opq *bench.Sink
	writer               *writer

	around Surroundings // of the command
	base   uint64       // of the words that it loads
	loads  []dma.ReadRequest
	beats  []dma.LoadBeat // to come
	sweep  sweeping
	swept  bool
	scan   [2][]uint64 // what the EAL shows in the next cycles
	bases  []uint32    // that the engines have, by slot
	held   []lookup.Result
	found  [2][]lookup.Result // results of both halves

	quietAt  [2]int        // cycle from which the reducer is idle, no write is pending
	failWith arch.DMAError // a read or write of the command fails, in some cycle
	failed   arch.DMAError
	busy     bool // a command has been taken
	done     int  // pulses in this command
	finished int  // pulses before

	rows []dma.ReadRequest
	ops  []reduce.Operation
	want Effect // since the last comparison
}

// sweeping is a run of the lookup engines.
type sweeping struct {
	busy, learn bool
	half        int
	rows, at    int
	expect      []uint32 // words on the eDRAM port, nil if none
}

func newDispatching(d *ir.Design, p arch.Params, seed uint64) (*dispatching, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	x := &dispatching{Bench: b, p: p, pin: pinsOf(b), model: NewModel(p), command: bench.PushOf[Command](b, "command", p),
		loadReq: bench.PopOf[dma.Request](b, "load_req", p), rowReq: bench.PopOf[dma.Request](b, "row_req", p), opq: bench.PopOf[reduce.Op](b, "op", p), writer: newWriter(b, p), bases: make([]uint32, p.Slots)}
	for i := range x.found {
		x.found[i] = make([]lookup.Result, 2*p.HalfWords())
	}
	x.pin.set("eal_ready", 1)
	return x, nil
}

// cycle runs one clock cycle with all that is around.
func (x *dispatching) cycle() error {
	now := int(x.Sim.Cycle())
	// No command ends before the error that it is to have.
	x.pin["write_pending"].SetBool(now < x.quietAt[1] || x.failWith != x.failed)
	x.load()
	x.fail()
	started := false
	err := x.Cycle(func() error {
		busy := x.pin["op_valid"].Bool() || now < x.quietAt[0]
		x.pin["reduce_idle"].SetBool(!busy)
		started = x.pin["lookup_start"].Bool()
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
	return x.writer.collect()
}

// fail lets a read or write fail, but of a load only if it shall, and shows it
// on one of the sides.
func (x *dispatching) fail() {
	loaded := len(x.around.Words) == 0 || x.swept || len(x.ops) > 0
	if x.failWith != 0 && x.Rand.IntN(20) == 0 && loaded {
		x.failed = x.failWith
	}
	for i, side := range []string{"load_error", "row_error", "write_error"} {
		code := uint64(0)
		if int(x.failWith)%3 == i {
			code = uint64(x.failed)
		}
		x.pin.set(side, code)
	}
}

// look notes what happens in this cycle.
func (x *dispatching) look() error {
	if want := x.pin.get("write_error") != 0; x.pin["mute"].Bool() != want {
		return fmt.Errorf("mute is %v, want %v", x.pin["mute"].Bool(), want)
	}
	if x.pin["command_ready"].Bool() == x.busy {
		return fmt.Errorf("ready is %v, busy with a command is %v", !x.busy, x.busy)
	}
	if x.pin["done"].Bool() {
		x.done++
		if err := x.outcome(); err != nil {
			return err
		}
	}
	if x.pin["clear_errors"].Bool() != x.pin["done"].Bool() {
		return errors.New("errors are cleared before they are told of, or not then")
	}
	if x.pin["done"].Bool() {
		x.failed, x.failWith = 0, 0
	}
	if x.pin["slot_write"].Bool() {
		x.bases[x.pin.get("slot_addr")] = uint32(x.pin.get("slot_base"))
	}
	x.scan[0], x.scan[1] = x.scan[1], nil
	if x.pin["hot_enable"].Bool() {
		x.scan[1] = setWords(x.p, x.around.EAL, int(x.pin.get("hot_bank")), int(x.pin.get("hot_row")))
	}
	if x.pin["result_enable"].Bool() {
		row := int(x.pin.get("result_row"))
		half := row >> (edramRowBits(x.p) - 1)
		at := (row - half<<(edramRowBits(x.p)-1)) * x.p.Engines
		x.held = x.found[half][at : at+x.p.Engines]
	}
	return nil
}

// outcome compares a completion.
func (x *dispatching) outcome() error {
	e := x.want
	got := Effect{Status: arch.Status(x.pin.get("status")), Values: [2]uint32{uint32(x.pin.get("value0")), uint32(x.pin.get("value1"))}}
	if got.Status != e.Status || got.Status == 0 && got.Values != e.Values {
		return fmt.Errorf("status %d, values %d, want %d, %d", got.Status, got.Values, e.Status, e.Values)
	}
	return nil
}

// collect takes what has left, and keeps reducer and writes busy for a while.
func (x *dispatching) collect() {
	busy := func(i int) { x.quietAt[i] = int(x.Sim.Cycle()) + 1 + x.Rand.IntN(6) }
	for _, it := range x.loadReq.Got[0] {
		q := requestOf(it)
		x.loads = append(x.loads, q)
		if !x.around.NoLoad {
			x.fetch(q)
		}
	}
	for _, it := range x.rowReq.Got[0] {
		x.rows = append(x.rows, requestOf(it))
	}
	for _, it := range x.opq.Got[0] {
		o := operationOf(it)
		x.ops = append(x.ops, o)
		busy(0)
		if o.Kind == reduce.Write {
			busy(1)
		}
	}
	if len(x.writer.packet.Got[0])+len(x.writer.data.Got[0]) > 0 {
		busy(1)
	}
	x.loadReq.Got[0], x.rowReq.Got[0], x.opq.Got[0] = nil, nil, nil
	if x.scan[0] != nil {
		x.pin["hot_data"].SetWords(x.scan[0])
	}
	if x.held != nil {
		words := make([]uint64, x.p.Engines)
		for i, r := range x.held {
			words[i] = truth(r.Hit)<<x.p.WayBits() | uint64(r.Way)
		}
		x.pin.elements("result", 1+x.p.WayBits(), words)
		x.held = nil
	}
}

// fetch queues the beats of a load; the words are where the address says.
func (x *dispatching) fetch(q dma.ReadRequest) {
	n := x.p.StreamBytes()
	for k := 0; k < q.Len; k += n {
		var f fields
		for w := range n / 4 {
			at, word := int(q.Addr-x.base)/4+k/4+w, x.Rand.Uint32()
			if at < len(x.around.Words) {
				word = x.around.Words[at]
			}
			f.put(32, uint64(word))
		}
		x.beats = append(x.beats, dma.LoadBeat{Dest: q.Dest + uint32(k/n), Data: f.words})
	}
}

// load brings a beat, in any order. The load port shows no load before the
// cycle after the request.
func (x *dispatching) load() {
	failing := x.around.NoLoad && len(x.loads) > 0 && x.failed == 0
	x.pin["loading"].SetBool(len(x.beats) > 0 || failing)
	if failing && x.Rand.IntN(4) == 0 {
		x.failed = x.failWith
	}
	bring := len(x.beats) > 0 && x.Rand.IntN(4) > 0
	x.pin["load_valid"].SetBool(bring)
	if !bring {
		return
	}
	i := x.Rand.IntN(len(x.beats))
	b := x.beats[i]
	x.beats[i] = x.beats[len(x.beats)-1]
	x.beats = x.beats[:len(x.beats)-1]
	x.pin.set("load_dest", uint64(b.Dest))
	x.pin["load_data"].SetWords(b.Data)
}

// engines read the words and complete the rows.
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
	x.pin["lookup_busy"].SetBool(s.busy)
	return x.showReady()
}

func (x *dispatching) showReady() error {
	row := int(x.pin.get("scan_row")) &^ (1 << (edramRowBits(x.p) - 1))
	x.pin["row_ready"].SetBool(!x.sweep.busy || row < x.sweep.at-1)
	return nil
}

// startSweep checks what the engines are told.
func (x *dispatching) startSweep() error {
	s, m := &x.sweep, x.model
	half, words := int(x.pin.get("lookup_half")), int(x.pin.get("lookup_words"))
	learn, slots := x.pin["lookup_learn"].Bool(), int(x.pin.get("lookup_slots"))
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

// readRow reads a row of words, each engine its own.
func (x *dispatching) readRow() {
	s := &x.sweep
	rows := make([]uint64, x.p.Engines)
	for i := range rows {
		rows[i] = uint64(s.half)<<(edramRowBits(x.p)-1) | uint64(s.at)
	}
	x.pin.elements("lookup_row", edramRowBits(x.p), rows)
	x.pin.set("lookup_enable", 1<<x.p.Engines-1)
	at := s.at * x.p.Engines
	s.expect = x.around.Words[at:min(len(x.around.Words), at+x.p.Engines)]
}

// checkWords compares the words that the engines asked for.
func (x *dispatching) checkWords() error {
	x.pin.set("lookup_enable", 0)
	for i, want := range x.sweep.expect {
		if got := uint32(x.pin.lane("edram_data", i, wordBits)); got != want {
			return fmt.Errorf("engine %d reads %#x, want %#x", i, got, want)
		}
	}
	x.sweep.expect = nil
	return nil
}

// execute runs a command and compares what it does. What a command without
// waiting requests is compared with the next that waits.
func (x *dispatching) execute(c arch.Command, s Surroundings) error {
	x.finished += x.done
	x.around, x.base, x.loads, x.done, x.swept = s, c.Operand1, nil, 0, false
	x.sweep.learn, x.sweep.half = c.Opcode == arch.Learn, int(c.Flags&1)
	x.failWith = s.Error
	e := x.model.Execute(c, s)
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
	if got := int(x.pin.get("rows_ahead")); got != x.model.RowsAhead {
		return fmt.Errorf("%+v: %d rows are ahead, want %d", c, got, x.model.RowsAhead)
	}
	if !waits(c.Opcode) || e.Status >= arch.StatusOpcode {
		return nil
	}
	if err := x.compare(); err != nil {
		return fmt.Errorf("%+v: %w", c, err)
	}
	return nil
}

// waits tells whether a command ends only when everything has left.
func waits(o arch.Opcode) bool {
	return o != arch.DMARead && o != arch.GPURead && o != arch.SWrite
}

func (x *dispatching) compare() error {
	err := errors.Join(
		compare("loads", x.loads, x.want.Loads, equal),
		compare("reads", x.rows, x.want.Rows, equal),
		compare("operations", x.ops, x.want.Ops, equalOps),
		compareWrites(x.writer.writes, x.want.Writes))
	x.rows, x.ops, x.writer.writes, x.want = nil, nil, nil, Effect{}
	return err
}
