package top

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/isa"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
)

// Hotline is the accelerator.
type Hotline struct{ arch.Params }

// Ports are the boundary of the accelerator.
type Ports struct {
	Bus         axil.Bus                   `hw:"in,name=s_axil" doc:"registers, AXI4-Lite"`
	ReadDesc    hw.Stream[dma.ReadDesc]    `hw:"out,name=m_axis_read_desc" doc:"reads of host and GPU memory"`
	ReadData    axis.Stream[dma.ReadData]  `hw:"in,name=s_axis_read_data" doc:"data of the reads"`
	ReadStatus  dma.Event[dma.ReadStatus]  `hw:"in,name=s_axis_read_desc_status" doc:"ends of the reads"`
	WriteDesc   hw.Stream[dma.WriteDesc]   `hw:"out,name=m_axis_write_desc" doc:"writes of host and GPU memory"`
	WriteData   axis.Stream[dma.WriteData] `hw:"out,name=m_axis_write_data" doc:"data of the writes"`
	WriteStatus dma.Event[dma.WriteStatus] `hw:"in,name=s_axis_write_desc_status" doc:"ends of the writes"`
	IRQReq      hw.Bits                    `hw:"out" doc:"requests an interrupt"`
	IRQAck      hw.Bits                    `hw:"in" doc:"the interrupt is accepted"`
	IRQLevel    hw.Bits                    `hw:"out" doc:"completions wait for the driver"`
	Straps      Straps                     `hw:"in,inline"`
}

// AddrWidth returns the width of a register's byte address.
func (Hotline) AddrWidth() int { return isa.AddrBits }

// blocks are the instances. A function-level reset resets all of them. A reset by the driver resets
// all but slave and reset.
type blocks struct {
	slave    axil.Ports
	reset    SoftResetPorts
	isa      isa.Ports
	dispatch dispatch.Ports
	lookup   lookup.Ports
	eal      eal.Ports
	reduce   reduce.Ports
	read     dma.ReadPorts
	write    dma.WritePorts
	reads    ReadMergePorts
	writes   WriteMergePorts
	sum      WriteSumPorts
	irq      InterruptLinePorts
}

// Build connects the blocks.
func (p Hotline) Build(m *hw.Module) Ports {
	m.Doc("Hotline: accelerator for the training of recommendation models.")
	if err := p.Validate(); err != nil {
		m.Errorf("%v", err)
		return Ports{}
	}
	a := p.Params
	io := hw.Ports[Ports](m)
	reset := hw.Inst(m, "soft_reset", SoftReset{})
	b := blocks{
		slave:    hw.InstReset(m, "csr_slave", axil.Slave{AddrWidth: isa.AddrBits}, io.Straps.FLR),
		reset:    reset,
		isa:      hw.InstReset(m, "isa", isa.Of(a), reset.Clear),
		dispatch: hw.InstReset(m, "dispatch", dispatch.Of(a), reset.Clear),
		lookup:   hw.InstReset(m, "lookup", lookup.Of(a), reset.Clear),
		eal:      hw.InstReset(m, "eal", eal.Of(a), reset.Clear),
		reduce:   hw.InstReset(m, "reduce", reduce.Reduce{Stream: a.Stream(), VectorValues: a.VectorValues}, reset.Clear),
		read:     hw.InstReset(m, "dma_read", dma.Read{Link: a.Link(), VectorValues: a.VectorValues}, reset.Clear),
		write:    hw.InstReset(m, "dma_write", dma.Write{Link: a.Link()}, reset.Clear),
		reads:    hw.InstReset(m, "read_merge", ReadMerge{N: 2}, reset.Clear),
		writes:   hw.InstReset(m, "write_merge", WriteMerge{Stream: a.Stream(), N: 3}, reset.Clear),
		sum:      hw.InstReset(m, "write_sum", WriteSum{a.Stream()}, reset.Clear),
		irq:      hw.InstReset(m, "irq_line", InterruptLine{}, reset.Clear),
	}
	m.Unused(b.eal.Idle)
	allowed := io.Straps.allowed(m)
	b.boundary(io, allowed)
	b.resets(io.Straps.FLR, allowed)
	b.commands()
	b.lookups()
	b.rows()
	b.output()
	return io
}

func (b blocks) boundary(io Ports, allowed hw.Bits) {
	hw.Connect(b.slave.Bus, io.Bus)
	hw.Connect(b.isa.CSR, b.slave.Access)
	b.irq.Left.Set(b.isa.Left)
	b.irq.Allowed.Set(allowed)
	b.irq.Ack.Set(io.IRQAck)
	io.IRQReq.Set(b.irq.Req)
	io.IRQLevel.Set(b.isa.Waiting)
	io.ReadDesc.Connect(b.read.Desc)
	hw.Connect(b.read.Data, io.ReadData)
	hw.Set(b.read.Status, io.ReadStatus)
	io.WriteDesc.Connect(b.write.Desc)
	hw.Connect(io.WriteData, b.write.Out)
	hw.Set(b.write.Status, io.WriteStatus)
}

// resets connects the soft reset with its requests and conditions, and the engines with the
// conditions that hold them.
func (b blocks) resets(flr, allowed hw.Bits) {
	b.reset.FLR.Set(flr)
	b.reset.Request.Set(b.isa.ResetRequest)
	b.reset.Pending.Set(b.read.Pending.Or(b.write.Pending))
	b.isa.Shown.Resetting.Set(b.reset.Hold)
	hold := b.reset.Hold.Or(allowed.Not()).As("hold")
	b.read.Hold.Set(hold)
	b.write.Hold.Set(hold)
	b.dispatch.Hold.Set(b.reset.Hold)
}

