package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// pcieWrite sends each write descriptor to dma_client_axis_sink and, when its data is in the
// memory, to dma_if_pcie. It finishes writes in the order of their descriptors.
type pcieWrite struct{ arch.Link }

type pcieWritePorts struct {
	Desc   hw.Stream[dma.WriteDesc]   `hw:"in,name=desc" doc:"writes"`
	Data   axis.Stream[dma.WriteData] `hw:"in" doc:"data of the writes"`
	Status dma.Event[dma.WriteStatus] `hw:"out" doc:"ends of the writes"`

	Sink       hw.Stream[ClientDesc] `hw:"out,name=m_axis_sink_desc" doc:"writes into the RAM"`
	SinkData   axis.Stream[SinkData] `hw:"out,name=m_axis_sink_data" doc:"data of the writes"`
	SinkDone   hw.Bits               `hw:"in,name=s_axis_sink_desc_status_valid" doc:"pulse: a write into the RAM has ended"`
	Host       hw.Stream[HostWrite]  `hw:"out,name=m_axis_dma_write_desc" doc:"writes out of the RAM"`
	HostStatus dma.Event[HostStatus] `hw:"in,name=s_axis_dma_write_desc_status" doc:"ends of the writes"`
}

// owed is a descriptor without a status.
type owed struct {
	Len hw.Bits `hw:"13"`
	Tag hw.Bits `hw:"ReadTagBits"`
}

// Build describes the engine.
func (p pcieWrite) Build(m *hw.Module) pcieWritePorts {
	m.Doc("Write descriptors for verilog-pcie: stream to memory, memory to host, in order.")
	io := hw.Ports[pcieWritePorts](m)
	m.Unused(io.Data.Data.Tag)
	ram := newRing(m, line(p.Link))
	// filling: descriptors to send to dma_if_pcie. owing: descriptors without a status.
	filling := hw.Inst(m, "filling", fifo.FIFO[HostWrite]{Of: hw.Of[HostWrite](p), Depth: writesFilling})
	owing := hw.Inst(m, "owing", fifo.FIFO[owed]{Of: hw.Of[owed](p), Depth: p.Tags})
	m.Unused(filling.Level, owing.Level, owing.Push.Ready) // owing has as many entries as there are tags

	desc := io.Desc.Data
	tag := desc.Tag.Ext(p.ReadTagBits())
	sink := hw.Inst(m, "sink_desc", skid.Stage[ClientDesc]{Of: hw.Of[ClientDesc](p)})
	room := ram.fits().And(filling.Push.Ready).As("room")
	begins := io.Desc.Fire().As("begins")
	io.Desc.Ready.Set(room.And(sink.Push.Ready))
	sink.Push.Valid.Set(io.Desc.Valid.And(room))
	hw.Set(sink.Push.Data, ClientDesc{RAMAddr: ram.address(), Len: desc.Len.Ext(16), Tag: tag})
	filling.Push.Valid.Set(begins)
	hw.Set(filling.Push.Data, HostWrite{Addr: desc.Addr, RAMSel: hw.Lit(2, 0), RAMAddr: ram.address(), Imm: hw.Lit(32, 0), ImmEn: hw.Lit(1, 0), Len: desc.Len.Ext(16), Tag: tag})
	owing.Push.Valid.Set(begins)
	hw.Set(owing.Push.Data, owed{Len: desc.Len, Tag: tag})
	io.Sink.Connect(sink.Pop)

	data := hw.Inst(m, "data", skid.Stage[SinkData]{Of: hw.Of[SinkData](p)})
	data.Push.Valid.Set(io.Data.Valid)
	io.Data.Ready.Set(data.Push.Ready)
	hw.Set(data.Push.Data, SinkData{Data: io.Data.Data.Data, Keep: io.Data.Data.Keep, Last: io.Data.Data.Last})
	io.SinkData.Channel().Connect(data.Pop)

	host := hw.Inst(m, "host_desc", skid.Stage[HostWrite]{Of: hw.Of[HostWrite](p)})
	filled := m.Reg("filled", hw.CountWidth(writesFilling), 0)
	host.Push.Valid.Set(filled.Any())
	hw.Set(host.Push.Data, filling.Pop.Data)
	asks := host.Push.Fire().As("asks")
	filling.Pop.Ready.Set(asks)
	m.Unused(filling.Pop.Valid)
	m.When(io.SinkDone.And(asks.Not()), func() { filled.Set(filled.Inc()) }).
		ElseWhen(asks.And(io.SinkDone.Not()), func() { filled.Set(filled.Dec()) })
	io.Host.Connect(host.Pop)

	oldest := owing.Pop
	done := doneTags(m, p.ReadTagBits(), io.HostStatus, begins, tag, oldest.Data.Tag)
	over := oldest.Valid.And(done.Valid).As("over")
	oldest.Ready.Set(over)
	io.Status.Valid.Set(over)
	hw.Set(io.Status.Data, dma.WriteStatus{Tag: oldest.Data.Tag.Trunc(p.WriteTagBits()), Error: done.Data.Error})
	ram.update(begins, ram.lines(desc.Len), over, ram.lines(oldest.Data.Len))
	return io
}

// writesFilling is the maximum number of writes at the client.
const writesFilling = 8
