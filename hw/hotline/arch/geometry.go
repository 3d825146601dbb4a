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

// MostGroup is how many inputs are gathered side by side, or rows updated, unless the
// vector buffer has room for fewer: so many rows, each for another vector, come between two
// of the same.
const MostGroup = 8

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
		log(g.Engines)<<Caps0EnginesLog2Low | log(g.Banks)<<Caps0BanksLog2Low | log(g.Blocks)<<Caps0BlocksLog2Low | log(g.Ways)<<Caps0WaysLog2Low,
		uint32(g.StreamBytes)<<Caps1StreamBytesLow | uint32(g.Tags)<<Caps1TagsLow,
		uint32(g.HalfWords) << Caps2HalfWordsLow,
		uint32(g.Slots)<<Caps3SlotsLow | uint32(g.Tables)<<Caps3TablesLow,
		uint32(g.IDBits)<<Caps4IDBitsLow | uint32(g.GPUs)<<Caps4GPUsLow | uint32(g.VectorValues)<<Caps4VectorValuesLow,
	}
}

// GeometryOf is what the registers caps0 to caps4 say.
func GeometryOf(caps [5]uint32) Geometry {
	field := func(i, low, bits int) int { return int(caps[i] >> low & (1<<bits - 1)) }
	power := func(i, low int) int { return 1 << field(i, low, 8) }
	return Geometry{
		Engines:      power(0, Caps0EnginesLog2Low),
		Banks:        power(0, Caps0BanksLog2Low),
		Blocks:       power(0, Caps0BlocksLog2Low),
		Ways:         power(0, Caps0WaysLog2Low),
		StreamBytes:  field(1, Caps1StreamBytesLow, 16),
		Tags:         field(1, Caps1TagsLow, 16),
		HalfWords:    field(2, Caps2HalfWordsLow, 32),
		Slots:        field(3, Caps3SlotsLow, 16),
		Tables:       field(3, Caps3TablesLow, 16),
		IDBits:       field(4, Caps4IDBitsLow, 8),
		GPUs:         field(4, Caps4GPUsLow, 8),
		VectorValues: field(4, Caps4VectorValuesLow, 16),
	}
}

// LeastSlots is the least number of lookups of an input.
func (g Geometry) LeastSlots() int { return max(1, g.Engines/MostEnds) }

// RowBytes are the sizes of the shortest row, a beat, and of the longest, which fills
// the vector buffer. Rows between them are powers of two.
func (g Geometry) RowBytes() (least, most int) { return g.StreamBytes, WordBytes * g.VectorValues }

// Group is how many inputs are gathered, or rows updated, side by side.
func (g Geometry) Group(rowBytes int) int { return min(MostGroup, WordBytes*g.VectorValues/rowBytes) }

// BitmapBytes is the size of the bitmap of a mini-batch of so many inputs: whole beats.
func (g Geometry) BitmapBytes(inputs int) int {
	beatBits := 8 * g.StreamBytes
	return (inputs + beatBits - 1) / beatBits * g.StreamBytes
}
