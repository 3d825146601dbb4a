package config

// Registers of the PCI Express capability, relative to its start (7.5.3).
const (
	DeviceCapabilities = 0x04
	DeviceControl      = 0x08 // 2 bytes
	DeviceStatus       = 0x0a // 2 bytes
	LinkCapabilities   = 0x0c
	LinkControl        = 0x10 // 2 bytes
	LinkStatus         = 0x12 // 2 bytes
	DeviceControl2     = 0x28 // 2 bytes
	linkCapabilities2  = 0x2c
	linkControl2       = 0x30 // 2 bytes
	linkStatus2        = 0x32 // 2 bytes
)

// Bits of DeviceControl, DeviceStatus and LinkControl.
const (
	DeviceReportErrors        = 0xf // all severities, and unsupported requests
	DeviceReportUnsupported   = 1 << 3
	DeviceUnsupported         = 1 << 3 // in DeviceStatus
	DeviceExtendedTags        = 1 << 8
	DeviceFLR                 = 1 << 15
	DeviceTransactionsPending = 1 << 5
	LinkRCB128                = 1 << 3

	maxPayloadShift     = 5  // in DeviceControl, 3 bits
	maxReadRequestShift = 12 // in DeviceControl, 3 bits
)

// express returns the PCI Express capability, version 2.
func express() []Register {
	return []Register{
		header("PCI Express", expressAt, ExpressID, 0,
			fixed(16, 4, "Version", 2, ""), fixed(20, 4, "Device/Port Type", 0, "endpoint"), fixed(25, 5, "Interrupt Message Number", 0, "")),
		{"Device Capabilities", expressAt + DeviceCapabilities, 4, []Field{
			fixed(0, 3, "Max_Payload_Size Supported", 5, "4096 bytes"),
			fixed(5, 1, "Extended Tag Field Supported", 1, "256 reads in flight"),
			fixed(15, 1, "Role-Based Error Reporting", 1, ""),
			fixed(28, 1, "Function Level Reset", 1, ""),
		}},
		{"Device Control", expressAt + DeviceControl, 2, []Field{
			flag(0, "Correctable Error Reporting Enable", ""), flag(1, "Non-Fatal Error Reporting Enable", ""),
			flag(2, "Fatal Error Reporting Enable", ""), flag(3, "Unsupported Request Reporting Enable", ""),
			{Name: "Max_Payload_Size", Low: maxPayloadShift, Bits: 3, Kind: Written, Keeps: true, About: "128 bytes shifted left; 6 and 7 count as 5"},
			flag(8, "Extended Tag Field Enable", "256 reads in flight instead of 32"),
			{Name: "Max_Read_Request_Size", Low: maxReadRequestShift, Bits: 3, Kind: Written, Init: 2, About: "likewise"},
			{Name: "Initiate Function Level Reset", Low: 15, Bits: 1, Kind: Pulse, About: "resets the function"},
		}},
		{"Device Status", expressAt + DeviceStatus, 2, []Field{
			event(0, "Correctable Error Detected", ""), event(1, "Non-Fatal Error Detected", ""),
			event(2, "Fatal Error Detected", ""), event(3, "Unsupported Request Detected", ""),
			{Name: "Transactions Pending", Low: 5, Bits: 1, Kind: Live, About: "reads are outstanding"},
		}},
		{"Link Capabilities", expressAt + LinkCapabilities, 4, []Field{
			{Name: "Max Link Speed", Bits: 4, Kind: Live, About: "generation of the slot"},
			{Name: "Maximum Link Width", Low: 4, Bits: 6, Kind: Live, About: "lanes of the slot"},
			fixed(22, 1, "ASPM Optionality Compliance", 1, ""),
		}},
		{"Link Control", expressAt + LinkControl, 2, keeps(
			flag(3, "Read Completion Boundary", "0: 64 bytes, 1: 128 bytes, as in the root port"),
			flag(6, "Common Clock Configuration", "no effect"), flag(7, "Extended Synch", "no effect"),
		)},
		{"Link Status", expressAt + LinkStatus, 2, []Field{
			{Name: "Current Link Speed", Bits: 4, Kind: Live, About: "generation of the link"},
			{Name: "Negotiated Link Width", Low: 4, Bits: 6, Kind: Live, About: "lanes of the link"},
			fixed(12, 1, "Slot Clock Configuration", 1, ""),
		}},
		{"Device Capabilities 2", expressAt + 0x24, 4, []Field{
			fixed(0, 4, "Completion Timeout Ranges Supported", 0xf, "A to D"),
			fixed(4, 1, "Completion Timeout Disable Supported", 1, ""),
			fixed(16, 1, "10-Bit Tag Completer Supported", 1, ""),
			fixed(17, 1, "10-Bit Tag Requester Supported", 0, "at most 256 reads in flight"),
		}},
		{"Device Control 2", expressAt + DeviceControl2, 2, []Field{
			{Name: "Completion Timeout Value", Bits: 4, Kind: Written, About: "0: the device's own; others as below"},
			flag(4, "Completion Timeout Disable", "reads wait forever"),
		}},
		{"Link Capabilities 2", expressAt + linkCapabilities2, 4, []Field{
			{Name: "Supported Link Speeds", Low: 1, Bits: 7, Kind: Live, About: "a bit for each generation up to the slot's"},
		}},
		{"Link Control 2", expressAt + linkControl2, 2, []Field{
			{Name: "Target Link Speed", Bits: 4, Kind: Written, Keeps: true, About: "no effect"},
		}},
		{"Link Status 2", expressAt + linkStatus2, 2, []Field{
			{Name: "Equalization 8.0 GT/s Complete", Low: 1, Bits: 1, Kind: Live, About: "1 from 8 GT/s on"},
			{Name: "Equalization 8.0 GT/s Phases Successful", Low: 2, Bits: 3, Kind: Live, About: "phases 1 to 3, likewise"},
		}},
	}
}
