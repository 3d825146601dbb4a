package config

// Registers of the AER capability, relative to its start (7.8.4).
const (
	UncorrectableStatus   = 0x04
	UncorrectableMask     = 0x08
	UncorrectableSeverity = 0x0c
	CorrectableStatus     = 0x10
	CorrectableMask       = 0x14
	AERControl            = 0x18
	HeaderLog             = 0x1c // 16 bytes
)

// Bits of AERControl that a host sets (7.8.4.7).
const (
	ECRCGenerate = 1 << 6
	ECRCCheck    = 1 << 8
)

// aer returns the advanced error reporting capability. Its registers survive a function-level
// reset, so the host can read the cause afterwards.
func aer() []Register {
	var status, mask, severity, corrected, ignored []Field
	for _, e := range errorNames {
		if e.error.Correctable() {
			corrected = append(corrected, event(e.error.Bit(), e.name, ""))
			ignored = append(ignored, flag(e.error.Bit(), e.name, ""))
			continue
		}
		status = append(status, event(e.error.Bit(), e.name, ""))
		mask = append(mask, flag(e.error.Bit(), e.name, ""))
		s := flag(e.error.Bit(), e.name, "")
		if e.error.Fatal() {
			s.Init = 1
		}
		severity = append(severity, s)
	}
	ignored[len(ignored)-1].Init = 1 // advisory errors
	list := []Register{
		extended("Advanced Error Reporting", aerAt, AERID, 2, serialAt),
		{"Uncorrectable Error Status", aerAt + UncorrectableStatus, 4, keeps(status...)},
		{"Uncorrectable Error Mask", aerAt + UncorrectableMask, 4, keeps(mask...)},
		{"Uncorrectable Error Severity", aerAt + UncorrectableSeverity, 4, keeps(severity...)},
		{"Correctable Error Status", aerAt + CorrectableStatus, 4, keeps(corrected...)},
		{"Correctable Error Mask", aerAt + CorrectableMask, 4, keeps(ignored...)},
		{"AER Capabilities and Control", aerAt + AERControl, 4, keeps(
			Field{Name: "First Error Pointer", Bits: 5, Kind: Live, About: "status bit of the logged error"},
			fixed(5, 1, "ECRC Generation Capable", 1, ""),
			flag(6, "ECRC Generation Enable", "TLPs of the function have a digest"),
			fixed(7, 1, "ECRC Check Capable", 1, ""),
			flag(8, "ECRC Check Enable", "a TLP with a wrong digest is dropped and reported"),
		)},
	}
	for i, name := range []string{"Header Log 0", "Header Log 1", "Header Log 2", "Header Log 3"} {
		list = append(list, Register{name, aerAt + HeaderLog + 4*i, 4, keeps(
			Field{Name: "Header", Bits: 32, Kind: Live, About: "a DW of the faulty TLP, first byte on top"})})
	}
	return list
}
