package config

// Registers of the AER capability, from its start (7.8.4).
const (
	UncorrectableStatus   = 0x04
	UncorrectableMask     = 0x08
	UncorrectableSeverity = 0x0c
	CorrectableStatus     = 0x10
	CorrectableMask       = 0x14
	AERControl            = 0x18
	HeaderLog             = 0x1c // 16 bytes
)

// Bits of the uncorrectable error registers.
const (
	DataLinkProtocol     = 4
	PoisonedTLP          = 12
	FlowControlProtocol  = 13
	CompletionTimeout    = 14
	CompleterAbort       = 15
	UnexpectedCompletion = 16
	ReceiverOverflow     = 17
	MalformedTLP         = 18
	ECRCError            = 19
	UnsupportedRequest   = 20
)

// uncorrectable are the errors with their names; fatal ones are so by default.
var uncorrectable = []struct {
	bit   int
	name  string
	fatal bool
}{
	{DataLinkProtocol, "Data Link Protocol Error", true},
	{PoisonedTLP, "Poisoned TLP", false},
	{FlowControlProtocol, "Flow Control Protocol Error", true},
	{CompletionTimeout, "Completion Timeout", false},
	{CompleterAbort, "Completer Abort", false},
	{UnexpectedCompletion, "Unexpected Completion", false},
	{ReceiverOverflow, "Receiver Overflow", true},
	{MalformedTLP, "Malformed TLP", true},
	{ECRCError, "ECRC Error", false},
	{UnsupportedRequest, "Unsupported Request", false},
}

// Bits of the correctable error registers.
const (
	ReceiverError      = 0
	BadTLP             = 6
	BadDLLP            = 7
	ReplayRollover     = 8
	ReplayTimerTimeout = 12
	AdvisoryNonFatal   = 13
)

var correctable = []struct {
	bit  int
	name string
}{
	{ReceiverError, "Receiver Error"}, {BadTLP, "Bad TLP"}, {BadDLLP, "Bad DLLP"}, {ReplayRollover, "REPLAY_NUM Rollover"},
	{ReplayTimerTimeout, "Replay Timer Timeout"}, {AdvisoryNonFatal, "Advisory Non-Fatal Error"},
}

// aer is the advanced error reporting capability. Its registers survive a
// function-level reset, so that what led to it can be read afterwards.
func aer() []Register {
	var status, mask, severity, corrected, ignored []Field
	for _, e := range uncorrectable {
		status = append(status, event(e.bit, e.name, ""))
		mask = append(mask, flag(e.bit, e.name, ""))
		s := flag(e.bit, e.name, "")
		if e.fatal {
			s.Init = 1
		}
		severity = append(severity, s)
	}
	for _, e := range correctable {
		corrected = append(corrected, event(e.bit, e.name, ""))
		m := flag(e.bit, e.name, "")
		if e.bit == AdvisoryNonFatal {
			m.Init = 1
		}
		ignored = append(ignored, m)
	}
	list := []Register{
		extended("Advanced Error Reporting", aerAt, AERID, 2, serialAt),
		{"Uncorrectable Error Status", aerAt + UncorrectableStatus, 4, keeps(status...)},
		{"Uncorrectable Error Mask", aerAt + UncorrectableMask, 4, keeps(mask...)},
		{"Uncorrectable Error Severity", aerAt + UncorrectableSeverity, 4, keeps(severity...)},
		{"Correctable Error Status", aerAt + CorrectableStatus, 4, keeps(corrected...)},
		{"Correctable Error Mask", aerAt + CorrectableMask, 4, keeps(ignored...)},
		{"AER Capabilities and Control", aerAt + AERControl, 4, keeps(
			Field{Name: "First Error Pointer", Bits: 5, Kind: Live, About: "the bit in the status of the error that the header log belongs to"})},
	}
	for i, name := range []string{"Header Log 0", "Header Log 1", "Header Log 2", "Header Log 3"} {
		list = append(list, Register{name, aerAt + HeaderLog + 4*i, 4, keeps(
			Field{Name: "Header", Bits: 32, Kind: Live, About: "a DW of the TLP at fault, its first byte on top"})})
	}
	return list
}
