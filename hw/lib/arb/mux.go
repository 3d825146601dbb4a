package arb

import "github.com/hotline-rtl/hotline/hw"

// Mux merges N streams of packets into one stream. It does not interleave packets: a stream keeps
// the output from the first to the last word of its packet.
type Mux[T any] struct {
	Of hw.Shape[T] `hw:"parameter" doc:"payload of a word"`
	N  int         `doc:"streams to merge"`
}

// Word is a word of a packet.
type Word[T any] struct {
	Data T       `hw:"inline"`
	Last hw.Bits // the last word of its packet
}

// MuxPorts are the ports of a Mux. The path from Push to Pop is combinational.
type MuxPorts[T any] struct {
	Push hw.Array[hw.Stream[Word[T]]] `hw:"in,of=Of,len=N" doc:"streams of packets"`
	Pop  hw.Stream[Word[T]]           `hw:"out,of=Of" doc:"the packets, one after the other"`
}

// Build describes the multiplexer.
func (p Mux[T]) Build(m *hw.Module) MuxPorts[T] {
	m.Doc("Merges streams of packets, round robin between packets.")
	io := hw.Ports[MuxPorts[T]](m)
	above := m.Reg("above", p.N, 0)
	// The stream that owns the output, one-hot; 0 between packets. An offered word also fixes the
	// owner, because it must stay until the receiver takes it.
	owner := m.Reg("owner", p.N, 0)

	request := hw.Valids(io.Push).Pack().As("request")
	grant := hw.Mux(owner.Any(), owner, Pick(request, above)).As("grant")
	words := m.WireVec("word", p.N, p.Of.Bits())
	m.For("stream", p.N, func(i hw.Index) { words.At(i).Set(hw.Pack(io.Push.At(i).Data.Data)) })
	last := io.Push.Vec(func(s hw.Stream[Word[T]]) hw.Bits { return s.Data.Last })

	io.Pop.Valid.Set(request.And(grant).Any())
	hw.Set(io.Pop.Data.Data, p.Of.Unpack(m, words.Select(grant)))
	io.Pop.Data.Last.Set(last.Pack().And(grant).Any())
	hw.Readies(io.Push).Set(grant.And(io.Pop.Ready.Repeat(p.N)).Unpack(1))

	m.When(io.Pop.Fire().And(io.Pop.Data.Last), func() {
		owner.Set(hw.K(0))
		above.Set(Above(grant))
	}).ElseWhen(io.Pop.Valid, func() {
		owner.Set(grant)
	})
	return io
}
