package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// axiWrite converts write descriptors and their data into bursts. Data does not wait until its
// address is accepted, because a slave may wait for both.
type axiWrite struct{ arch.Link }

// burstsAhead is the maximum number of addresses that are issued before their data.
const burstsAhead = 4

type axiWritePorts struct {
	Desc   hw.Stream[dma.WriteDesc]   `hw:"in,name=desc" doc:"writes"`
	Data   axis.Stream[dma.WriteData] `hw:"in" doc:"data of the writes"`
	Status dma.Event[dma.WriteStatus] `hw:"out" doc:"ends of the writes"`
	AW     hw.Stream[Address]         `hw:"out,name=m_axi_aw,abut" doc:"addresses of bursts"`
	W      hw.Stream[WriteData]       `hw:"out,name=m_axi_w,abut" doc:"data of bursts"`
	B      hw.Stream[Answer]          `hw:"in,name=m_axi_b,abut" doc:"ends of bursts"`
}

// Build describes the engine.
func (p axiWrite) Build(m *hw.Module) axiWritePorts {
	m.Doc("Write descriptors as AXI4 bursts, one or two each, with the tag as ID.")
	io := hw.Ports[axiWritePorts](m)
	e := &writer{m: m, p: p, io: io, bursts: hw.Inst(m, "bursts", bursts(p)), ledger: hw.Inst(m, "ledger", ledger{p.Tags}),
		cuts: hw.Inst(m, "cuts", fifo.FIFO[cut]{Of: hw.Of[cut](cutter(p)), Depth: burstsAhead})}
	m.Unused(e.cuts.Level)
	e.issue()
	e.send()
	e.answers()
	return io
}

// writer describes the engine.
type writer struct {
	m      *hw.Module
	p      axiWrite
	io     axiWritePorts
	bursts burstsPorts
	ledger ledgerPorts
	cuts   fifo.Ports[cut]
}

// issue splits descriptors and issues their bursts.
func (e *writer) issue() {
	desc, in := e.io.Desc, e.bursts.In
	in.Valid.Set(desc.Valid)
	desc.Ready.Set(in.Ready)
	hw.Set(in.Data, transfer{Addr: desc.Data.Addr, Len: desc.Data.Len, Tag: desc.Data.Tag.Ext(e.p.ReadTagBits())})

	from, out, cuts := e.bursts.Out, hw.Inst(e.m, "aw", skid.Skid[Address]{Of: hw.Of[Address](e.p)}), e.cuts.Push
	out.Push.Valid.Set(from.Valid.And(cuts.Ready))
	cuts.Valid.Set(from.Valid.And(out.Push.Ready))
	from.Ready.Set(out.Push.Ready.And(cuts.Ready))
	hw.Set(out.Push.Data, address(e.p.Link, from.Data))
	e.m.Assert(out.Push.Fire().Eq(cuts.Fire()), "an address and the cut of its data go together")
	hw.Set(cuts.Data, cut{Len: from.Data.Len, Shift: from.Data.Shift, Last: from.Data.Last})
	e.io.AW.Connect(out.Pop)
	e.ledger.Split.Set(from.Fire().And(from.Data.Last.Not()))
	e.ledger.SplitTag.Set(from.Data.Tag.Trunc(e.p.WriteTagBits()))
}

// send splits the data into the issued bursts.
func (e *writer) send() {
	unit, out := hw.Inst(e.m, "cutter", cutter(e.p)), hw.Inst(e.m, "w", skid.Stage[WriteData]{Of: hw.Of[WriteData](e.p)})
	unit.Cut.Connect(e.cuts.Pop)
	hw.Connect(unit.Data, e.io.Data)
	out.Push.Connect(unit.Beat)
	e.io.W.Connect(out.Pop)
}

// answers converts responses into statuses.
func (e *writer) answers() {
	b, l := e.io.B, e.ledger
	b.Ready.Set(hw.K(1))
	tag := b.Data.ID.Trunc(e.p.WriteTagBits())
	e.m.Unused(b.Data.ID)
	over := b.Valid.And(l.Final).As("answered")
	l.Answer.Set(b.Valid)
	l.Tag.Set(tag)
	l.Resp.Set(b.Data.Resp)
	l.Ends.Set(hw.K(1))
	l.Over.Set(over)
	e.io.Status.Valid.Set(over)
	hw.Set(e.io.Status.Data, dma.WriteStatus{Tag: tag, Error: code(l.Error, 1)})
}
