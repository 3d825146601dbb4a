package memory

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/address"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// Emitter sends a read and a reducer operation for each lookup:
//
//	gather            read the row; add it; at the last lookup of a table, write the vector
//	update, gradient  read it; multiply it
//	update, row       read it; add it; write the row
//
// Hot rows are read from the GPUs round-robin. Inputs, and gradients, are assigned to the GPUs
// round-robin. A command begins with GPU 0.
//
// Rows are whole beats, and so are offsets. Offsets are only as wide as accepted commands can
// require.
type Emitter struct {
	sizes.Beats
	sizes.TableNumbers
	sizes.GPUNumbers
	VectorValues int `doc:"FP32 values of the embedding vector buffer"`
	Blocks       int `doc:"EAL blocks in total: rows that can be hot"`
}

// BlockBits returns the width of the number of an EAL block.
func (p Emitter) BlockBits() int { return arch.Log2(p.Blocks) }

// mostLog2 returns log2 of the number of beats of the longest row.
func (p Emitter) mostLog2() int { return sizes.MostBeatsLog2(p.Stream, p.VectorValues) }

// OffsetBits returns the width, in beats, of the offset of an input's vectors, or of a gradient, if
// all belong to one GPU.
func (p Emitter) OffsetBits() int {
	rows := max(p.MaxInputs()*p.Tables, p.HalfWords/sizes.EntryWords)
	return hw.IndexWidth(rows << p.mostLog2())
}

// EmitterPorts are the ports of an Emitter. Ports that a Controller also has mean the same.
type EmitterPorts struct {
	Start     hw.Bits                `hw:"in" doc:"begins a gather or an update"`
	Update    hw.Bits                `hw:"in" doc:"1: an update, 0: a gather"`
	Registers address.Rows           `hw:"in,inline"`
	Place     hw.Stream[place]       `hw:"in" doc:"places of rows"`
	Req       hw.Stream[dma.Request] `hw:"out" doc:"reads of rows"`
	Op        hw.Stream[reduce.Op]   `hw:"out" doc:"operations on the rows"`
	Sent      hw.Bits                `hw:"out" doc:"request and operation of a place have left"`
	HotRow    hw.Bits                `hw:"out" doc:"pulse: a row was requested from a GPU"`
	ColdRow   hw.Bits                `hw:"out" doc:"pulse: a row was requested from host memory"`
}

// emission describes an Emitter.
type emission struct {
	m  *hw.Module
	p  Emitter
	io EmitterPorts

	update          hw.Bits
	valid           hw.Bits // a place is held
	at              held
	rowLog2         hw.Bits // log2 of the beats of a row
	row, inVector   hw.Bits // offsets in beats: of the row in its table; of the table's vector among the vectors of the input
	source          hw.Bits // GPU of the next hot row
	target, first   target  // of the current input; of the first input of its group
	stride          hw.Bits // beats of the vectors of an input, or of a gradient
	asked, operated hw.Bits // the request (the operation) of the current place has left
}

// target is the GPU that an input, or a gradient, is assigned to.
type target struct {
	GPU    hw.Bits `hw:"GPUBits"`
	Offset hw.Bits `hw:"OffsetBits" doc:"beats that the GPU has before it"`
}

// Build describes the emitter.
func (p Emitter) Build(m *hw.Module) EmitterPorts {
	m.Doc("Emitter: reads, reducer operations and addresses for each row.")
	io := hw.Ports[EmitterPorts](m)
	longest := p.mostLog2()
	e := &emission{m: m, p: p, io: io, at: hw.Data[held](m, "at_hand"), update: m.Data("updating", 1), valid: m.Reg("valid", 1, 0),
		rowLog2: sizes.BeatsLog2(io.Registers.RowLog2, p.Stream, p.VectorValues).As("row_beats_log2"),
		row:     m.Data("row_offset", sizes.WordBits+longest), inVector: m.Data("vector_offset", p.TableBits()+longest),
		source: m.Data("hot_gpu", p.GPUBits()), target: hw.Data[target](m, "target"), first: hw.Data[target](m, "group"),
		stride: m.Data("stride", p.TableCountBits()+longest),
		asked:  m.Reg("asked", 1, 0), operated: m.Reg("operated", 1, 0),
	}
	e.hold()
	sent := e.send()
	io.Place.Ready.Set(e.valid.Not().Or(sent))
	io.Sent.Set(sent)
	e.deal(sent)
	return io
}

// held holds the fields of the current place.
type held struct {
	Next  hw.Bits
	End   hw.Bits
	First hw.Bits
	Last  hw.Bits
	Hit   hw.Bits
	Base  hw.Bits `hw:"64"`
}

