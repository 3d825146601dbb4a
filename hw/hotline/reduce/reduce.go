package reduce

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/fp32"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Reduce is the reducer. Its buffer holds VectorValues FP32 values.
type Reduce struct {
	arch.Stream
	VectorValues int `doc:"FP32 values of the embedding vector buffer"`
}

// Ports are the ports of Reduce.
type Ports struct {
	Op  hw.Stream[Op]          `hw:"in" doc:"operations on rows"`
	Row hw.Stream[dma.RowBeat] `hw:"in" doc:"from dma_read"`

	// RowLog2 is log2 of the bytes of a row, from one beat to the whole buffer. It may change only
	// while Idle is 1.
	RowLog2 hw.Bits `hw:"in,4" doc:"log2 of the bytes of a row; changes only while idle"`
	// Mute suppresses writes: the vector of an op that writes remains in the buffer. An Error, also
	// in the op's own row, has the same effect. Mute must not change within a round of a group.
	Mute hw.Bits `hw:"in" doc:"no vector is sent"`

	Pkt  hw.Stream[dma.Packet]   `hw:"out" doc:"to dma_write"`
	Data hw.Stream[dma.DataBeat] `hw:"out" doc:"to dma_write"`

	Error hw.Enum[arch.DMAError] `hw:"out" doc:"of the first failed row since clear"`
	Clear hw.Bits                `hw:"in" doc:"clears error"`
	Late  hw.Bits                `hw:"out" doc:"pulse: an op waits for its row"`
	Idle  hw.Bits                `hw:"out" doc:"no work is left"`
}

// PlaceBits returns the width of a beat's address in the buffer.
func (p Reduce) PlaceBits() int { return embeddingVectorBuffer(p).PlaceBits() }

// Build describes the reducer.
func (p Reduce) Build(m *hw.Module) Ports {
	m.Doc("Reducer: FP32 ALUs over the embedding vector buffer, a ring of vectors with a scoreboard.")
	io := hw.Ports[Ports](m)
	r := newReducer(m, p, io)
	e := r.execute()
	r.advance(e)
	r.compute(e.taken)
	r.send()
	return io
}

// reducer describes the reducer.
//
// Positions count beats around the buffer, with one bit more than an address. The vectors from
// drain to base wait to be sent. The ops work on the vectors from base on. at is the position of
// the next row beat.
type reducer struct {
	m  *hw.Module
	p  Reduce
	io Ports

	failed          hw.Enum[arch.DMAError] // error of the first row that failed
	buffer          bufferPorts
	base, at, drain hw.Bits
	step            hw.Bits // beats of a row
	behind          hw.Bits // position after the vector at base
}

func newReducer(m *hw.Module, p Reduce, io Ports) *reducer {
	ring, first := p.PlaceBits(), hw.Named("least_row_log2", arch.Log2(p.StreamBytes()))
	r := &reducer{
		m: m, p: p, io: io,
		failed: hw.Reg[hw.Enum[arch.DMAError]](m, "first_error"),
		buffer: hw.Inst(m, "buffer", embeddingVectorBuffer(p)),
		base:   m.Reg("base", ring+1, 0),
		at:     m.Reg("at", ring+1, 0),
		drain:  m.Reg("drain", ring+1, 0),
		step:   hw.Lit(ring+1, 1).Shl(io.RowLog2.Sub(first)).As("step"),
	}
	r.behind = r.base.Add(r.step).As("behind")
	return r
}

// place returns the address of a position.
func (r *reducer) place(position hw.Bits) hw.Bits { return position.Trunc(r.p.PlaceBits()) }

// isFree reports whether a position from base on is not occupied by a vector that waits to be sent:
// it is less than a whole ring ahead of drain.
func (r *reducer) isFree(position hw.Bits) hw.Bits {
	return position.Sub(r.drain).Bit(r.p.PlaceBits()).Not()
}

// event describes the progress of the current op in a cycle.
type event struct {
	taken   hw.Bits // a beat of its row is accepted
	done    hw.Bits // it ends
	written hw.Bits // its vector is handed over; only if done
}

