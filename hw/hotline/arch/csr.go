package arch

import "github.com/hotline-rtl/hotline/hw/regmap"

// ControlRegisters describes the control and status registers (CSRs), which the driver accesses
// through AXI4-Lite. V is the type of a field: a signal in hardware, a number in software.
type ControlRegisters[V any] struct {
	ID      V `reg:"0x00,ro" doc:"484F544C (\"HOTL\")"`
	Version V `reg:"0x04,ro" doc:"00020004"`
	Caps0   struct {
		EnginesLog2 V `reg:"ro,7:0" doc:"lookup engines"`
		BanksLog2   V `reg:"ro,15:8" doc:"banks of the tracker"`
		BlocksLog2  V `reg:"ro,23:16" doc:"blocks of the tracker"`
		WaysLog2    V `reg:"ro,31:24" doc:"blocks of a set"`
	} `reg:"0x08"`
	Caps1 struct {
		StreamBytes V `reg:"ro,15:0" doc:"shortest row, in bytes"`
		Tags        V `reg:"ro,31:16" doc:"most rows ahead"`
	} `reg:"0x0c"`
	Caps2 struct {
		HalfWords V `reg:"ro,31:0" doc:"words of a half of the eDRAM"`
	} `reg:"0x10"`
	Caps3 struct {
		Slots  V `reg:"ro,15:0" doc:"most lookups of an input"`
		Tables V `reg:"ro,31:16" doc:"most tables"`
	} `reg:"0x14"`
	Caps4 struct {
		IDBits       V `reg:"ro,7:0" doc:"bits of a row id"`
		GPUs         V `reg:"ro,15:8" doc:"most GPUs"`
		VectorValues V `reg:"ro,31:16" doc:"longest row, in FP32 values"`
	} `reg:"0x18"`
	Control struct {
		Enable    V `reg:"wo,0" doc:"commands are fetched"`
		Enabled   V `reg:"ro,0" doc:"that, and no reset is under way"`
		Reset     V `reg:"pulse,1" doc:"begins a reset"`
		Resetting V `reg:"ro,1" doc:"1 until the reset is done"`
	} `reg:"0x20"`
	Status struct {
		Busy    V `reg:"ro,0" doc:"a command was asked for and its completion has not left, 0 if halted"`
		Ready   V `reg:"ro,1" doc:"tracker is cleared after reset"`
		Halted  V `reg:"ro,2" doc:"a completion was not written"`
		Overrun V `reg:"ro,3" doc:"sq_tail is beyond the ring"`
		NoRings V `reg:"ro,4" doc:"commands wait, but sq_base or cq_base was not written since the reset"`
	} `reg:"0x24"`

	SQBase V `reg:"0x30,rw,63:6" doc:"command ring address, a multiple of 64: its low 6 bits are 0"`
	SQLog2 V `reg:"0x38,rw,3:0" doc:"log2 of its entries"`
	SQTail V `reg:"0x3c,rw,15:0" doc:"doorbell: free-running producer index"`
	SQHead V `reg:"0x40,ro,15:0" doc:"free-running consumer index: commands taken"`
	CQBase V `reg:"0x44,rw,63:5" doc:"completion ring address, a multiple of 32: its low 5 bits are 0"`
	CQLog2 V `reg:"0x4c,rw,3:0" doc:"log2 of its entries"`
	CQHead V `reg:"0x50,rw,15:0" doc:"driver's consumer index, free-running; the device never overruns it"`
	CQTail V `reg:"0x54,ro,15:0" doc:"free-running producer index: completions written, with the one that could not be"`

	Error        V `reg:"0x58,ro,3:0" doc:"DMA error code of the completion that could not be written"`
	RowsAhead    V `reg:"0x5c,ro" doc:"rows ahead"`
	Lookups      V `reg:"0x60,count" doc:"lookups answered in classification"`
	CacheHits    V `reg:"0x64,count" doc:"of those, answered by an engine's cache"`
	LookupCycles V `reg:"0x68,count" doc:"cycles with a classify sweep running"`
	RowsRead     V `reg:"0x6c,count" doc:"rows read, counted when an operation takes them"`
	RowsWritten  V `reg:"0x70,count" doc:"vectors and rows written, not bitmaps, hot sets and completions"`
	Dropped      V `reg:"0x74,ro,15:0" doc:"beats of read data that nothing expected; stays at FFFF"`

	HotLookups    V `reg:"0x78,count" doc:"lookups answered in classification whose row the tracker has"`
	Conflicts     V `reg:"0x7c,count" doc:"requests to the tracker in classification that a bank did not take in a cycle: another came first, or its queue was full"`
	WindowStalls  V `reg:"0x80,count" doc:"cycles in classification, summed over the engines, in which a word waited for room in the window"`
	QueueStalls   V `reg:"0x84,count" doc:"cycles in classification, summed over the engines, in which a lookup waited for room in the queue to a bank"`
	LearnCycles   V `reg:"0x88,count" doc:"cycles with a learn sweep running"`
	ReadsInFlight struct {
		Now  V `reg:"ro,15:0" doc:"reads of rows and words that hold a tag"`
		Most V `reg:"count,31:16" doc:"most of them at once"`
	} `reg:"0x8c"`
	TagStalls    V `reg:"0x90,count" doc:"reads that waited for a tag"`
	LateRows     V `reg:"0x94,count" doc:"operations that waited for their row"`
	WriteStalls  V `reg:"0x98,count" doc:"writes that the link did not take at once"`
	BytesRead    V `reg:"0xa0,count,63:0" doc:"bytes asked for, those of commands too"`
	BytesWritten V `reg:"0xa8,count,63:0" doc:"bytes written, those of completions too"`
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