// hold accepts the next place.
func (e *emission) hold() {
	m, io := e.m, e.io
	in := io.Place.Data
	number := hw.Mux(in.Hit, in.Block.Ext(sizes.WordBits), in.Index).As("row_number")
	m.When(io.Place.Ready, func() { e.valid.Set(io.Place.Valid) })
	m.When(io.Place.Fire(), func() {
		hw.Set(e.at, held{Next: in.Next, End: in.End, First: in.First, Last: in.Last, Hit: in.Hit, Base: in.Base})
		e.row.Set(number.Ext(e.row.Width()).Shl(e.rowLog2))
		e.inVector.Set(in.Table.Ext(e.inVector.Width()).Shl(e.rowLog2))
	})
}

// gradient reports whether the current place is a gradient.
func (e *emission) gradient() hw.Bits { return e.update.And(e.at.First) }

// what returns the read and the operation of the current place.
func (e *emission) what() (dma.Request, reduce.Op) {
	io, gradient := e.io, e.gradient().As("is_gradient")
	base := hw.Mux(gradient, io.Registers.Grad.Index(e.target.GPU), hw.Mux(e.at.Hit, io.Registers.Hot.Index(e.source), e.at.Base))
	row := base.Add(e.bytes(hw.Mux(gradient, e.target.Offset.Ext(e.row.Width()), e.row), 64)).As("row_addr")
	vector := io.Registers.Pooled.Index(e.target.GPU).Add(e.bytes(e.target.Offset, 64)).Add(e.bytes(e.inVector, 64)).As("vector_addr")
	length := e.bytes(hw.Lit(e.p.mostLog2()+1, 1).Shl(e.rowLog2), dma.LenBits)
	kind := func(k reduce.Kind) hw.Enum[reduce.Kind] { return hw.Value(e.m, k) }
	return dma.Request{Peer: gradient.Or(e.at.Hit), Addr: row, Len: length, Kind: hw.Value(e.m, dma.Row), Dest: hw.K(0)},
		reduce.Op{Kind: hw.Mux(gradient, kind(reduce.Mul), kind(reduce.Add)).As("place_kind"), Load: e.at.First, Write: e.at.Last, Next: e.at.Next,
			Scalar: io.Registers.Scale, Addr: hw.Mux(e.update, row, vector)}
}

// bytes converts a number of beats to bytes.
func (e *emission) bytes(beats hw.Bits, width int) hw.Bits {
	return sizes.Bytes(beats, e.p.Stream, width)
}

// send sends the request and the operation, each as soon as it can leave. It reports whether both
// have left.
func (e *emission) send() (sent hw.Bits) {
	m, io := e.m, e.io
	request, op := e.what()
	io.Req.Valid.Set(e.valid.And(e.asked.Not()))
	hw.Set(io.Req.Data, request)
	io.Op.Valid.Set(e.valid.And(e.operated.Not()))
	hw.Set(io.Op.Data, op)
	asked, operated := e.asked.Or(io.Req.Ready), e.operated.Or(io.Op.Ready)
	sent = e.valid.And(asked).And(operated)
	m.When(sent, func() {
		e.asked.Set(hw.K(0))
		e.operated.Set(hw.K(0))
	}).Else(func() {
		m.When(io.Req.Fire(), func() { e.asked.Set(hw.K(1)) })
		m.When(io.Op.Fire(), func() { e.operated.Set(hw.K(1)) })
	})
	return sent
}

// deal assigns rows and inputs to the GPUs round-robin. Each slot starts again with the first input
// of the group.
func (e *emission) deal(sent hw.Bits) {
	m, io := e.m, e.io
	gpu := next(e.target.GPU, io.Registers.GPUs)
	further := e.target.Offset.Add(e.stride.Resize(e.p.OffsetBits()))
	after := target{GPU: gpu, Offset: hw.Mux(gpu.IsZero(), further, e.target.Offset)}
	again := e.at.Next.Or(e.at.End).Not()
	m.When(io.Start, func() {
		e.update.Set(io.Update)
		e.source.Set(hw.K(0))
		hw.Set(e.target, hw.Zero[target](m))
		hw.Set(e.first, hw.Zero[target](m))
		vectors := hw.Mux(io.Update, hw.Lit(e.p.TableCountBits(), 1), io.Registers.Tables)
		e.stride.Set(vectors.Ext(e.stride.Width()).Shl(e.rowLog2))
	}).ElseWhen(sent, func() {
		m.When(e.at.Hit, func() { e.source.Set(next(e.source, io.Registers.GPUs)) })
		hw.Set(e.target, hw.Mux(again, e.first, after))
		m.When(e.at.Next.Not().And(e.at.End), func() { hw.Set(e.first, after) })
	})
	io.HotRow.Set(sent.And(e.at.Hit))
	io.ColdRow.Set(sent.And(e.at.Hit.Or(e.gradient()).Not()))
}

// next returns x+1 modulo n.
func next(x, n hw.Bits) hw.Bits {
	return hw.Mux(x.Ext(n.Width()).Inc().Eq(n), hw.K(0), x.Inc())
}
