package input

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// Loader reads an array of words from host memory into an eDRAM half, one chunk per DMA read.
type Loader struct{ sizes.Beats }

// LoaderPorts are the ports of a Loader.
type LoaderPorts struct {
	Start hw.Bits                `hw:"in" doc:"takes addr, words and half"`
	Addr  hw.Bits                `hw:"in,64" doc:"of the first word in host memory"`
	Words hw.Bits                `hw:"in,WordsBits" doc:"to load"`
	Half  hw.Bits                `hw:"in" doc:"half of the eDRAM"`
	Busy  hw.Bits                `hw:"out" doc:"reads are to be requested"`
	Req   hw.Stream[dma.Request] `hw:"out" doc:"reads of words"`
}

// ChunkBytes is the size of a load's DMA reads: large enough that tags do not limit the rate, small
// enough to spread over the completions of the link.
const ChunkBytes = 512

// Build describes the loader.
func (p Loader) Build(m *hw.Module) LoaderPorts {
	m.Doc("Loader: requests the words of a mini-batch from host memory.")
	const chunkWords = ChunkBytes * 8 / sizes.WordBits
	io := hw.Ports[LoaderPorts](m)
	addr := m.Data("next_addr", 64)
	left := m.Reg("left", p.WordsBits(), 0)
	dest := m.Data("dest", p.DestBits())
	most := hw.Named("chunk_words", chunkWords)
	words := hw.Mux(left.Ge(most), most, left).As("chunk_words")
	bytes := hw.Cat(words.Resize(dma.LenBits-2), hw.Zeros(2)).As("chunk_length")

	io.Busy.Set(left.Any())
	io.Req.Valid.Set(left.Any())
	hw.Set(io.Req.Data, dma.Request{Peer: hw.K(0), Addr: addr, Len: bytes, Kind: hw.Value(m, dma.Load), Dest: dest.Ext(io.Req.Data.Dest.Width())})
	m.When(io.Start, func() {
		addr.Set(io.Addr)
		left.Set(io.Words)
		dest.Set(hw.Cat(io.Half, hw.Zeros(p.DestBits()-1)))
	}).ElseWhen(io.Req.Fire(), func() {
		addr.Set(addr.Add(hw.Named("chunk_bytes", ChunkBytes)))
		left.Set(left.Sub(words))
		dest.Set(dest.Add(hw.Named("chunk_beats", ChunkBytes/p.StreamBytes())))
	})
	return io
}