// commands connects isa and dispatch.
func (b blocks) commands() {
	b.dispatch.Command.Connect(b.isa.Command)
	b.isa.Done.Set(b.dispatch.Done)
	b.isa.Status.Set(b.dispatch.Status)
	b.isa.Value0.Set(b.dispatch.Value0)
	b.isa.Value1.Set(b.dispatch.Value1)
	b.isa.Shown.Ready.Set(b.eal.Ready)
	b.counters()
	b.isa.WritePending.Set(b.write.Pending)
	b.isa.WriteError.Set(b.write.Error)
	b.isa.Shown.RowsAhead.Set(b.dispatch.RowsAhead)
	b.isa.Shown.Dropped.Set(b.read.Dropped)
}

// counters connects the events that the registers count.
func (b blocks) counters() {
	to, from, learns := b.isa.Shown, b.lookup.Events, b.lookup.EALLearn
	probed := func(n hw.Bits) hw.Bits { return hw.Mux(learns, hw.K(0), n) }
	to.Lookups.Set(probed(from.Answered))
	to.CacheHits.Set(probed(from.Cached))
	to.HotLookups.Set(probed(from.Hot))
	to.WindowStalls.Set(probed(from.WindowStalls))
	to.QueueStalls.Set(probed(from.QueueStalls))
	to.Conflicts.Set(probed(from.Conflicts))
	to.LookupActive.Set(b.lookup.Busy.And(learns.Not()))
	to.LearnActive.Set(b.lookup.Busy.And(learns))
	to.RowRead.Set(b.read.RowDone)
	to.RowWritten.Set(b.reduce.Pkt.Fire())
	to.ReadsInFlight.Set(b.read.InFlight)
	to.TagStall.Set(b.read.Stalled)
	to.LateRow.Set(b.reduce.Late)
	to.WriteStall.Set(b.write.Stalled)
	to.BytesRead.Set(b.read.Asked)
	to.BytesWritten.Set(b.write.Sent)
}

// lookups connects dispatch, the lookup engines and the EAL.
func (b blocks) lookups() {
	l, d := b.lookup, b.dispatch
	hw.Connect(l.Control, d.Lookup)
	b.eal.Learn.Set(l.EALLearn)
	hw.Connect(b.eal.Request, l.Request)
	hw.Set(l.Answer, b.eal.Answer)
	b.eal.Stretch.Set(d.Stretch)
	hw.Connect(b.eal.Scan, d.Scan)
	d.EALReady.Set(b.eal.Ready)
}

// rows connects the reads and the reducer.
func (b blocks) rows() {
	d, r := b.dispatch, b.read
	r.Command.Connect(b.isa.CommandRead)
	b.reads.Requests[0].Connect(d.LoadReq)
	b.reads.Requests[1].Connect(d.RowReq)
	r.Req.Connect(b.reads.Request)
	b.loads()
	d.Loading.Set(r.Loading)
	d.LoadError.Set(r.Error)
	r.Clear.Set(d.ClearErrors)

	b.reduce.Op.Connect(d.Op)
	b.reduceRows()
	b.reduce.RowLog2.Set(d.RowLog2)
	b.reduce.Mute.Set(d.Mute)
	d.ReduceIdle.Set(b.reduce.Idle)
	d.RowError.Set(b.reduce.Error)
	b.reduce.Clear.Set(d.ClearErrors)
}

// loads connects the beats of commands to isa and the beats of mini-batches to dispatch.
func (b blocks) loads() {
	from, command, load := b.read.Load, b.isa.Load, b.dispatch.Load
	ofCommand := from.Data.Command
	command.Valid.Set(from.Valid.And(ofCommand))
	command.Data.Dest.Set(from.Data.Dest.Trunc(command.Data.Dest.Width()))
	command.Data.Data.Set(from.Data.Data)
	hw.Set(b.isa.End, b.read.End)
	load.Valid.Set(from.Valid.And(ofCommand.Not()))
	load.Data.Dest.Set(from.Data.Dest.Trunc(load.Data.Dest.Width()))
	load.Data.Data.Set(from.Data.Data)
}

// reduceRows connects the rows to the reducer. During a reset, rows are discarded so that they free
// their tags.
func (b blocks) reduceRows() {
	from, to, hold := b.read.Row, b.reduce.Row, b.reset.Hold
	hw.Set(to.Data, from.Data)
	to.Valid.Set(from.Valid.And(hold.Not()))
	from.Ready.Set(to.Ready.Or(hold))
}

// output connects the writes.
func (b blocks) output() {
	w := b.writes
	for i, p := range []hw.Stream[dma.Packet]{b.isa.Packet, b.dispatch.Packet, b.reduce.Pkt} {
		w.Packets[i].Connect(p)
	}
	for i, d := range []hw.Stream[dma.DataBeat]{b.isa.Data, b.dispatch.Data, b.reduce.Data} {
		w.Beats[i].Connect(d)
	}
	b.write.Pkt.Connect(b.writes.Packet)
	b.write.Data.Connect(b.writes.Beat)
	b.write.Clear.Set(b.dispatch.ClearErrors)
	b.sum.Valid.Set(b.dispatch.Data.Fire().Or(b.reduce.Data.Fire()))
	b.sum.Data.Set(b.writes.Beat.Data.Data)
	b.sum.Clear.Set(b.dispatch.ClearErrors)
	b.isa.Sum.Set(b.sum.Sum)
	b.dispatch.WritePending.Set(b.write.Pending)
	b.dispatch.WriteError.Set(b.write.Error)
}
