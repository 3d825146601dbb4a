package config

import "time"

// Settings are what the host has set, in the words of who obeys it.
type Settings struct {
	Memory       bool   // BAR 0 answers
	BusMaster    bool   // requests may be sent
	Base         uint64 // of BAR 0
	MPS, MRRS    int    // bytes
	RCB          int    // bytes
	ExtendedTags bool
	MSIX         bool // interrupts may be sent
	Masked       bool // all vectors are
	GenerateECRC bool // TLPs get a digest
	CheckECRC    bool // digests are checked

	// Timeout of reads: 0 is the function's own, and below 0 there is none.
	Timeout time.Duration
}

// Settings are those in force. In D3hot memory and bus mastering are off (5.3.1.4).
func (s *Space) Settings() Settings {
	command, control := s.word(Command), s.word(expressAt+DeviceControl)
	msix := s.word(msixAt + MSIXControl)
	awake := s.value[powerAt+PowerControl]&PowerState == 0
	aer := s.DW(aerAt + AERControl)
	rcb := 64
	if s.word(expressAt+LinkControl)&LinkRCB128 != 0 {
		rcb = 128
	}
	return Settings{
		Memory: awake && command&CommandMemory != 0, BusMaster: awake && command&CommandBusMaster != 0,
		Base: uint64(s.DW(BAR0) &^ 0xf),
		MPS:  size(control >> maxPayloadShift), MRRS: size(control >> maxReadRequestShift), RCB: rcb,
		ExtendedTags: control&DeviceExtendedTags != 0,
		MSIX:         msix&MSIXEnable != 0, Masked: msix&MSIXFunctionMask != 0,
		GenerateECRC: aer&ECRCGenerate != 0, CheckECRC: aer&ECRCCheck != 0,
		Timeout: timeout(s.word(expressAt + DeviceControl2)),
	}
}

// size decodes a size of Device Control; the two reserved codes count as the
// largest.
func size(code uint16) int { return 128 << min(code&7, 5) }

// SizeCode encodes 128 to 4096 bytes as Device Control does.
func SizeCode(bytes int) (code uint16) {
	for ; 128<<code < bytes; code++ {
	}
	return code
}

// Timeouts are the completion timeouts by the value in Device Control 2 (7.5.3.16):
// one inside the range that the value stands for. Other values are reserved, and
// count as 0.
var Timeouts = map[uint16]time.Duration{
	1: 100 * time.Microsecond, 2: 10 * time.Millisecond, 5: 55 * time.Millisecond, 6: 210 * time.Millisecond,
	9: 900 * time.Millisecond, 10: 3500 * time.Millisecond, 13: 13 * time.Second, 14: 64 * time.Second,
}

func timeout(control2 uint16) time.Duration {
	if control2>>4&1 != 0 {
		return -1
	}
	return Timeouts[control2&0xf]
}

// SetLink tells what link the function is on: its generation and lanes.
func (s *Space) SetLink(generation, lanes int) {
	link := uint32(lanes)<<4 | uint32(generation)
	s.put(expressAt+LinkCapabilities, s.DW(expressAt+LinkCapabilities)&^0x3ff|link)
	s.put(expressAt+LinkControl, s.DW(expressAt+LinkControl)&^(0x3ff<<16)|link<<16)
	s.put(expressAt+linkCapabilities2, (1<<generation-1)<<1)
	s.put(expressAt+linkControl2, s.DW(expressAt+linkControl2)&^(0xf|equalized<<16)|uint32(generation))
	s.setEqualized(generation, lanes)
}

// SetPending tells whether reads of the function are not yet answered.
func (s *Space) SetPending(pending bool) {
	p := &s.value[expressAt+DeviceStatus]
	*p &^= DeviceTransactionsPending
	if pending {
		*p |= DeviceTransactionsPending
	}
}