// execute accepts row beats for the current op. An op ends with its row, or immediately if it has
// none. The packet of a vector is sent at the end of the op, its data as they become ready.
func (r *reducer) execute() event {
	m, io, op, row := r.m, r.io, r.io.Op.Data, r.io.Row.Data
	pkt := hw.Inst(m, "packet", skid.Stage[dma.Packet]{Of: hw.Of[dma.Packet](r.p)})
	keeps := op.Kind.Is(Keep).As("keeps")
	last := r.behind.Dec().As("last_beat")
	open := io.Op.Valid.And(hw.Mux(keeps, r.isFree(last), r.isFree(r.at))).As("open")
	wanted := open.And(keeps.Not()).And(r.buffer.Operand.Busy.Not()).As("row_wanted")
	ends := hw.Mux(keeps, open, wanted.And(io.Row.Valid).And(row.Last)).As("ends")
	bad := r.failed.Is(arch.DMAOK).And(keeps.Or(row.Error.Is(arch.DMAOK))).Not()
	pkt.Push.Valid.Set(ends.And(op.Write).And(io.Mute.Or(bad).Not()))
	written := pkt.Push.Fire().As("written")
	m.Assert(written.Not().Or(r.at.Eq(hw.Mux(keeps, r.base, last))), "the first vector that is not sent is written")

	room := op.Write.And(keeps.Or(row.Last)).Not().Or(pkt.Push.Ready).As("room_to_write")
	done := ends.And(room).As("done")
	io.Op.Ready.Set(done)
	io.Row.Ready.Set(wanted.And(room))
	taken := io.Row.Fire().As("taken")
	r.late(wanted.And(io.Row.Valid.Not()))
	hw.Set(pkt.Push.Data, dma.Packet{Addr: op.Addr, Len: hw.Lit(dma.LenBits, 1).Shl(io.RowLog2)})
	io.Pkt.Connect(pkt.Pop)
	m.When(io.Clear, func() { r.failed.Put(arch.DMAOK) }).
		ElseWhen(taken.And(r.failed.Is(arch.DMAOK)), func() { r.failed.Set(row.Error) })
	io.Error.Set(r.failed)
	return event{taken, done, written}
}

// late reports, a cycle later, that an op began to wait. The delay is harmless, because the counter
// is far away.
func (r *reducer) late(waits hw.Bits) {
	waited, before := r.m.Reg("waits_for_row", 1, 0), r.m.Data("waited_for_row", 1)
	waited.Set(waits)
	before.Set(waited)
	r.io.Late.Set(waited.And(before.Not()))
}

// advance moves the positions.
func (r *reducer) advance(e event) {
	r.m.When(e.written, func() { r.base.Set(r.behind) })
	r.m.When(e.done.And(r.io.Op.Data.Next.Not()), func() { r.at.Set(hw.Mux(e.written, r.behind, r.base)) }).
		ElseWhen(e.taken, func() { r.at.Set(r.at.Inc()) })
}

// operands are the inputs of the ALUs.
type operands struct {
	Value   hw.Bits `hw:"StreamBits" doc:"of the vector"`
	Scalar  hw.Bits `hw:"32"`
	Passing passing `hw:"inline"`
}

// passing holds the fields of a row beat that travel in parallel with the ALUs.
type passing struct {
	Product, Load hw.Bits
	To            hw.Bits `hw:"PlaceBits"`
	Row           hw.Bits `hw:"StreamBits"`
}

// Latency is the number of cycles from a row beat to its result: one for the operand registers, the
// others for the ALUs.
const Latency = 1 + fp32.Latency

// compute passes beats through the ALUs, or around them for a load, and writes back the results.
func (r *reducer) compute(taken hw.Bits) {
	m, op := r.m, r.io.Op.Data
	place, isMul := r.place(r.at), op.Kind.Is(Mul).As("is_mul")
	r.buffer.Operand.Place.Set(place)
	r.buffer.Take.Set(taken)
	in := dma.Event[operands]{Valid: taken, Data: operands{Value: r.buffer.Operand.Beat, Scalar: op.Scalar,
		Passing: passing{Product: isMul, Load: op.Load.And(isMul.Not()), To: place, Row: r.io.Row.Data.Data}}}.Registered(m, "operands")
	out := dma.Event[passing]{Valid: in.Valid, Data: in.Data.Passing}
	for k := range fp32.Latency {
		out = out.Registered(m, fmt.Sprintf("s%d", k+1))
	}

	values, inputs := in.Data.Value.Unpack(32), in.Data.Passing.Row.Unpack(32)
	y := m.WireVec("y", values.Len(), 32)
	m.For("lane", values.Len(), func(i hw.Index) {
		u := hw.Inst(m, "alu", alu{})
		u.Valid.Set(in.Valid)
		u.Value.Set(values.At(i))
		u.Row.Set(inputs.At(i))
		u.Scalar.Set(in.Data.Scalar)
		u.Product.Set(out.Data.Product)
		y.At(i).Set(u.Y)
	})
	q := out.Data
	hw.Set(r.buffer.Result, dma.Event[result]{Valid: out.Valid, Data: result{q.To, hw.Mux(q.Load, q.Row, y.Pack())}})
}

// send sends the waiting vectors, beat by beat as they become ready.
func (r *reducer) send() {
	m, io := r.m, r.io
	out := hw.Inst(m, "out", skid.Stage[dma.DataBeat]{Of: hw.Of[dma.DataBeat](r.p)})
	r.buffer.Send.Place.Set(r.place(r.drain))
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
