package reduce

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Reduce is the reducer, of vectors of VectorValues FP32 values.
type Reduce struct {
	arch.Stream
	VectorValues int
}

// Ports are the ports of Reduce.
type Ports struct {
	Op  hw.Stream[Op]          `hw:"in"`
	Row hw.Stream[dma.RowBeat] `hw:"in" doc:"from dma.Read"`

	// RowLog2 is log2 of the row bytes, from one beat to the whole buffer; it
	// changes only while Idle.
	RowLog2 hw.Bits `hw:"in,4" doc:"log2 of the bytes of a row; changes only while idle"`
	// Mute makes the Write ops taken meanwhile do nothing: no packet leaves,
	// and the vector stays. So does an Error.
	Mute hw.Bits `hw:"in" doc:"write ops do nothing"`

	Pkt  hw.Stream[dma.Packet]   `hw:"out" doc:"to dma.Write"`
	Data hw.Stream[dma.DataBeat] `hw:"out" doc:"to dma.Write"`

	Error hw.Enum[arch.DMAError] `hw:"out" doc:"of the first row with one that was taken since Clear"`
	Clear hw.Bits                `hw:"in"`
	Idle  hw.Bits                `hw:"out" doc:"no op waits, and all that was written has left"`
}

// PlaceBits is the width of a beat's address in the buffer.
func (p Reduce) PlaceBits() int { return embeddingVectorBuffer(p).PlaceBits() }

// ModuleName is the name of the reducer.
func (p Reduce) ModuleName() string {
	return fmt.Sprintf("reduce_s%d_v%d", p.StreamBits, p.VectorValues)
}

// Build describes the reducer.
func (p Reduce) Build(m *hw.Module) Ports {
	m.Doc("Reducer: FP32 ALUs over the embedding vector buffer, a ring of vectors with a scoreboard.")
	io := hw.Ports[Ports](m)
	r := newReducer(m, p, io)
	r.muted = io.Mute.Or(r.failed.Is(arch.DMAOK).Not()).As("muted")
	written := r.write()
	taken := r.take(written)
	r.advance(taken, written)
	r.compute(taken)
	r.send()
	return io
}

// reducer is the reducer being described.
//
// Positions count beats around the buffer, with one bit more than an address:
// from drain to base lie the vectors that wait to be sent; at is the beat of
// the vector at base that the next row beat belongs to.
type reducer struct {
	m  *hw.Module
	p  Reduce
	io Ports

	failed          hw.Enum[arch.DMAError] // of the first row that failed
	muted           hw.Bits                // Write ops do nothing
	buffer          bufferPorts
	base, at, drain hw.Bits
	step            hw.Bits // beats of a row
}

func newReducer(m *hw.Module, p Reduce, io Ports) *reducer {
	ring, first := p.PlaceBits(), hw.K(arch.Log2(p.StreamBytes()))
	return &reducer{
		m: m, p: p, io: io,
		failed: hw.Reg[hw.Enum[arch.DMAError]](m, "first_error"),
		buffer: hw.Inst(m, "buffer", embeddingVectorBuffer(p)),
		base:   m.Reg("base", ring+1, 0),
		at:     m.Reg("at", ring+1, 0),
		drain:  m.Reg("drain", ring+1, 0),
		step:   hw.Lit(ring+1, 1).Shl(io.RowLog2.Sub(first)).As("step"),
	}
}

// place is the address of a position.
func (r *reducer) place(position hw.Bits) hw.Bits { return position.Trunc(r.p.PlaceBits()) }

// isFree tells whether a position from base on is none that waits to be sent:
// it lies less than a turn ahead of drain.
func (r *reducer) isFree(position hw.Bits) hw.Bits {
	return position.Sub(r.drain).Bit(r.p.PlaceBits()).Not()
}

// write takes Write ops: the packet leaves at once, its data as it becomes
// ready. It returns that the vector at base is handed over.
func (r *reducer) write() (written hw.Bits) {
	op := r.io.Op
	pkt := hw.Inst(r.m, "packet", skid.Stage[dma.Packet]{Of: hw.Of[dma.Packet](r.p)})
	last := r.base.Add(r.step).Dec()
	wanted := op.Valid.And(op.Data.Kind.Is(Write)).And(r.muted.Not()).And(r.isFree(last)).As("write_wanted")
	written = wanted.And(pkt.Push.Ready).As("written")

	pkt.Push.Valid.Set(wanted)
	hw.Set(pkt.Push.Data, dma.Packet{Addr: op.Data.Addr, Len: hw.Lit(dma.LenBits, 1).Shl(r.io.RowLog2)})
	r.io.Pkt.Connect(pkt.Pop)
	return written
}

