package isa

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Fetch reads commands from the ring ahead of their execution. Entry n modulo
// Prefetch of its buffer is for command n; the beats of several commands may
// arrive in any order.
type Fetch struct{ arch.Params }

// Prefetch is how many commands are fetched ahead: enough to hide the read
// latency behind short commands.
const Prefetch = 4

const (
	commandBits = 8 * arch.CommandBytes
	ringBits    = 16 // of a free-running number of a ring's entry
	entryBits   = 2  // log2 of Prefetch
)

// FetchPorts: Command gives the commands in order, as their words in memory. A
// command that no read brings any more, because its read failed, is all zeros;
// its CRC is wrong. Pending is 1 as long as a read may still bring something.
type FetchPorts struct {
	Enable, Base, Log2, Tail      hw.Bits // of the ring
	Req                           hw.Stream
	LoadValid, LoadDest, LoadData hw.Bits
	Pending                       hw.Bits
	Command                       hw.Stream
	Head                          hw.Bits // number of commands taken
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
		Req:       m.Source("req", dma.RequestBits),
		LoadValid: m.In("load_valid", 1),
		LoadDest:  m.In("load_dest", p.destBits()),
		LoadData:  m.In("load_data", p.StreamBits),
		Pending:   m.In("pending", 1),
		Command:   m.Source("command", commandBits),
		Head:      m.Out("head", ringBits),
	}
	asked, head := m.Reg("asked", ringBits, 0), m.Reg("taken", ringBits, 0)
	waiting := p.ask(m, io, asked, head)
	entry := head.Trunc(entryBits).As("entry")
	words, here := p.receive(m, io, entry)
	lost := head.Ne(asked).And(waiting.Or(io.Pending).Or(here).Not()).As("lost")

	io.Command.Valid.Set(here.Or(lost))
	io.Command.Data.Set(words.And(here.Repeat(commandBits)))
	m.When(io.Command.Fire(), func() { head.Set(head.Inc()) })
	io.Head.Set(head)
	return io
}

// ask requests commands as long as there are some and the buffer has room. It
// gives that a request has not left yet.
func (p Fetch) ask(m *hw.Module, io FetchPorts, asked, head hw.Bits) (waiting hw.Bits) {
	out := hw.Inst(m, "request", skid.Stage{Width: dma.RequestBits})
	mask := ringSize(io.Log2).Dec().As("mask")
	addr := io.Base.Add(hw.Cat(asked.And(mask), hw.Zeros(arch.Log2(arch.CommandBytes))).Ext(64)).As("command_addr")
	place := asked.Trunc(entryBits)
	if p.beats() > 1 {
		place = hw.Cat(place, hw.Zeros(arch.Log2(p.beats())))
	}
	room := asked.Sub(head).Lt(hw.K(Prefetch)).As("room")
	out.Push.Valid.Set(io.Enable.And(asked.Ne(io.Tail)).And(room))
	out.Push.Data.Set(dma.Request{Peer: hw.Lit(1, 0), Addr: addr, Len: hw.Lit(dma.LenBits, arch.CommandBytes),
		Kind: hw.Lit(2, uint64(dma.Command)), Dest: place.Ext(loadDestBits)}.Pack())
	m.When(out.Push.Fire(), func() { asked.Set(asked.Inc()) })
	io.Req.Connect(out.Pop)
	return out.Pop.Valid
}

// loadDestBits is the width of Dest in a dma.Request.
const loadDestBits = 24

// ringSize is the number of entries of a ring.
func ringSize(log2 hw.Bits) hw.Bits { return hw.Lit(ringBits, 1).Shl(log2) }

// receive keeps the beats that arrive. It gives the words of an entry and
// whether all of them are here.
func (p Fetch) receive(m *hw.Module, io FetchPorts, entry hw.Bits) (words, here hw.Bits) {
	n, beats := Prefetch*p.beats(), p.beats()
	buffer := m.DataVec("buffer", n, p.StreamBits)
	arrived := m.RegVec("arrived", Prefetch, beats, 0)
	m.When(io.LoadValid, func() { buffer.Index(io.LoadDest).Set(io.LoadData) })

	to, beat := io.LoadDest, hw.Lit(1, 1)
	if beats > 1 {
		at := arch.Log2(beats)
		to, beat = io.LoadDest.Slice(p.destBits()-1, at), io.LoadDest.Trunc(at).Decode(beats)
	}
	m.For("entry_of", Prefetch, func(i hw.Index) {
		number := i.Bits(entryBits)
		m.When(io.Command.Fire().And(entry.Eq(number)), func() { arrived.At(i).Set(hw.K(0)) }).
			ElseWhen(io.LoadValid.And(to.Eq(number)), func() { arrived.At(i).Set(arrived.At(i).Or(beat)) })
	})
	return buffer.Pack().Unpack(commandBits).Index(entry).As("words"), arrived.Index(entry).All().As("here")
}
