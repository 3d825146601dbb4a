package reduce

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Reduce is the reducer.
type Reduce struct{ arch.Params }

// Ports are the ports of Reduce.
type Ports struct {
	Op  hw.Stream[hw.Bits] // of Op
	Row hw.Stream[hw.Bits] // of dma.RowBeat, from dma.Read

	// RowLog2 is log2 of the row bytes, from one beat to the whole buffer; it
	// changes only while Idle.
	RowLog2 hw.Bits
	// Mute makes the Write ops taken meanwhile do nothing: no packet leaves,
	// and the vector stays. So does an Error.
	Mute hw.Bits

	Pkt  hw.Stream[hw.Bits] // of dma.Packet, to dma.Write
	Data hw.Stream[hw.Bits] // of dma.DataBeat, to dma.Write

	Error hw.Bits // code of the first row with an error that was taken since Clear
	Clear hw.Bits
	Idle  hw.Bits // no op waits, and all that was written has left
}

// ModuleName is the name of the reducer.
func (Reduce) ModuleName() string { return "reduce" }

const rowLog2Bits = 4

// Build describes the reducer.
func (p Reduce) Build(m *hw.Module) Ports {
	m.Doc("Reducer: FP32 ALUs over the embedding vector buffer, a ring of vectors with a scoreboard.")
	io := Ports{
		Op:      m.Sink("op", OpBits),
		Row:     m.Sink("row", dma.RowBits(p.Params)),
		RowLog2: m.In("row_log2", rowLog2Bits),
		Mute:    m.In("mute", 1),
		Pkt:     m.Source("pkt", dma.PacketBits),
		Data:    m.Source("data", dma.DataBits(p.Params)),
		Error:   m.Out("error", dma.ErrorBits),
		Clear:   m.In("clear", 1),
		Idle:    m.Out("idle", 1),
	}
	r := newReducer(m, p.Params, io)
	r.muted = io.Mute.Or(r.failed.Any()).As("muted")
	op := UnpackOp(io.Op.Data)
	written := r.write(op)
	taken := r.take(op, written)
	r.advance(taken, written)
	r.compute(op, taken)
	r.send()
	return io
}

// reducer is the reducer being described.
//
// Positions count beats around the buffer, with one bit more than an address:
// from drain to base lie the vectors that wait to be sent; at is the beat of
// the vector at base that the next row beat belongs to.
type reducer struct {
	m    *hw.Module
	p    arch.Params
	io   Ports
	row  dma.RowBeat
	ring int // bits of an address in the buffer

	failed          hw.Bits         // code of the first row that failed
	muted           hw.Bits         // Write ops do nothing
	buffer          hw.Mem[hw.Bits] // of beats
	busy            hw.Bits         // bit b: a result for beat b is under way
	base, at, drain hw.Bits
	step            hw.Bits // beats of a row
}

func newReducer(m *hw.Module, p arch.Params, io Ports) *reducer {
	beats := p.VectorValues * 32 / p.StreamBits
	ring := arch.Log2(beats)
	first := hw.K(arch.Log2(p.StreamBytes()))
	return &reducer{
		m: m, p: p, io: io, row: dma.UnpackRow(io.Row.Data), ring: ring,
		failed: m.Reg("first_error", dma.ErrorBits, 0),
		buffer: m.Mem("buffer", beats, p.StreamBits),
		busy:   m.Reg("busy", beats, 0),
		base:   m.Reg("base", ring+1, 0),
		at:     m.Reg("at", ring+1, 0),
		drain:  m.Reg("drain", ring+1, 0),
		step:   hw.Lit(ring+1, 1).Shl(io.RowLog2.Sub(first)).As("step"),
	}
}

// place is the address of a position.
func (r *reducer) place(position hw.Bits) hw.Bits { return position.Trunc(r.ring) }

func (r *reducer) isBusy(position hw.Bits) hw.Bits {
	return r.busy.Shr(r.place(position)).Bit(0)
}

// isFree tells whether a position from base on is none that waits to be sent:
// it lies less than a turn ahead of drain.
func (r *reducer) isFree(position hw.Bits) hw.Bits {
	return position.Sub(r.drain).Bit(r.ring).Not()
}

