package reduce

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// embeddingVectorBuffer stores vectors of up to VectorValues FP32 values in total, one beat per
// word. It tracks which beats are busy, because a result for them is pending.
type embeddingVectorBuffer struct {
	arch.Stream
	VectorValues int `doc:"FP32 values of the embedding vector buffer"`
}

type bufferPorts struct {
	Operand beatRead          `hw:"in" doc:"the beat that the ALUs take"`
	Take    hw.Bits           `hw:"in" doc:"the ALUs take the beat, which is busy until its result"`
	Result  dma.Event[result] `hw:"in" doc:"from the ALUs"`
	Send    beatRead          `hw:"in" doc:"the beat that is sent next"`
}

// beatRead reads a beat in the same cycle.
type beatRead struct {
	Place hw.Bits `hw:"PlaceBits"`
	Beat  hw.Bits `hw:"back,StreamBits"`
	Busy  hw.Bits `hw:"back"`
}

// result is a beat from the ALUs, or a loaded beat.
type result struct {
	Place hw.Bits `hw:"PlaceBits"`
	Beat  hw.Bits `hw:"StreamBits"`
}

// Beats returns the number of beats of the buffer.
func (p embeddingVectorBuffer) Beats() int { return p.VectorValues * 32 / p.StreamBits }

// PlaceBits returns the width of the address of a beat.
func (p embeddingVectorBuffer) PlaceBits() int { return arch.Log2(p.Beats()) }

// Build describes the buffer.
func (p embeddingVectorBuffer) Build(m *hw.Module) bufferPorts {
	m.Doc("Embedding vector buffer: beats of vectors, with a scoreboard of results under way.")
	io := hw.Ports[bufferPorts](m)
	beats := m.Mem("beats", p.Beats(), p.StreamBits)
	busy := m.Reg("busy", p.Beats(), 0)
	for _, rd := range []beatRead{io.Operand, io.Send} {
		rd.Beat.Set(beats.Read(rd.Place))
		rd.Busy.Set(busy.Shr(rd.Place).Bit(0))
	}
	to := io.Result.Data
	m.When(io.Result.Valid, func() { beats.Write(to.Place, to.Beat) })

	none := hw.Zeros(p.Beats())
	begins := hw.Mux(io.Take, io.Operand.Place.Decode(p.Beats()), none).As("begins")
	ends := hw.Mux(io.Result.Valid, to.Place.Decode(p.Beats()), none).As("ends")
	busy.Set(busy.Or(begins).And(ends.Not()))
	return io
}
