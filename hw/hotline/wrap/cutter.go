package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
)

// cutter shifts write data to its byte lanes and splits it into bursts. Words that do not fit into
// a beat of the bus are carried over to the next beat.
type cutter struct{ arch.Link }

// cut holds the parameters of a burst that determine its data beats.
type cut struct {
	Len   hw.Bits `hw:"8"`
	Shift hw.Bits `hw:"LaneBits"`
	Last  hw.Bits
}

// LaneBits returns the width of a word's number within a beat.
func (p cutter) LaneBits() int { return bursts(p).LaneBits() }

type cutterPorts struct {
	Cut  hw.Stream[cut]             `hw:"in" doc:"bursts"`
	Data axis.Stream[dma.WriteData] `hw:"in" doc:"data of descriptors"`
	Beat hw.Stream[WriteData]       `hw:"out" doc:"data of bursts"`
}

// Build describes the unit.
func (p cutter) Build(m *hw.Module) cutterPorts {
	m.Doc("Shifts the data of writes to its lanes and cuts it into bursts.")
	io := hw.Ports[cutterPorts](m)
	data, burst, out := io.Data, io.Cut, io.Beat
	m.Unused(data.Data.Tag)
	at, drained := m.Reg("beat", 8, 0), m.Reg("drained", 1, 0)
	before, keep := m.Data("data_before", p.StreamBits), m.Reg("keep_before", p.StreamBytes(), 0)

	last := at.Eq(burst.Data.Len).As("last")
	over := last.And(burst.Data.Last).As("over")
	now := hw.Mux(drained, hw.K(0), data.Data.Keep).As("keep_now")
	shift := burst.Data.Shift
	lanes := hw.Cat(data.Data.Data, before).Shl(hw.Cat(shift, hw.Zeros(5))).Slice(2*p.StreamBits-1, p.StreamBits)
	strobes := hw.Cat(now, keep).Shl(hw.Cat(shift, hw.Zeros(2))).Slice(2*p.StreamBytes()-1, p.StreamBytes())

	out.Valid.Set(burst.Valid.And(data.Valid.Or(drained)))
	hw.Set(out.Data, WriteData{Data: lanes, Strb: strobes, Last: last})
	moves := out.Fire().As("moves")
	data.Ready.Set(burst.Valid.And(out.Ready).And(drained.Not()))
	burst.Ready.Set(moves.And(last))
	m.When(moves, func() {
		at.Set(hw.Mux(last, hw.K(0), at.Inc()))
		drained.Set(data.Data.Last.And(over.Not()))
		keep.Set(hw.Mux(over, hw.K(0), now))
		before.Set(data.Data.Data)
	})
	return io
}
