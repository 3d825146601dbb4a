package arb

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/lanes"
)

// Mux merges N streams of packets of Width-bit words into one. Packets are not
// interleaved: who sent the first word keeps the output until its last.
type Mux struct{ N, Width int }

// MuxPorts are the ports of a Mux. PushLast and PopLast mark the last word of
// a packet; they are part of the payload. The way through is combinational.
type MuxPorts struct {
	Push     lanes.Lanes
	PushLast hw.Vec // N x 1
	Pop      hw.Stream[hw.Bits]
	PopLast  hw.Bits
}

// Build describes the multiplexer.
func (p Mux) Build(m *hw.Module) MuxPorts {
	m.Doc("Merges streams of packets, round robin between packets.")
	io := MuxPorts{
		Push:     lanes.Sink(m, "push", p.N, p.Width),
		PushLast: m.InVec("push_last", p.N, 1),
		Pop:      m.Source("pop", p.Width),
		PopLast:  m.Out("pop_last", 1),
	}
	above := m.Reg("above", p.N, 0)
	// The stream that has the output, one-hot; 0 between packets. A word on
	// offer fixes it too, for it must stay until the receiver takes it.
	owner := m.Reg("owner", p.N, 0)

	request := io.Push.Valid.Pack().As("request")
	grant := hw.Mux(owner.Any(), owner, Pick(request, above)).As("grant")

	io.Pop.Valid.Set(request.And(grant).Any())
	io.Pop.Data.Set(io.Push.Data.Select(grant))
	io.PopLast.Set(io.PushLast.Pack().And(grant).Any())
	io.Push.Ready.Set(grant.And(io.Pop.Ready.Repeat(p.N)).Unpack(1))

	m.When(io.Pop.Fire().And(io.PopLast), func() {
		owner.Set(hw.K(0))
		above.Set(Above(grant))
	}).ElseWhen(io.Pop.Valid, func() {
		owner.Set(grant)
	})
	return io
}
