package memory

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/address"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// Emitter sends what a lookup, or an entry of an update list, stands for, step
// by step:
//
//	gather   read the row; add it
//	         after the last lookup of a table: write the vector
//	update   read the gradient; multiply it
//	         read the row; add it
//	         write the row
//
// Hot rows come from the GPUs in turn; inputs, and gradients, belong to the
// GPUs in turn. A command begins with GPU 0.
type Emitter struct {
	sizes.TableNumbers
	sizes.GPUNumbers
	Blocks int // of the EAL
}

// BlockBits is the width of the number of a block of the EAL.
func (p Emitter) BlockBits() int { return arch.Log2(p.Blocks) }

// EmitterPorts are the ports of an Emitter, as those of a Controller.
type EmitterPorts struct {
	Start     hw.Bits                `hw:"in"`
	Update    hw.Bits                `hw:"in"`
	Registers address.Rows           `hw:"in,inline"`
	Place     hw.Stream[place]       `hw:"in"`
	Req       hw.Stream[dma.Request] `hw:"out"`
	Op        hw.Stream[reduce.Op]   `hw:"out"`
	Finished  hw.Bits                `hw:"out" doc:"the last step of a place is sent"`
	HotRow    hw.Bits                `hw:"out"`
	ColdRow   hw.Bits                `hw:"out"`
}

// emission is an Emitter being described.
type emission struct {
	m  *hw.Module
	p  Emitter
	io EmitterPorts

	update          hw.Bits
	valid           hw.Bits // there is a place at hand
	at              held
	row, inVector   hw.Bits // byte offset of the row in its table; of the table's vector among those of the input
	step            hw.Bits // number of the step
	source, target  hw.Bits // GPU of the next hot row; GPU of the input or gradient
	stride, offset  hw.Bits // bytes that an input, or gradient, takes; that the target has so far
	asked, operated hw.Bits // the request, the operation of this step has left
}

// Build describes the emitter.
func (p Emitter) Build(m *hw.Module) EmitterPorts {
	m.Doc("Emitter: reads, reducer operations and addresses for each row.")
	io := hw.Ports[EmitterPorts](m)
	e := &emission{m: m, p: p, io: io, at: hw.Data[held](m, "at_hand"), update: m.Data("updating", 1), valid: m.Reg("valid", 1, 0),
		row: m.Data("row_offset", 64), inVector: m.Data("vector_offset", 64), step: m.Reg("step", 2, 0),
		source: m.Data("hot_gpu", p.GPUBits()), target: m.Data("target_gpu", p.GPUBits()),
		stride: m.Data("stride", 64), offset: m.Data("target_offset", 64),
		asked: m.Reg("asked", 1, 0), operated: m.Reg("operated", 1, 0),
	}
	e.hold()
	s := e.steps()
	sent := e.send(s)
	finished := sent.And(s.more.Not()).As("last_sent")
	io.Place.Ready.Set(e.valid.Not().Or(finished))
	io.Finished.Set(finished)
	e.deal(finished, sent.And(s.ofItem))
	return io
}

// held is what is kept of the place at hand.
type held struct {
	End   hw.Bits
	First hw.Bits
	Last  hw.Bits
	Hit   hw.Bits
	Base  hw.Bits `hw:"64"`
}

// hold takes the next place.
func (e *emission) hold() {
	m, io := e.m, e.io
	in := io.Place.Data
	number := hw.Mux(in.Hit, in.Block.Ext(64), in.Index.Ext(64)).As("row_number")
	m.When(io.Place.Ready, func() { e.valid.Set(io.Place.Valid) })
	m.When(io.Place.Fire(), func() {
		hw.Set(e.at, held{End: in.End, First: in.First, Last: in.Last, Hit: in.Hit, Base: in.Base})
		e.row.Set(number.Shl(io.Registers.RowLog2))
		e.inVector.Set(in.Table.Ext(64).Shl(io.Registers.RowLog2))
	})
}

// stepOf is what is sent in a step: an operation, and unless it is a write a
// read.
type stepOf struct {
	reads, ofItem hw.Bits // ofItem: the row itself, not a gradient
	more          hw.Bits // the place has another step
	request       dma.Request
	op            reduce.Op
}