// take consumes row beats for the op at hand, which ends with its row, and
// answers all ops. It returns that a beat is taken.
func (r *reducer) take(written hw.Bits) (taken hw.Bits) {
	io, row := r.io, r.io.Row.Data
	isWrite := io.Op.Data.Kind.Is(Write)
	wanted := io.Op.Valid.And(isWrite.Not()).And(r.isFree(r.at)).And(r.buffer.Operand.Busy.Not()).As("row_wanted")
	taken = wanted.And(io.Row.Valid).As("taken")
	io.Row.Ready.Set(wanted)
	io.Op.Ready.Set(hw.Mux(isWrite, r.muted.Or(written), taken.And(row.Last)))

	r.m.When(io.Clear, func() { r.failed.Put(arch.DMAOK) }).
		ElseWhen(taken.And(r.failed.Is(arch.DMAOK)), func() { r.failed.Set(row.Error) })
	io.Error.Set(r.failed)
	return taken
}

// advance moves the positions of the vector at hand.
func (r *reducer) advance(taken, written hw.Bits) {
	r.m.When(written, func() {
		r.base.Set(r.base.Add(r.step))
		r.at.Set(r.base.Add(r.step))
	}).ElseWhen(taken, func() {
		r.at.Set(hw.Mux(r.io.Row.Data.Last, r.base, r.at.Inc()))
	})
}

// passing is what is kept of a row beat while it passes through the ALUs.
type passing struct {
	Product, Load hw.Bits
	To            hw.Bits `hw:"PlaceBits"`
	Row           hw.Bits `hw:"StreamBits"`
}

// compute sends beats through the ALUs, or around them to load, and writes the
// results back.
func (r *reducer) compute(taken hw.Bits) {
	m, op, row := r.m, r.io.Op.Data, r.io.Row.Data.Data
	place, isMul := r.place(r.at), op.Kind.Is(Mul).As("is_mul")
	valid, q := delayed(m, hw.Of[passing](r.p), taken, Latency,
		passing{Product: isMul, Load: op.Load.And(isMul.Not()), To: place, Row: row})

	values, inputs := r.buffer.Operand.Beat.Unpack(32), row.Unpack(32)
	y := m.WireVec("y", values.Len(), 32)
	m.For("lane", values.Len(), func(i hw.Index) {
		u := hw.Inst(m, "alu", alu{})
		u.Valid.Set(taken)
		u.Value.Set(values.At(i))
		u.Row.Set(inputs.At(i))
		u.Scalar.Set(op.Scalar)
		u.Product.Set(q.Product)
		y.At(i).Set(u.Y)
	})
	r.buffer.Operand.Place.Set(place)
	r.buffer.Send.Place.Set(r.place(r.drain))
	r.buffer.Take.Set(taken)
	hw.Set(r.buffer.Result, dma.Event[result]{Valid: valid, Data: result{q.To, hw.Mux(q.Load, q.Row, y.Pack())}})
}

// send reads the vectors that wait, beat by beat as they become ready.
func (r *reducer) send() {
	m, io := r.m, r.io
	out := hw.Inst(m, "out", skid.Stage[dma.DataBeat]{Of: hw.Of[dma.DataBeat](r.p)})
	beat := m.Reg("sent_beats", r.p.PlaceBits()+1, 0)
	count := beat.Inc()
	last := count.Eq(r.step).As("send_last")
	waits := r.drain.Ne(r.base).And(r.buffer.Send.Busy.Not()).As("send_wanted")

	out.Push.Valid.Set(waits)
	keep := hw.Ones(r.p.StreamBytes())
	hw.Set(out.Push.Data, dma.DataBeat{Last: last, Keep: keep, Data: r.buffer.Send.Beat})
	io.Data.Connect(out.Pop)
	m.When(waits.And(out.Push.Ready), func() {
		r.drain.Set(r.drain.Inc())
		beat.Set(hw.Mux(last, hw.K(0), count))
	})

	waiting := io.Op.Valid.Or(r.drain.Ne(r.base))
	io.Idle.Set(waiting.Or(io.Pkt.Valid).Or(io.Data.Valid).Not())
}
