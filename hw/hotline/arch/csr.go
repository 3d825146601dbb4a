package arch

import "github.com/hotline-rtl/hotline/hw/regmap"

// ControlRegisters describes the control and status registers (CSRs), which the driver accesses
// through AXI4-Lite. V is the type of a field: a signal in hardware, a number in software.
type ControlRegisters[V any] struct {
	ID      V `reg:"0x00,ro" doc:"484F544C (\"HOTL\")"`
	Version V `reg:"0x04,ro" doc:"00020004"`
	Caps0   struct {
		EnginesLog2 V `reg:"ro,7:0" doc:"lookup engines"`
		BanksLog2   V `reg:"ro,15:8" doc:"EAL banks"`
		BlocksLog2  V `reg:"ro,23:16" doc:"EAL blocks"`
		WaysLog2    V `reg:"ro,31:24" doc:"blocks per set"`
	} `reg:"0x08"`
	Caps1 struct {
		StreamBytes V `reg:"ro,15:0" doc:"shortest row, in bytes"`
		Tags        V `reg:"ro,31:16" doc:"maximum rows ahead"`
	} `reg:"0x0c"`
	Caps2 struct {
		HalfWords V `reg:"ro,31:0" doc:"words per eDRAM half"`
	} `reg:"0x10"`
	Caps3 struct {
		Slots  V `reg:"ro,15:0" doc:"maximum lookups per input"`
		Tables V `reg:"ro,31:16" doc:"maximum tables"`
	} `reg:"0x14"`
	Caps4 struct {
		IDBits       V `reg:"ro,7:0" doc:"bits of a row id"`
		GPUs         V `reg:"ro,15:8" doc:"maximum GPUs"`
		VectorValues V `reg:"ro,31:16" doc:"longest row, in FP32 values"`
	} `reg:"0x18"`
	Control struct {
		Enable    V `reg:"wo,0" doc:"fetches commands"`
		Enabled   V `reg:"ro,0" doc:"enabled, and no reset in progress"`
		Reset     V `reg:"pulse,1" doc:"begins a reset"`
		Resetting V `reg:"ro,1" doc:"reset in progress"`
	} `reg:"0x20"`
	Status struct {
		Busy    V `reg:"ro,0" doc:"a command is in flight, from its fetch to its completion; 0 if halted"`
		Ready   V `reg:"ro,1" doc:"EAL is cleared after reset"`
		Halted  V `reg:"ro,2" doc:"a completion could not be written"`
		Overrun V `reg:"ro,3" doc:"sq_tail exceeds the ring"`
		NoRings V `reg:"ro,4" doc:"commands wait for sq_base or cq_base"`
	} `reg:"0x24"`

	SQBase V `reg:"0x30,rw,63:6" doc:"command ring address, a multiple of 64"`
	SQLog2 V `reg:"0x38,rw,3:0" doc:"log2 of its entries"`
	SQTail V `reg:"0x3c,rw,15:0" doc:"doorbell: producer index, free-running"`
	SQHead V `reg:"0x40,ro,15:0" doc:"consumer index: commands taken"`
	CQBase V `reg:"0x44,rw,63:5" doc:"completion ring address, a multiple of 32"`
	CQLog2 V `reg:"0x4c,rw,3:0" doc:"log2 of its entries"`
	CQHead V `reg:"0x50,rw,15:0" doc:"consumer index of the driver; the device never overruns it"`
	CQTail V `reg:"0x54,ro,15:0" doc:"producer index: completions, also a failed one"`

	Error        V `reg:"0x58,ro,3:0" doc:"DMA error code of the failed completion"`
	RowsAhead    V `reg:"0x5c,ro" doc:"rows ahead"`
	Lookups      V `reg:"0x60,count" doc:"classification lookups"`
	CacheHits    V `reg:"0x64,count" doc:"classification lookups answered by caches of engines"`
	LookupCycles V `reg:"0x68,count" doc:"cycles of classify sweeps"`
	RowsRead     V `reg:"0x6c,count" doc:"rows read and taken by operations"`
	RowsWritten  V `reg:"0x70,count" doc:"vectors and rows written"`
	Dropped      V `reg:"0x74,ro,15:0" doc:"unexpected beats of read data; saturates at FFFF"`

	HotLookups    V `reg:"0x78,count" doc:"classification lookups of hot rows"`
	Conflicts     V `reg:"0x7c,count" doc:"cycles of classification requests that a bank did not take"`
	WindowStalls  V `reg:"0x80,count" doc:"classification cycles of words that waited for the window"`
	QueueStalls   V `reg:"0x84,count" doc:"classification cycles of lookups that waited for a bank queue"`
	LearnCycles   V `reg:"0x88,count" doc:"cycles of learn sweeps"`
	ReadsInFlight struct {
		Now  V `reg:"ro,15:0" doc:"reads that hold a tag"`
		Most V `reg:"count,31:16" doc:"maximum"`
	} `reg:"0x8c"`
	TagStalls    V `reg:"0x90,count" doc:"reads that waited for a tag"`
	LateRows     V `reg:"0x94,count" doc:"operations that waited for their row"`
	WriteStalls  V `reg:"0x98,count" doc:"writes that the link delayed"`
	BytesRead    V `reg:"0xa0,count,63:0" doc:"bytes requested, with commands"`
	BytesWritten V `reg:"0xa8,count,63:0" doc:"bytes written, with completions"`
}

// CSRMap is the register map of the control and status registers. go test -update writes their
// offsets to csrnumbers.go.
var CSRMap = regmap.New[ControlRegisters[uint64]]("hotline", "Control and status registers of the accelerator.", regmap.WholeWords)

// Values of the registers ID and Version.
const (
	ID      = 0x484F544C
	Version = 0x00020004
)

// csrs returns the names of all register words by their byte offsets.
func csrs() (list []Name[int]) {
	for _, r := range CSRMap.Registers {
		for w := range r.Words {
			list = append(list, Name[int]{r.At(0, w), r.WordName(0, w)})
		}
	}
	return list
}