// steps tells what is sent in the present step.
func (e *emission) steps() stepOf {
	io, no := e.io, hw.Lit(1, 0)
	at := func(k int) hw.Bits { return e.step.Eq(hw.K(k)) }
	gradient := e.update.And(at(0)).As("is_gradient")
	write := hw.Mux(e.update, at(2), at(1)).As("is_write")
	reads := write.Not()

	base := hw.Mux(gradient, io.Registers.Grad.Index(e.target), hw.Mux(e.at.Hit, io.Registers.Hot.Index(e.source), e.at.Base))
	row := base.Add(hw.Mux(gradient, e.offset, e.row)).As("row_addr")
	vector := io.Registers.Pooled.Index(e.target).Add(e.offset).Add(e.inVector).As("vector_addr")
	length := hw.Lit(dma.LenBits, 1).Shl(io.Registers.RowLog2)
	op := func(k reduce.Kind) hw.Enum[reduce.Kind] { return hw.Value(e.m, k) }
	kind := hw.Mux(write, op(reduce.Write), hw.Mux(gradient, op(reduce.Mul), op(reduce.Add))).As("step_kind")
	return stepOf{
		reads: reads, ofItem: reads.And(gradient.Not()),
		more: hw.Mux(e.update, reads, reads.And(e.at.Last)).As("more_steps"),
		request: dma.Request{Peer: gradient.Or(e.at.Hit), Addr: row, Len: length,
			Kind: hw.Value(e.m, dma.Row), Dest: hw.K(0)},
		op: reduce.Op{Kind: kind, Load: hw.Mux(e.update, no, e.at.First), Scalar: io.Registers.Scale, Addr: hw.Mux(e.update, row, vector)},
	}
}

// send sends request and operation, whichever can leave; it gives that both
// have.
func (e *emission) send(s stepOf) (sent hw.Bits) {
	m, io := e.m, e.io
	io.Req.Valid.Set(e.valid.And(s.reads).And(e.asked.Not()))
	hw.Set(io.Req.Data, s.request)
	io.Op.Valid.Set(e.valid.And(e.operated.Not()))
	hw.Set(io.Op.Data, s.op)
	asked := s.reads.Not().Or(e.asked).Or(io.Req.Ready)
	operated := e.operated.Or(io.Op.Ready)
	sent = e.valid.And(asked).And(operated).As("sent")
	m.When(sent, func() {
		e.asked.Set(hw.K(0))
		e.operated.Set(hw.K(0))
		e.step.Set(hw.Mux(s.more, e.step.Inc(), hw.K(0)))
	}).Else(func() {
		m.When(io.Req.Fire(), func() { e.asked.Set(hw.K(1)) })
		m.When(io.Op.Fire(), func() { e.operated.Set(hw.K(1)) })
	})
	return sent
}

// deal gives rows and inputs to the GPUs in turn.
func (e *emission) deal(finished, row hw.Bits) {
	m, io := e.m, e.io
	onward := finished.And(e.at.End.Or(e.update)).As("to_next_target")
	m.When(io.Start, func() {
		e.update.Set(io.Update)
		e.source.Set(hw.K(0))
		e.target.Set(hw.K(0))
		e.offset.Set(hw.K(0))
		e.stride.Set(hw.Mux(io.Update, hw.Lit(64, 1), io.Registers.Tables.Ext(64)).Shl(io.Registers.RowLog2))
	}).Else(func() {
		m.When(row.And(e.at.Hit), func() { e.source.Set(next(e.source, io.Registers.GPUs)) })
		m.When(onward, func() {
			after := next(e.target, io.Registers.GPUs)
			e.target.Set(after)
			m.When(after.IsZero(), func() { e.offset.Set(e.offset.Add(e.stride)) })
		})
	})
	io.HotRow.Set(row.And(e.at.Hit))
	io.ColdRow.Set(row.And(e.at.Hit.Not()))
}

// next is x+1 modulo n.
func next(x, n hw.Bits) hw.Bits {
	return hw.Mux(x.Ext(n.Width()).Inc().Eq(n), hw.K(0), x.Inc())
}
