package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// pcieRead sends each read descriptor to dma_if_pcie and, when the data is in the memory, to
// dma_client_axis_source. It finishes reads in the order of their descriptors.
type pcieRead struct{ arch.Link }

type pcieReadPorts struct {
	Desc   hw.Stream[dma.ReadDesc]   `hw:"in,name=desc" doc:"reads"`
	Data   axis.Stream[dma.ReadData] `hw:"out" doc:"data of the reads"`
	Status dma.Event[dma.ReadStatus] `hw:"out" doc:"ends of the reads"`

	Host       hw.Stream[HostRead]     `hw:"out,name=m_axis_dma_read_desc" doc:"reads into the RAM"`
	HostStatus dma.Event[HostStatus]   `hw:"in,name=s_axis_dma_read_desc_status" doc:"ends of the reads"`
	Source     hw.Stream[ClientDesc]   `hw:"out,name=m_axis_source_desc" doc:"reads out of the RAM"`
	SourceData axis.Stream[SourceData] `hw:"in,name=s_axis_source_data" doc:"data of the reads"`
}

// placed is a descriptor with space allocated in the memory.
type placed struct {
	RAMAddr hw.Bits `hw:"16"`
	Len     hw.Bits `hw:"13"`
	Tag     hw.Bits `hw:"ReadTagBits"`
}

// ended is a descriptor whose data has arrived, or that has failed.
type ended struct {
	Len   hw.Bits `hw:"13"`
	Tag   hw.Bits `hw:"ReadTagBits"`
	Error hw.Enum[arch.DMAError]
}

// Build describes the engine.
func (p pcieRead) Build(m *hw.Module) pcieReadPorts {
	m.Doc("Read descriptors for verilog-pcie: host to memory, memory to stream, in order.")
	io := hw.Ports[pcieReadPorts](m)
	m.Unused(io.Desc.Data.Class)
	ram := newRing(m, line(p.Link))
	// asked: descriptors at dma_if_pcie, oldest first. leaving: descriptors at the client, or
	// failed.
	asked := hw.Inst(m, "asked", fifo.FIFO[placed]{Of: hw.Of[placed](p), Depth: 2 * p.Tags})
	leaving := hw.Inst(m, "leaving", fifo.FIFO[ended]{Of: hw.Of[ended](p), Depth: readsLeaving})
	m.Unused(asked.Level, asked.Push.Ready, leaving.Level) // asked has more entries than there are tags

	desc := io.Desc.Data
	host := hw.Inst(m, "host_desc", skid.Stage[HostRead]{Of: hw.Of[HostRead](p)})
	room := ram.fits().As("room")
	begins := io.Desc.Fire().As("begins")
	io.Desc.Ready.Set(room.And(host.Push.Ready))
	host.Push.Valid.Set(io.Desc.Valid.And(room))
	asked.Push.Valid.Set(begins)
	hw.Set(host.Push.Data, HostRead{Addr: desc.Addr, RAMSel: hw.Lit(2, 0), RAMAddr: ram.address(), Len: desc.Len.Ext(16), Tag: desc.Tag})
	hw.Set(asked.Push.Data, placed{RAMAddr: ram.address(), Len: desc.Len, Tag: desc.Tag})
	io.Host.Connect(host.Pop)

	done := doneTags(m, p.ReadTagBits(), io.HostStatus, begins, desc.Tag, asked.Pop.Data.Tag)
	oldest, source := asked.Pop, hw.Inst(m, "source_desc", skid.Stage[ClientDesc]{Of: hw.Of[ClientDesc](p)})
	good := done.Data.Error.Is(arch.DMAOK).As("good")
	ready := oldest.Valid.And(done.Valid).And(leaving.Push.Ready).As("is_ready")
	goes := ready.And(good.Not().Or(source.Push.Ready)).As("goes")
	source.Push.Valid.Set(ready.And(good))
	hw.Set(source.Push.Data, ClientDesc{RAMAddr: oldest.Data.RAMAddr, Len: oldest.Data.Len.Ext(16), Tag: oldest.Data.Tag})
	oldest.Ready.Set(goes)
	leaving.Push.Valid.Set(goes)
	hw.Set(leaving.Push.Data, ended{Len: oldest.Data.Len, Tag: oldest.Data.Tag, Error: done.Data.Error})
	io.Source.Connect(source.Pop)

	last := leaving.Pop
	data := hw.Inst(m, "data", skid.Skid[SourceData]{Of: hw.Of[SourceData](p)})
	data.Push.Connect(io.SourceData.Channel())
	failed := last.Data.Error.Is(arch.DMAOK).Not().As("has_failed")
	mine := last.Valid.And(failed.Not()).As("brings_data")
	io.Data.Valid.Set(data.Pop.Valid.And(mine))
	data.Pop.Ready.Set(io.Data.Ready.And(mine))
	hw.Set(io.Data.Data, dma.ReadData{Data: data.Pop.Data.Data, Keep: hw.Ones(p.StreamBytes()), Tag: last.Data.Tag,
		Poisoned: hw.Lit(1, 0), Last: data.Pop.Data.Last})
	over := last.Valid.And(failed.Or(io.Data.Fire().And(data.Pop.Data.Last))).As("over")
	last.Ready.Set(over)
	io.Status.Valid.Set(over)
	hw.Set(io.Status.Data, dma.ReadStatus{Tag: last.Data.Tag, Error: last.Data.Error})
	ram.update(begins, ram.lines(desc.Len), over, ram.lines(last.Data.Len))
	return io
}

// readsLeaving is the maximum number of reads at the client.
const readsLeaving = 8

// line returns log2 of the bytes of a line of verilog-pcie's memory, which is twice as wide as the
// stream.
func line(p arch.Link) int { return arch.Log2(2 * p.StreamBytes()) }

// doneTags reports whether the descriptor of a tag has ended since it began, and its status.
func doneTags(m *hw.Module, bits int, status dma.Event[HostStatus], begins, begun, tag hw.Bits) dma.Event[HostStatus] {
	n := 1 << bits
	over, codes := m.Data("done", n), m.Mem("codes", n, status.Data.Error.Width())
	at := func(event, tag hw.Bits) hw.Bits { return hw.Mux(event, tag.Decode(n), hw.Zeros(n)) }
	over.Set(over.And(at(begins, begun).Not()).Or(at(status.Valid, status.Data.Tag)))
	m.When(status.Valid, func() { codes.Write(status.Data.Tag, status.Data.Error.Bits()) })
	return dma.Event[HostStatus]{Valid: pick(over, tag), Data: HostStatus{Tag: tag, Error: hw.EnumOf[arch.DMAError](codes.Read(tag))}}
}
