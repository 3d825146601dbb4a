package isa

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Fetch reads commands from the ring ahead of their execution. Command n uses entry n modulo
// Prefetch of the buffer, and its read has that number as its tag. The beats of several commands
// may arrive in any order.
type Fetch struct{ arch.Stream }

// Prefetch is the maximum number of commands fetched ahead. It is large enough to hide the read
// latency behind short commands.
const Prefetch = dma.CommandTags

const (
	commandBits = 8 * arch.CommandBytes
	ringBits    = 16 // width of a free-running index of a ring
	entryBits   = 2  // log2 of Prefetch
)

// FetchPorts are the ports of a Fetch. Command delivers the commands in order, each when its read
// has ended; the words of a failed read are arbitrary. Overrun reports that Tail is further ahead
// of Head than the ring has entries. Then nothing is fetched.
type FetchPorts struct {
	Enable  hw.Bits                    `hw:"in" doc:"commands may be fetched"`
	Base    hw.Bits                    `hw:"in,64" doc:"of the ring"`
	Log2    hw.Bits                    `hw:"in,4" doc:"log2 of the entries of the ring"`
	Tail    hw.Bits                    `hw:"in,16" doc:"number of commands that the driver has written"`
	Read    hw.Stream[dma.CommandRead] `hw:"out,name=command_read" doc:"reads of commands"`
	Load    dma.Event[Beat]            `hw:"in" doc:"beats of commands"`
	End     dma.Event[dma.Ended]       `hw:"in" doc:"the read of a command has ended"`
	Command hw.Stream[Fetched]         `hw:"out" doc:"commands in order"`
	Head    hw.Bits                    `hw:"out,16" doc:"number of commands taken"`
	Overrun hw.Bits                    `hw:"out" doc:"tail is further ahead of head than the ring has entries"`
	Ahead   hw.Bits                    `hw:"out" doc:"a command was asked for and is not taken"`
}

// Beat is a beat of a command. Dest is its position in the buffer.
type Beat struct {
	Dest hw.Bits `hw:"DestBits"`
	Data hw.Bits `hw:"StreamBits"`
}

// Fetched is a command as it is in memory. Lost reports that its read failed.
type Fetched struct {
	Lost  hw.Bits
	Words hw.Bits `hw:"512"`
}

// DestBits returns the width of a beat's position in the buffer.
func (p Fetch) DestBits() int { return arch.Log2(Prefetch * p.CommandBeats()) }

// ModuleName returns the name of the module.
func (Fetch) ModuleName() string { return "command_fetch" }

// Build describes the unit.
func (p Fetch) Build(m *hw.Module) FetchPorts {
	m.Doc("Command fetch: reads commands from the ring in host memory, a few ahead.")
	io := hw.Ports[FetchPorts](m)
	asked, head := m.Reg("asked", ringBits, 0), m.Reg("taken", ringBits, 0)
	p.ask(m, io, asked, head)
	entry := head.Trunc(entryBits).As("entry")
	here, failed := p.ended(m, io, entry)

	io.Command.Valid.Set(here)
	hw.Set(io.Command.Data, Fetched{Lost: failed, Words: p.words(m, io, entry)})
	m.When(io.Command.Fire(), func() { head.Set(head.Inc()) })
	io.Head.Set(head)
	io.Ahead.Set(head.Ne(asked))
	return io
}

// ask requests commands while the ring has commands and the buffer has room.
func (p Fetch) ask(m *hw.Module, io FetchPorts, asked, head hw.Bits) {
	out := hw.Inst(m, "request", skid.Stage[dma.CommandRead]{Of: hw.Of[dma.CommandRead](p)})
	size := ringSize(io.Log2).As("size")
	addr := io.Base.Add(hw.Cat(asked.And(size.Dec()), hw.Zeros(arch.Log2(arch.CommandBytes))).Ext(64)).As("command_addr")
	ahead, offered := asked.Sub(head).As("asked_ahead"), io.Tail.Sub(head).As("offered")
	overrun := offered.Gt(size).As("beyond_ring")
	room := ahead.Lt(hw.Named("prefetch", Prefetch)).And(ahead.Lt(offered)).And(overrun.Not()).As("room")
	out.Push.Valid.Set(io.Enable.And(room))
	hw.Set(out.Push.Data, dma.CommandRead{Tag: asked.Trunc(entryBits), Addr: addr})
	m.When(out.Push.Fire(), func() { asked.Set(asked.Inc()) })
	io.Read.Connect(out.Pop)
	io.Overrun.Set(overrun)
}

// ringSize returns the number of entries of a ring.
func ringSize(log2 hw.Bits) hw.Bits { return hw.Lit(ringBits, 1).Shl(log2) }

// ended records which reads have ended. It reports whether the read of an entry has ended, and
// whether it failed.
func (p Fetch) ended(m *hw.Module, io FetchPorts, entry hw.Bits) (here, failed hw.Bits) {
	ended, lost := m.RegVec("read_ended", Prefetch, 1, 0), m.DataVec("read_lost", Prefetch, 1)
	m.For("entry_of", Prefetch, func(i hw.Index) {
		number := i.Bits(entryBits)
		m.When(io.End.Valid.And(io.End.Data.Tag.Eq(number)), func() {
			ended.At(i).Set(hw.K(1))
			lost.At(i).Set(io.End.Data.Failed)
		}).ElseWhen(io.Command.Fire().And(entry.Eq(number)), func() { ended.At(i).Set(hw.K(0)) })
	})
	return ended.Index(entry).As("here"), lost.Index(entry).As("lost")
}

// words stores the arriving beats. It returns the words of an entry.
func (p Fetch) words(m *hw.Module, io FetchPorts, entry hw.Bits) hw.Bits {
	buffer := m.DataVec("buffer", Prefetch*p.CommandBeats(), p.StreamBits)
	m.When(io.Load.Valid, func() { buffer.Index(io.Load.Data.Dest).Set(io.Load.Data.Data) })
	return buffer.Pack().Unpack(commandBits).Index(entry).As("words")
}
