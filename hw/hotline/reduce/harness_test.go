package reduce

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// tiny returns sizes with a buffer of eight beats.
func tiny() arch.Params {
	p := arch.Small()
	p.VectorValues = 32
	return p
}

// sized returns the reducer of an accelerator.
func sized(p arch.Params) Reduce { return Reduce{p.Stream(), p.VectorValues} }

// harness runs a Reduce and its Model in parallel.
type harness struct {
	*bench.Bench
	p         arch.Params
	model     *Model
	op, row   *bench.Source
	pkt, data *bench.Sink
	io        Ports
	muting    bool
	muteRate  float64 // probability that mute changes in a cycle between rounds
	round     bool    // a round is in progress
	late      bool    // the reducer has reported that it waits for a row of which no beat has arrived
	offered   offered // in the previous cycle

	values  int         // values per row
	waiting []Operation // sent, but not yet accepted
	rows    []rowData   // rows of the waiting operations
	headers []Vector    // expected packets
	beats   []bench.Item
	failed  arch.DMAError // error of the first failed row since clear
}

type rowData struct {
	values []uint32
	code   arch.DMAError // error of the row
}

func newHarness(d *ir.Design, p arch.Params, seed uint64) (*harness, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	return &harness{Bench: b, p: p, model: NewModel(p.VectorValues),
		io: sim.Bind[Ports](b.Sim, sized(p)),
		op: bench.PushOf[Op](b, "op", p), row: bench.PushOf[dma.RowBeat](b, "row", p),
		pkt: bench.PopOf[dma.Packet](b, "pkt", p), data: bench.PopOf[dma.DataBeat](b, "data", p)}, nil
}

// setRow sets the length of rows to 1<<log2 bytes.
func (r *harness) setRow(log2 int) {
	r.values = 1 << log2 / 4
	r.io.RowLog2.Poke(uint64(log2))
}

// beatWords returns the words of beat k of a vector.
func (r *harness) beatWords(values []uint32, k int) bench.Item {
	lanes := r.p.ALUs
	it := make(bench.Item, r.p.StreamBits/64)
	for i, x := range values[k*lanes : (k+1)*lanes] {
		it[i/2] |= uint64(x) << (32 * (i % 2))
	}
	return it
}

// send queues an op and its row, if it has one.
func (r *harness) send(op Operation, row rowData) {
	r.waiting = append(r.waiting, op)
	r.op.Send(0, bench.Item{uint64(op.Kind), bench.Bit(op.Load), bench.Bit(op.Write), bench.Bit(op.Next), uint64(math.Float32bits(op.Scalar)), op.Addr})
	if op.Kind == Keep {
		return
	}
	r.rows = append(r.rows, row)
	beats := len(row.values) / r.p.ALUs
	for k := range beats {
		r.row.Send(0, append(bench.Item{uint64(row.code), bench.Bit(k == beats-1)}, r.beatWords(row.values, k)...))
	}
}

// expect adds an expected vector.
func (r *harness) expect(v Vector) {
	r.headers = append(r.headers, v)
	n := r.p.StreamBytes()
	beats := len(v.Values) / r.p.ALUs
	for k := range beats {
		r.beats = append(r.beats, append(bench.Item{bench.Bit(k == beats-1), ^uint64(0) >> (64 - n)}, r.beatWords(v.Values, k)...))
	}
}

// cycle runs one clock cycle and compares the outputs.
func (r *harness) cycle() error {
	if !r.round && r.Rand.Float64() < r.muteRate {
		r.muting = !r.muting
		r.io.Mute.Poke(bench.Bit(r.muting))
	}
	before := r.op.Sent()
	if err := r.Cycle(r.look); err != nil {
		return err
	}
	if r.op.Sent() > before {
		r.take()
	}
	return nil
}

// take updates the model after the reducer has accepted an op.
func (r *harness) take() {
	op, row := r.waiting[0], rowData{}
	r.waiting = r.waiting[1:]
	if op.Kind != Keep {
		row, r.rows = r.rows[0], r.rows[1:]
	}
	if r.failed == 0 {
		r.failed = row.code
	}
	if v, sent := r.model.Do(op, r.values, row.values, r.muting || r.failed != 0); sent {
		r.expect(v)
	}
	r.round = op.Next
}

// offered describes the inputs of the reducer in a cycle.
type offered struct {
	op, row        bool // valid
	kind           Kind
	writes, awaits bool // the op writes a vector; it waits for a row that has not arrived
}

// wait checks that the reducer reports once, a cycle later, that it began to wait for a row.
func (r *harness) wait() error {
	op, row := r.io.Op, r.io.Row
	was, late := r.offered, r.io.Late.Peek() != 0
	r.offered = offered{op.Valid.Peek() != 0, row.Valid.Peek() != 0, op.Data.Kind.Peek(), op.Data.Write.Peek() != 0, row.Ready.Peek() != 0 && row.Valid.Peek() == 0}
	if late && (r.late || !was.op || was.row || was.kind == Keep) {
		return errors.New("no operation began to wait for its row")
	}
	r.late = r.late || late
	if was.awaits && !r.late || late && !was.awaits && !was.writes {
		return fmt.Errorf("an operation waits for its row: %v; late: %v", was.awaits, r.late)
	}
	if was.row {
		r.late = false
	}
	return nil
}

