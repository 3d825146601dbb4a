package arch

// Geometry is what a device says about its sizes, in its registers caps0 to caps4.
type Geometry struct {
	Engines, Banks, Blocks, Ways int
	StreamBytes, Tags            int
	HalfWords                    int // words of a mini-batch, inputs times lookups
	Slots, Tables, GPUs          int
	IDBits, VectorValues         int
}

// MaxRingLog2 is log2 of the entries of the largest ring.
const MaxRingLog2 = 15

// MostEnds is how many inputs can end in a row of the eDRAM, which has a word for each
// engine.
const MostEnds = 4

// Geometry is what a device of these sizes says about itself.
func (p Params) Geometry() Geometry {
	return Geometry{
		Engines: p.Engines, Banks: p.Banks, Blocks: p.Blocks, Ways: p.Ways, StreamBytes: p.StreamBytes(), Tags: p.Tags,
		HalfWords: p.HalfWords(), Slots: p.Slots, Tables: p.Tables, GPUs: p.GPUs, IDBits: p.IDBits(), VectorValues: p.VectorValues,
	}
}

// Caps are the values of the registers caps0 to caps4.
func (g Geometry) Caps() [5]uint32 {
	log := func(n int) uint32 { return uint32(Log2(n)) }
	return [5]uint32{
		log(g.Engines) | log(g.Banks)<<8 | log(g.Blocks)<<16 | log(g.Ways)<<24,
		uint32(g.StreamBytes) | uint32(g.Tags)<<16,
		uint32(g.HalfWords),
		uint32(g.Slots) | uint32(g.Tables)<<16,
		uint32(g.IDBits) | uint32(g.GPUs)<<8 | uint32(g.VectorValues)<<16,
	}
}

// GeometryOf is what the registers caps0 to caps4 say.
func GeometryOf(caps [5]uint32) Geometry {
	field := func(i, low, bits int) int { return int(caps[i] >> low & (1<<bits - 1)) }
	power := func(i, low int) int { return 1 << field(i, low, 8) }
	return Geometry{
		Engines: power(0, 0), Banks: power(0, 8), Blocks: power(0, 16), Ways: power(0, 24),
		StreamBytes: field(1, 0, 16), Tags: field(1, 16, 16), HalfWords: field(2, 0, 32),
		Slots: field(3, 0, 16), Tables: field(3, 16, 16), IDBits: field(4, 0, 8), GPUs: field(4, 8, 8), VectorValues: field(4, 16, 16),
	}
}

// LeastSlots is the least number of lookups of an input.
func (g Geometry) LeastSlots() int { return max(1, g.Engines/MostEnds) }

// RowBytes are the sizes of the shortest row, a beat, and of the longest, which fills
// the vector buffer. Rows between them are powers of two.
func (g Geometry) RowBytes() (least, most int) { return g.StreamBytes, WordBytes * g.VectorValues }

// BitmapBytes is the size of the bitmap of a mini-batch of so many inputs: whole beats.
func (g Geometry) BitmapBytes(inputs int) int {
	beatBits := 8 * g.StreamBytes
	return (inputs + beatBits - 1) / beatBits * g.StreamBytes
}
