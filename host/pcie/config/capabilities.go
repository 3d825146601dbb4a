package config

// Offsets of the capabilities.
const (
	powerAt     = 0x40
	msixAt      = 0x50
	expressAt   = 0x60
	aerAt       = 0x100
	serialAt    = 0x150
	secondaryAt = 0x160
)

// ExtendedCapabilities is the offset of the first extended capability.
const ExtendedCapabilities = aerAt

// Capability IDs.
const (
	PowerID     = 0x01
	ExpressID   = 0x10
	MSIXID      = 0x11
	AERID       = 0x0001
	SerialID    = 0x0003
	SecondaryID = 0x0019
)

// Registers of the capabilities, relative to the start of each.
const (
	PowerControl = 0x04 // 2 bytes
	MSIXControl  = 0x02 // 2 bytes
	MSIXTable    = 0x04
	MSIXPending  = 0x08
)

// Bits of PowerControl and MSIXControl.
const (
	PowerState       = 3
	D3hot            = 3
	MSIXFunctionMask = 1 << 14
	MSIXEnable       = 1 << 15
)

// power returns the power management capability (7.5.2).
func power() []Register {
	return []Register{
		header("Power Management", powerAt, PowerID, msixAt,
			fixed(16, 3, "Version", 3, ""), fixed(27, 5, "PME Support", 0, "none")),
		{"Power Management Control", powerAt + PowerControl, 2, []Field{
			{Name: "Power State", Bits: 2, Kind: Written, About: "0: D0, 3: D3hot; other values are ignored"},
			fixed(3, 1, "No Soft Reset", 1, "D3hot to D0 keeps all state"),
		}},
	}
}

// msix returns the MSI-X capability (7.7.2).
func msix(f Function) []Register {
	return []Register{
		header("MSI-X", msixAt, MSIXID, expressAt,
			fixed(16, 11, "Table Size", uint64(f.Vectors-1), "vectors minus one"),
			flag(30, "Function Mask", "masks all vectors"),
			flag(31, "MSI-X Enable", "enables interrupts")),
		{"MSI-X Table", msixAt + MSIXTable, 4, []Field{
			fixed(0, 3, "BAR", 0, ""), fixed(3, 29, "Offset", f.Table/8, "in units of 8 bytes"),
		}},
		{"MSI-X Pending Bits", msixAt + MSIXPending, 4, []Field{
			fixed(0, 3, "BAR", 0, ""), fixed(3, 29, "Offset", f.Pending/8, "in units of 8 bytes"),
		}},
	}
}

// serial returns the device serial number capability (7.9.3).
func serial(f Function) []Register {
	return []Register{
		{"Device Serial Number", serialAt, 4, []Field{
			fixed(0, 16, "Capability ID", SerialID, ""), fixed(16, 4, "Version", 1, ""),
			{Name: "Next", Low: 20, Bits: 12, Kind: Live, About: "160 from 8 GT/s on, else 0"},
		}},
		{"Serial Number, low", serialAt + 4, 4, []Field{fixed(0, 32, "Serial Number", f.Serial&0xffffffff, "")}},
		{"Serial Number, high", serialAt + 8, 4, []Field{fixed(0, 32, "Serial Number", f.Serial>>32, "an EUI-64")}},
	}
}