// write takes Write ops: the packet leaves at once, its data as it becomes
// ready. It returns that the vector at base is handed over.
func (r *reducer) write(op Op) (written hw.Bits) {
	pkt := hw.Inst(r.m, "packet", skid.Stage[hw.Bits]{Of: hw.Width(dma.PacketBits)})
	last := r.base.Add(r.step).Dec()
	wanted := r.io.Op.Valid.And(op.is(Write)).And(r.muted.Not()).And(r.isFree(last)).As("write_wanted")
	written = wanted.And(pkt.Push.Ready).As("written")

	pkt.Push.Valid.Set(wanted)
	pkt.Push.Data.Set(dma.Packet{Addr: op.Addr, Len: hw.Lit(dma.LenBits, 1).Shl(r.io.RowLog2)}.Pack())
	r.io.Pkt.Connect(pkt.Pop)
	return written
}

// take consumes row beats for the op at hand, which ends with its row, and
// answers all ops. It returns that a beat is taken.
func (r *reducer) take(op Op, written hw.Bits) (taken hw.Bits) {
	io, row := r.io, r.row
	isWrite := op.is(Write)
	wanted := io.Op.Valid.And(isWrite.Not()).And(r.isFree(r.at)).And(r.isBusy(r.at).Not()).As("row_wanted")
	taken = wanted.And(io.Row.Valid).As("taken")
	io.Row.Ready.Set(wanted)
	io.Op.Ready.Set(hw.Mux(isWrite, r.muted.Or(written), taken.And(row.Last)))

	r.m.When(io.Clear, func() { r.failed.Set(hw.K(0)) }).
		ElseWhen(taken.And(r.failed.IsZero()), func() { r.failed.Set(row.Error) })
	io.Error.Set(r.failed)
	return taken
}

// advance moves the positions of the vector at hand.
func (r *reducer) advance(taken, written hw.Bits) {
	r.m.When(written, func() {
		r.base.Set(r.base.Add(r.step))
		r.at.Set(r.base.Add(r.step))
	}).ElseWhen(taken, func() {
		r.at.Set(hw.Mux(r.row.Last, r.base, r.at.Inc()))
	})
}

// compute sends beats through the ALUs, or around them to load, and writes the
// results back. A beat is busy meanwhile.
func (r *reducer) compute(op Op, taken hw.Bits) {
	m := r.m
	place := r.place(r.at)
	isMul := op.is(Mul).As("is_mul")
	q := newPipe(m, taken, Latency, isMul, op.Load.And(isMul.Not()), place, r.row.Data)
	product, load, to, loaded := q.out[0], q.out[1], q.out[2], q.out[3]

	values, inputs := r.buffer.Read(place).As("current").Unpack(32), r.row.Data.Unpack(32)
	y := m.WireVec("y", r.p.ALUs, 32)
	m.For("lane", r.p.ALUs, func(i hw.Index) {
		u := hw.Inst(m, "alu", alu{})
		u.Valid.Set(taken)
		u.Value.Set(values.At(i))
		u.Row.Set(inputs.At(i))
		u.Scalar.Set(op.Scalar)
		u.Product.Set(product)
		y.At(i).Set(u.Y)
	})
	m.When(q.valid, func() { r.buffer.Write(to, hw.Mux(load, loaded, y.Pack())) })

	none := hw.Zeros(r.busy.Width())
	begins := hw.Mux(taken, place.Decode(r.busy.Width()), none).As("begins")
	ends := hw.Mux(q.valid, to.Decode(r.busy.Width()), none).As("ends")
	r.busy.Set(r.busy.Or(begins).And(ends.Not()))
}

// send reads the vectors that wait, beat by beat as they become ready.
func (r *reducer) send() {
	m, io := r.m, r.io
	out := hw.Inst(m, "out", skid.Stage[hw.Bits]{Of: hw.Width(dma.DataBits(r.p))})
	beat := m.Reg("sent_beats", r.ring+1, 0)
	count := beat.Inc()
	last := count.Eq(r.step).As("send_last")
	waits := r.drain.Ne(r.base).And(r.isBusy(r.drain).Not()).As("send_wanted")

	out.Push.Valid.Set(waits)
	keep := hw.Ones(r.p.StreamBytes())
	out.Push.Data.Set(dma.DataBeat{Last: last, Keep: keep, Data: r.buffer.Read(r.place(r.drain))}.Pack())
	io.Data.Connect(out.Pop)
	m.When(waits.And(out.Push.Ready), func() {
		r.drain.Set(r.drain.Inc())
		beat.Set(hw.Mux(last, hw.K(0), count))
	})

	waiting := io.Op.Valid.Or(r.drain.Ne(r.base))
	io.Idle.Set(waiting.Or(io.Pkt.Valid).Or(io.Data.Valid).Not())
}
