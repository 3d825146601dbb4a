package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// Loader reads an array of words from host memory into an eDRAM half, a chunk
// per DMA read.
type Loader struct{ arch.Params }

// LoaderPorts: Start takes Addr, Words and Half; Busy until the last read has
// been requested.
type LoaderPorts struct {
	Start, Addr, Words, Half hw.Bits
	Busy                     hw.Bits
	Req                      hw.Stream[dma.Request]
}

// chunkBytes is the size of a load's DMA reads: large enough that tags do not
// limit the rate, small enough to spread over the completions of the link.
const chunkBytes = 512

// ModuleName names the module.
func (Loader) ModuleName() string { return "loader" }

// Build describes the loader.
func (p Loader) Build(m *hw.Module) LoaderPorts {
	m.Doc("Loader: requests the words of a mini-batch from host memory.")
	const chunkWords = chunkBytes * 8 / wordBits
	db := edramDestBits(p.Params)
	io := LoaderPorts{
		Start: m.In("start", 1),
		Addr:  m.In("addr", 64),
		Words: m.In("words", wordsBits(p.Params)),
		Half:  m.In("half", 1),
		Busy:  m.Out("busy", 1),
		Req:   hw.Ports[requestPort](m).Req,
	}
	addr := m.Data("next_addr", 64)
	left := m.Reg("left", wordsBits(p.Params), 0)
	dest := m.Data("dest", db)
	words := hw.Mux(left.Ge(hw.K(chunkWords)), hw.K(chunkWords), left).As("chunk_words")
	bytes := hw.Cat(words.Resize(dma.LenBits-2), hw.Zeros(2)).As("chunk_length")

	io.Busy.Set(left.Any())
	io.Req.Valid.Set(left.Any())
	hw.Set(io.Req.Data, dma.Request{Peer: hw.K(0), Addr: addr, Len: bytes, Kind: hw.Value(m, dma.Load), Dest: dest.Ext(destBits)})
	m.When(io.Start, func() {
		addr.Set(io.Addr)
		left.Set(io.Words)
		dest.Set(hw.Cat(io.Half, hw.Zeros(db-1)))
	}).ElseWhen(io.Req.Fire(), func() {
		addr.Set(addr.Add(hw.K(chunkBytes)))
		left.Set(left.Sub(words))
		dest.Set(dest.Add(hw.K(chunkBytes / p.StreamBytes())))
	})
	return io
}
