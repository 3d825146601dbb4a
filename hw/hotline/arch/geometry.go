package arch

// Geometry holds the sizes that a device reports in its registers caps0 to caps4.
type Geometry struct {
	Engines      int `doc:"lookup engines"`
	Banks        int `doc:"EAL banks"`
	Blocks       int `doc:"EAL blocks in total: rows that can be hot"`
	Ways         int `doc:"size of an EAL set" unit:"blocks"`
	StreamBytes  int `doc:"data width of the boundary" unit:"bytes"`
	Tags         int `doc:"DMA reads in flight"`
	HalfWords    int `doc:"words of a half of the input eDRAM"` // samples of a mini-batch times lookups
	Slots        int `doc:"most lookups per sample"`
	Tables       int `doc:"most embedding tables"`
	GPUs         int `doc:"most GPUs"`
	IDBits       int `doc:"row id" unit:"bits"`
	VectorValues int `doc:"FP32 values of the embedding vector buffer"`
}

// MaxRingLog2 is log2 of the number of entries of the largest ring.
const MaxRingLog2 = 15

// MostEnds is the maximum number of inputs that end in one row of the eDRAM. A row has one word per
// engine.
const MostEnds = 4

// MostGroup is the maximum number of inputs that are gathered, or of rows that are updated, in an
// interleaved group. Between two rows of one vector come rows of the other vectors of the group. A
// small vector buffer limits the group further; see Geometry.Group.
const MostGroup = 8

// Geometry returns the sizes that a device with these parameters reports.
func (p Params) Geometry() Geometry {
	return Geometry{
		Engines: p.Engines, Banks: p.Banks, Blocks: p.Blocks, Ways: p.Ways, StreamBytes: p.StreamBytes(), Tags: p.Tags,
		HalfWords: p.HalfWords(), Slots: p.Slots, Tables: p.Tables, GPUs: p.GPUs, IDBits: p.IDBits(), VectorValues: p.VectorValues,
	}
}

// Caps encodes the geometry as the values of the registers caps0 to caps4.
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

// GeometryOf decodes the values of the registers caps0 to caps4.
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

// LeastSlots returns the minimum number of lookups per input.
func (g Geometry) LeastSlots() int { return max(1, g.Engines/MostEnds) }

// RowBytes returns the sizes of the shortest row, one beat, and of the longest, which fills the
// vector buffer. The length of a row is a power of two.
func (g Geometry) RowBytes() (least, most int) { return g.StreamBytes, WordBytes * g.VectorValues }

// Group returns the number of inputs that are gathered, or of rows that are updated, in an
// interleaved group.
func (g Geometry) Group(rowBytes int) int { return min(MostGroup, WordBytes*g.VectorValues/rowBytes) }

// BitmapBytes returns the size in bytes of the bitmap of a mini-batch: a whole number of beats.
func (g Geometry) BitmapBytes(inputs int) int {
	beatBits := 8 * g.StreamBytes
	return (inputs + beatBits - 1) / beatBits * g.StreamBytes
}
