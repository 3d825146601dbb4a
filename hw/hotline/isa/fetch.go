package isa

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Fetch reads commands from the ring ahead of their execution. Entry n modulo
// Prefetch of its buffer is for command n, whose read has that tag; the beats
// of several commands may arrive in any order.
type Fetch struct{ arch.Params }

// Prefetch is how many commands are fetched ahead: enough to hide the read
// latency behind short commands.
const Prefetch = dma.CommandTags

const (
	commandBits = 8 * arch.CommandBytes
	ringBits    = 16 // of a free-running number of a ring's entry
	entryBits   = 2  // log2 of Prefetch
)

// FetchPorts: Command gives the commands in order, {failed, words in memory},
// each when all of its read has ended; the words of one that failed are
// anything. Overrun tells that Tail is further ahead of Head than the ring has
// entries: then nothing is fetched.
type FetchPorts struct {
	Enable, Base, Log2, Tail      hw.Bits            // of the ring
	Read                          hw.Stream[hw.Bits] // of dma.CommandRead
	LoadValid, LoadDest, LoadData hw.Bits
	End, EndEntry, EndFailed      hw.Bits
	Command                       hw.Stream[hw.Bits]
	Head                          hw.Bits // number of commands taken
	Overrun, Ahead                hw.Bits // Ahead: a command was asked for and is not taken
}

// ModuleName names the module.
func (Fetch) ModuleName() string { return "command_fetch" }

// beats is the number of beats of a command.
func (p Fetch) beats() int { return arch.CommandBytes / p.StreamBytes() }

// destBits is the width of a beat's place in the buffer.
func (p Fetch) destBits() int { return arch.Log2(Prefetch * p.beats()) }

// Build describes the unit.
func (p Fetch) Build(m *hw.Module) FetchPorts {
	m.Doc("Command fetch: reads commands from the ring in host memory, a few ahead.")
	io := FetchPorts{
		Enable:    m.In("enable", 1),
		Base:      m.In("base", 64),
		Log2:      m.In("log2", 4),
		Tail:      m.In("tail", ringBits),
		Read:      m.Source("command_read", dma.CommandReadBits),
		LoadValid: m.In("load_valid", 1),
		LoadDest:  m.In("load_dest", p.destBits()),
		LoadData:  m.In("load_data", p.StreamBits),
		End:       m.In("read_end", 1),
		EndEntry:  m.In("end_entry", entryBits),
		EndFailed: m.In("end_failed", 1),
		Command:   m.Source("command", 1+commandBits),
		Head:      m.Out("head", ringBits),
		Overrun:   m.Out("overrun", 1),
		Ahead:     m.Out("ahead", 1),
	}
	asked, head := m.Reg("asked", ringBits, 0), m.Reg("taken", ringBits, 0)
	p.ask(m, io, asked, head)
	entry := head.Trunc(entryBits).As("entry")
	here, failed := p.ended(m, io, entry)

	io.Command.Valid.Set(here)
	io.Command.Data.Set(hw.Cat(failed, p.words(m, io, entry)))
	m.When(io.Command.Fire(), func() { head.Set(head.Inc()) })
	io.Head.Set(head)
	io.Ahead.Set(head.Ne(asked))
	return io
}

// ask requests commands as long as there are some and the buffer has room.
func (p Fetch) ask(m *hw.Module, io FetchPorts, asked, head hw.Bits) {
	out := hw.Inst(m, "request", skid.Stage[hw.Bits]{Of: hw.Width(dma.CommandReadBits)})
	size := ringSize(io.Log2).As("size")
	addr := io.Base.Add(hw.Cat(asked.And(size.Dec()), hw.Zeros(arch.Log2(arch.CommandBytes))).Ext(64)).As("command_addr")
	ahead, offered := asked.Sub(head).As("asked_ahead"), io.Tail.Sub(head).As("offered")
	overrun := offered.Gt(size).As("beyond_ring")
	room := ahead.Lt(hw.K(Prefetch)).And(ahead.Lt(offered)).And(overrun.Not()).As("room")
	out.Push.Valid.Set(io.Enable.And(room))
	out.Push.Data.Set(dma.CommandRead{Tag: asked.Trunc(entryBits), Addr: addr}.Pack())
	m.When(out.Push.Fire(), func() { asked.Set(asked.Inc()) })
	io.Read.Connect(out.Pop)
	io.Overrun.Set(overrun)
}

// ringSize is the number of entries of a ring.
func ringSize(log2 hw.Bits) hw.Bits { return hw.Lit(ringBits, 1).Shl(log2) }

// ended notes which reads have ended. It gives whether that of an entry has,
// and has failed.
func (p Fetch) ended(m *hw.Module, io FetchPorts, entry hw.Bits) (here, failed hw.Bits) {
	ended, lost := m.RegVec("read_ended", Prefetch, 1, 0), m.DataVec("read_lost", Prefetch, 1)
	m.For("entry_of", Prefetch, func(i hw.Index) {
		number := i.Bits(entryBits)
		m.When(io.End.And(io.EndEntry.Eq(number)), func() {
			ended.At(i).Set(hw.K(1))
			lost.At(i).Set(io.EndFailed)
		}).ElseWhen(io.Command.Fire().And(entry.Eq(number)), func() { ended.At(i).Set(hw.K(0)) })
	})
	return ended.Index(entry).As("here"), lost.Index(entry).As("lost")
}

// words keeps the beats that arrive. It gives the words of an entry.
func (p Fetch) words(m *hw.Module, io FetchPorts, entry hw.Bits) hw.Bits {
	buffer := m.DataVec("buffer", Prefetch*p.beats(), p.StreamBits)
	m.When(io.LoadValid, func() { buffer.Index(io.LoadDest).Set(io.LoadData) })
	return buffer.Pack().Unpack(commandBits).Index(entry).As("words")
}
