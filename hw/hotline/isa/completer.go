package isa

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/crc"
)

// Completer writes completions to their ring and reports when each has left.
type Completer struct{ arch.Stream }

// Outcome is the content of a completion. Head is the consumer index of the command ring. Sum is
// the checksum of the data that the command has written.
type Outcome struct {
	Sum    hw.Bits              `hw:"32" doc:"checksum of the data that the command has written"`
	Head   hw.Bits              `hw:"16" doc:"number of commands taken"`
	Value1 hw.Bits              `hw:"32" doc:"second result"`
	Value0 hw.Bits              `hw:"32" doc:"first result"`
	Status hw.Enum[arch.Status] `doc:"of the command"`
	ID     hw.Bits              `hw:"32" doc:"of the command"`
}

// CompleterPorts are the ports of a Completer.
//
// An Outcome is accepted when its completion has left for the link; Left is 1 in that cycle. The
// ring has room while Head, the driver's consumer index, is less than a whole ring behind.
//
// Waiting is 1 while completions have left that Head does not cover. It is 0 in the cycle after
// Taken, so that each update by the driver ends one interrupt, and remaining completions raise
// another.
//
// Error is the code of a completion that could not be written. It never changes back.
type CompleterPorts struct {
	Outcome hw.Stream[Outcome] `hw:"in" doc:"contents of a completion"`
	Base    hw.Bits            `hw:"in,64" doc:"of the ring"`
	Log2    hw.Bits            `hw:"in,4" doc:"log2 of the entries of the ring"`
	Head    hw.Bits            `hw:"in,16" doc:"number of completions that the driver has read"`
	Taken   hw.Bits            `hw:"in" doc:"the driver writes head"`
	Tail    hw.Bits            `hw:"out,16" doc:"number of completions, also a failed one"`

	Packet       hw.Stream[dma.Packet]   `hw:"out" doc:"completions"`
	Data         hw.Stream[dma.DataBeat] `hw:"out" doc:"completions"`
	WritePending hw.Bits                 `hw:"in" doc:"a write has no status yet"`
	WriteError   hw.Enum[arch.DMAError]  `hw:"in" doc:"of a write since the last outcome was known"`

	Error   hw.Enum[arch.DMAError] `hw:"out" doc:"of the completion that could not be written"`
	Left    hw.Bits                `hw:"out" doc:"pulse: a completion has left for the link, or cannot be written"`
	Waiting hw.Bits                `hw:"out" doc:"completions wait for the driver"`
}

const completionBits = 8 * arch.CompletionBytes

// Build describes the unit.
func (p Completer) Build(m *hw.Module) CompleterPorts {
	m.Doc("Completer: writes completions to their ring in host memory.")
	io := hw.Ports[CompleterPorts](m)
	tail, lost := m.Reg("posted", ringBits, 0), hw.Reg[hw.Enum[arch.DMAError]](m, "lost")
	io.Tail.Set(tail)
	io.Error.Set(lost)
	size := ringSize(io.Log2).As("size")
	sealed, seal := p.seal(m, io, tail.And(size).IsZero().As("phase"))
	addr := m.Data("entry_addr", 64)

	st := hw.FSM[struct{ Idle, Seal, Announce, Post, Flush hw.State }](m, "state")
	io.Packet.Valid.Set(st.Announce.Is())
	hw.Set(io.Packet.Data, dma.Packet{Addr: addr, Len: hw.Named("completion_bytes", arch.CompletionBytes)})
	io.Data.Valid.Set(st.Post.Is())
	last := p.beat(m, io, sealed)
	done := st.Flush.Is().And(io.WritePending.Not()).As("written")
	io.Outcome.Ready.Set(done)
	io.Left.Set(done)
	left := tail.Sub(st.Flush.Is().Ext(ringBits))
	waiting := m.Reg("backlog", 1, 0)
	// Head is ahead of the completions that have left if the driver does not wait for interrupts.
	waiting.Set(io.Head.Sub(left).Bit(ringBits - 1).And(io.Taken.Not()))
	io.Waiting.Set(waiting)

	st.Idle.Do(func() { m.When(io.Outcome.Valid, st.Seal.Next) })
	st.Seal.Do(func() {
		seal()
		addr.Set(io.Base.Add(hw.Cat(tail.And(size.Dec()), hw.Zeros(arch.Log2(arch.CompletionBytes))).Ext(64)))
		m.When(tail.Sub(io.Head).Lt(size), st.Announce.Next)
	})
	st.Announce.Do(func() { m.When(io.Packet.Ready, st.Post.Next) })
	st.Post.Do(func() {
		m.When(io.Data.Ready.And(last), func() {
			tail.Set(tail.Inc())
			st.Flush.Next()
		})
	})
	// The interrupt must not overtake the completion.
	st.Flush.Do(func() {
		m.When(done, func() {
			lost.Set(io.WriteError)
			st.Idle.Next()
		})
	})
	return io
}

// seal returns the register for the completion with its CRC. Calling set computes it in that cycle.
func (p Completer) seal(m *hw.Module, io CompleterPorts, phase hw.Bits) (completion hw.Bits, set func()) {
	o := io.Outcome.Data
	body := hw.Cat(hw.Zeros(32), o.Sum, o.Head.Ext(32), o.Value1, o.Value0, hw.Cat(phase, hw.Zeros(8), o.Status.Bits()).Ext(32), o.ID).As("body")
	sum := hw.Inst(m, "crc", crc.CRC32C{Bytes: arch.CompletionCRC})
	sum.Data.Set(body)
	sealed := m.Data("completion", completionBits)
	return sealed, func() { sealed.Set(hw.Cat(sum.Sum, body)) }
}

// beat drives the data of a completion in one beat or two. It reports whether the beat is the last.
func (p Completer) beat(m *hw.Module, io CompleterPorts, completion hw.Bits) (last hw.Bits) {
	if p.StreamBits >= completionBits {
		keep := hw.Ones(arch.CompletionBytes).Ext(p.StreamBytes())
		last = hw.Lit(1, 1)
		hw.Set(io.Data.Data, dma.DataBeat{Last: last, Keep: keep, Data: completion.Ext(p.StreamBits)})
		return last
	}
	last = m.Reg("second_beat", 1, 0)
	m.When(io.Data.Fire(), func() { last.Set(last.Not()) })
	half := hw.Mux(last, completion.Slice(completionBits-1, p.StreamBits), completion.Trunc(p.StreamBits))
	hw.Set(io.Data.Data, dma.DataBeat{Last: last, Keep: hw.Ones(p.StreamBytes()), Data: half})
	return last
}
