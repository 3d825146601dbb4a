package isa

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/crc"
)

// Completer writes completions to their ring and requests an interrupt behind
// each.
type Completer struct{ arch.Params }

// Outcome is what a completion tells. Head is the consumer index of the command
// ring, Sum that of what the command has written.
type Outcome struct{ Sum, Head, Value1, Value0, Status, ID hw.Bits }

// OutcomeBits is the width of a packed Outcome.
const OutcomeBits = 32 + ringBits + 32 + 32 + 8 + 32

// Pack is {sum 32, head 16, value 1, value 0, status 8, id 32}, most significant first.
func (o Outcome) Pack() hw.Bits { return hw.Cat(o.Sum, o.Head, o.Value1, o.Value0, o.Status, o.ID) }

// UnpackOutcome takes apart what Outcome.Pack made.
func UnpackOutcome(x hw.Bits) Outcome {
	return Outcome{Sum: x.Slice(151, 120), Head: x.Slice(119, 104), Value1: x.Slice(103, 72), Value0: x.Slice(71, 40), Status: x.Slice(39, 32), ID: x.Trunc(32)}
}

// CompleterPorts: Outcome is taken when its completion has left for the link
// and the interrupt is requested. The ring has room as long as Head, the
// driver's consumer index, is less than a whole ring behind. Error is the code
// of a completion that could not be written, for ever.
type CompleterPorts struct {
	Outcome                  hw.Stream[hw.Bits]
	Base, Log2, Head, Tail   hw.Bits // of the ring
	Packet, Data             hw.Stream[hw.Bits]
	WritePending, WriteError hw.Bits // WriteError: of a write since the last outcome was known
	Error                    hw.Bits
	IRQReq, IRQAck           hw.Bits
}

const completionBits = 8 * arch.CompletionBytes

// ModuleName names the module.
func (Completer) ModuleName() string { return "completer" }

// Build describes the unit.
func (p Completer) Build(m *hw.Module) CompleterPorts {
	m.Doc("Completer: writes completions to their ring in host memory and requests interrupts.")
	io := CompleterPorts{
		Outcome:      m.Sink("outcome", OutcomeBits),
		Base:         m.In("base", 64),
		Log2:         m.In("log2", 4),
		Head:         m.In("head", ringBits),
		Packet:       m.Source("packet", dma.PacketBits),
		Data:         m.Source("data", dma.DataBits(p.Params)),
		Tail:         m.Out("tail", ringBits),
		WritePending: m.In("write_pending", 1),
		WriteError:   m.In("write_error", dma.ErrorBits),
		Error:        m.Out("error", dma.ErrorBits),
		IRQReq:       m.Out("irq_req", 1),
		IRQAck:       m.In("irq_ack", 1),
	}
	tail, lost := m.Reg("posted", ringBits, 0), m.Reg("lost", dma.ErrorBits, 0)
	io.Tail.Set(tail)
	io.Error.Set(lost)
	size := ringSize(io.Log2).As("size")
	sealed, seal := p.seal(m, io, tail.And(size).IsZero().As("phase"))
	addr := m.Data("entry_addr", 64)
	irq := m.Reg("irq", 1, 0)
	io.IRQReq.Set(irq)

	st := hw.FSM[struct{ Idle, Seal, Announce, Post, Flush hw.State }](m, "state")
	io.Packet.Valid.Set(st.Announce.Is())
	io.Packet.Data.Set(dma.Packet{Addr: addr, Len: hw.Lit(dma.LenBits, arch.CompletionBytes)}.Pack())
	io.Data.Valid.Set(st.Post.Is())
	last := p.beat(m, io, sealed)
	done := st.Flush.Is().And(io.WritePending.Not()).As("written")
	io.Outcome.Ready.Set(done)

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
	m.When(done, func() { irq.Set(hw.K(1)) }).ElseWhen(io.IRQAck, func() { irq.Set(hw.K(0)) })
	return io
}

// seal gives the completion with its CRC, which set computes.
func (p Completer) seal(m *hw.Module, io CompleterPorts, phase hw.Bits) (completion hw.Bits, set func()) {
	o := UnpackOutcome(io.Outcome.Data)
	body := hw.Cat(hw.Zeros(32), o.Sum, o.Head.Ext(32), o.Value1, o.Value0, hw.Cat(phase, hw.Zeros(8), o.Status).Ext(32), o.ID).As("body")
	sum := hw.Inst(m, "crc", crc.CRC32C{Bytes: arch.CompletionBytes - 4})
	sum.Data.Set(body)
	sealed := m.Data("completion", completionBits)
	return sealed, func() { sealed.Set(hw.Cat(sum.Sum, body)) }
}

// beat drives the data of a completion: one beat, or two. It gives that it is
// the last.
func (p Completer) beat(m *hw.Module, io CompleterPorts, completion hw.Bits) (last hw.Bits) {
	if p.StreamBits >= completionBits {
		keep := hw.Ones(arch.CompletionBytes).Ext(p.StreamBytes())
		last = hw.Lit(1, 1)
		io.Data.Data.Set(dma.DataBeat{Last: last, Keep: keep, Data: completion.Ext(p.StreamBits)}.Pack())
		return last
	}
	last = m.Reg("second_beat", 1, 0)
	m.When(io.Data.Fire(), func() { last.Set(last.Not()) })
	half := hw.Mux(last, completion.Slice(completionBits-1, p.StreamBits), completion.Trunc(p.StreamBits))
	io.Data.Data.Set(dma.DataBeat{Last: last, Keep: hw.Ones(p.StreamBytes()), Data: half}.Pack())
	return last
}
