package config

import "math/bits"

// Registers of the type 0 header (7.5.1).
const (
	Command      = 0x04
	Status       = 0x06
	HeaderType   = 0x0e
	BAR0         = 0x10
	Capabilities = 0x34 // offset of the first capability
)

// Bits of Command.
const (
	CommandMemory    = 1 << 1
	CommandBusMaster = 1 << 2
	CommandParity    = 1 << 6
	CommandSERR      = 1 << 8
)

// Error bits of Status.
const (
	MasterDataParityError = 1 << 8
	SignaledTargetAbort   = 1 << 11
	ReceivedTargetAbort   = 1 << 12
	ReceivedMasterAbort   = 1 << 13
	SignaledSystemError   = 1 << 14
	DetectedParityError   = 1 << 15
)

// Registers returns the table of all registers of a function, sorted by offset. The fields of f
// must be in range.
func Registers(f Function) []Register {
	list := typeZero(f)
	list = append(list, power()...)
	list = append(list, msix(f)...)
	list = append(list, express()...)
	list = append(list, aer()...)
	list = append(list, serial(f)...)
	return append(list, secondary()...)
}

// typeZero returns the registers of the type 0 header.
func typeZero(f Function) []Register {
	size := bits.TrailingZeros64(f.BARSize)
	return []Register{
		{"Vendor ID", 0x00, 2, []Field{fixed(0, 16, "Vendor ID", uint64(f.Vendor), "unassigned")}},
		{"Device ID", 0x02, 2, []Field{fixed(0, 16, "Device ID", uint64(f.Device), "")}},
		{"Command", Command, 2, []Field{
			flag(1, "Memory Space Enable", "BAR 0 answers; otherwise an access is an unsupported request"),
			flag(2, "Bus Master Enable", "requests and interrupts are sent; otherwise they wait"),
			flag(6, "Parity Error Response", "poisoned data of a read sets Master Data Parity Error"),
			flag(8, "SERR# Enable", "reports uncorrectable errors, like Device Control"),
		}},
		{"Status", Status, 2, []Field{
			fixed(4, 1, "Capabilities List", 1, ""),
			event(8, "Master Data Parity Error", "a read returned poisoned data"),
			event(11, "Signaled Target Abort", "a request was completed with CA"), event(12, "Received Target Abort", "a read ended with CA"),
			event(13, "Received Master Abort", "a read ended with UR"),
			event(14, "Signaled System Error", "an error message was sent"), event(15, "Detected Parity Error", "poisoned data arrived"),
		}},
		{"Revision and Class", 0x08, 4, []Field{
			fixed(0, 8, "Revision ID", uint64(f.Revision), "major version of the register map"),
			fixed(8, 24, "Class Code", uint64(f.Class), "processing accelerator"),
		}},
		{"Cache Line Size", 0x0c, 1, []Field{{Name: "Cache Line Size", Bits: 8, Kind: Written, About: "no effect"}}},
		{"Header Type", HeaderType, 1, []Field{fixed(0, 8, "Header Type", 0, "type 0, one function")}},
		{"BAR 0", BAR0, 4, []Field{
			fixed(0, 4, "Type", 0, "memory, 32 bits, not prefetchable"),
			{Name: "Base", Low: size, Bits: 32 - size, Kind: Written, About: "bits below the size read 0"},
		}},
		{"Subsystem Vendor ID", 0x2c, 2, []Field{fixed(0, 16, "Subsystem Vendor ID", uint64(f.Vendor), "")}},
		{"Subsystem ID", 0x2e, 2, []Field{fixed(0, 16, "Subsystem ID", uint64(f.Device), "")}},
		{"Capabilities Pointer", Capabilities, 1, []Field{fixed(0, 8, "First", powerAt, "")}},
		{"Interrupt Line", 0x3c, 1, []Field{{Name: "Interrupt Line", Bits: 8, Kind: Written, About: "no effect"}}},
		{"Interrupt Pin", 0x3d, 1, []Field{fixed(0, 8, "Interrupt Pin", 0, "no INTx")}},
	}
}