// look compares the outputs.
func (r *harness) look() error {
	if err := r.wait(); err != nil {
		return err
	}
	for _, it := range r.pkt.Got[0] {
		if len(r.headers) == 0 {
			return fmt.Errorf("packet %x, but nothing is written", it)
		}
		v := r.headers[0]
		if want := (bench.Item{v.Addr, uint64(4 * len(v.Values))}); !slices.Equal(it, want) {
			return fmt.Errorf("packet %x, want %x", it, want)
		}
		r.headers = r.headers[1:]
	}
	for _, it := range r.data.Got[0] {
		if len(r.beats) == 0 || !slices.Equal(it, r.beats[0]) {
			return fmt.Errorf("data %x, want the first of %x", it, r.beats)
		}
		r.beats = r.beats[1:]
	}
	r.pkt.Got[0], r.data.Got[0] = nil, nil
	if r.io.Idle.Peek() != 0 && len(r.headers)+len(r.beats) > 0 {
		return fmt.Errorf("idle with %d packets and %d beats to come", len(r.headers), len(r.beats))
	}
	return nil
}

// run cycles until the reducer is idle.
func (r *harness) run(limit int) error {
	for n := 0; n < limit && (len(r.waiting) > 0 || r.io.Idle.Peek() == 0); n++ {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if err := r.Run(2, r.look); err != nil {
		return err
	}
	switch {
	case len(r.waiting)+len(r.headers)+len(r.beats) > 0 || r.io.Idle.Peek() == 0:
		return fmt.Errorf("not done after %d cycles: %d ops, %d packets, %d beats wait", limit, len(r.waiting), len(r.headers), len(r.beats))
	case r.io.Error.Peek() != r.failed:
		return fmt.Errorf("error is %d, want %d", r.io.Error.Peek(), r.failed)
	}
	r.failed = 0
	r.io.Clear.Poke(1)
	if err := r.Cycle(); err != nil {
		return err
	}
	r.io.Clear.Poke(0)
	if r.io.Error.Peek() != 0 {
		return errors.New("an error is not cleared")
	}
	return r.quiet()
}

// quiet checks that no register changes once the ALUs are empty.
func (r *harness) quiet() error {
	for range Latency + 1 {
		if err := r.Sim.Step(); err != nil {
			return err
		}
	}
	if !r.Sim.Quiet() {
		return errors.New("registers change though nothing arrives")
	}
	return nil
}

// randomGroup queues rounds of random ops for a group of vectors, and sometimes a Keep of the first
// vector.
func (r *harness) randomGroup() {
	vectors := 1 + r.Rand.IntN(r.p.VectorValues/r.values)
	for range 1 + r.Rand.IntN(3) {
		write := r.Rand.IntN(2) == 0
		for v := range vectors {
			r.randomOp(Operation{Kind: Kind(r.Rand.IntN(2)), Write: write, Next: v < vectors-1})
		}
	}
	if r.Rand.IntN(2) == 0 {
		r.randomOp(Operation{Kind: Keep, Write: r.Rand.IntN(4) > 0})
	}
}

// randomOp queues an op with random operands.
func (r *harness) randomOp(op Operation) {
	op.Load, op.Scalar, op.Addr = r.Rand.IntN(2) == 0, math.Float32frombits(value(r.Rand)), r.Rand.Uint64()
	r.send(op, r.randomRow(arch.DMAError(max(0, r.Rand.IntN(300)-284))))
}

func (r *harness) randomRow(code arch.DMAError) rowData {
	row := rowData{values: make([]uint32, r.values), code: code}
	for i := range row.values {
		row.values[i] = value(r.Rand)
	}
	return row
}

// value returns a random binary32 value, including special values.
func value(r *rand.Rand) uint32 {
	specials := []uint32{0, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0x3f800000}
	switch r.IntN(8) {
	case 0:
		return specials[r.IntN(len(specials))]
	case 1:
		return r.Uint32()
	case 2: // around the subnormals
		return r.Uint32() & 0x80ffffff
	default: // operands whose sums cancel and carry
		return r.Uint32()&0x80ffffff | 0x3f000000
	}
}

// randomOps loads the whole buffer, then drives a Reduce with random ops on rows of all sizes.
func randomOps(d *ir.Design, p arch.Params, seed uint64, ops int) error {
	r, err := newHarness(d, p, seed)
	if err != nil {
		return err
	}
	r.setRow(arch.Log2(4 * p.VectorValues))
	r.send(Operation{Kind: Add, Load: true}, rowData{values: make([]uint32, p.VectorValues)})
	if err := r.run(1000); err != nil {
		return err
	}
	for phase, rates := range [][4]float64{{1, 1, 1, 1}, {0.7, 0.7, 0.7, 0.7}, {1, 1, 1, 0.2}, {1, 0.4, 0.2, 1}} {
		r.muteRate = []float64{0, 0.05}[phase%2]
		r.op.Rate, r.row.Rate, r.pkt.Rate, r.data.Rate = rates[0], rates[1], rates[2], rates[3]
		for log2 := arch.Log2(p.StreamBytes()); log2 <= arch.Log2(4*p.VectorValues); log2++ {
			r.setRow(log2)
			for len(r.waiting) < ops {
				r.randomGroup()
			}
			if err := r.run(len(r.waiting) * 100 * (1 + r.values/p.ALUs)); err != nil {
				return fmt.Errorf("rows of %d bytes: %w", 1<<log2, err)
			}
		}
	}
	return nil
}
