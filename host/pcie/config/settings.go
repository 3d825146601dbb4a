package config

import "time"

// Settings contains the host's settings, decoded for the function.
type Settings struct {
	Memory       bool   // BAR 0 is enabled
	BusMaster    bool   // requests may be sent
	Base         uint64 // of BAR 0
	MPS, MRRS    int    // in bytes
	RCB          int    // in bytes
	ExtendedTags bool
	MSIX         bool // interrupts may be sent
	Masked       bool // all vectors are masked
	GenerateECRC bool // TLPs get a digest
	CheckECRC    bool // digests are checked

	// Timeout is the completion timeout of reads. 0 selects the function's default, and a negative
	// value disables the timeout.
	Timeout time.Duration
}

// Settings returns the current settings. In D3hot, memory and bus mastering are off (5.3.1.4).
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

// size decodes a size in Device Control, in bytes. The two reserved codes count as the largest
// size.
func size(code uint16) int { return 128 << min(code&7, 5) }

// SizeCode encodes a size of 128 to 4096 bytes for Device Control.
func SizeCode(bytes int) (code uint16) {
	for ; 128<<code < bytes; code++ {
	}
	return code
}

// Timeouts maps values of Device Control 2 to completion timeouts, each inside the range of its
// value (7.5.3.16). Other values are reserved and count as 0.
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

// SetLink sets the generation and the number of lanes of the function's link.
func (s *Space) SetLink(generation, lanes int) {
	link := uint32(lanes)<<4 | uint32(generation)
	s.put(expressAt+LinkCapabilities, s.DW(expressAt+LinkCapabilities)&^0x3ff|link)
	s.put(expressAt+LinkControl, s.DW(expressAt+LinkControl)&^(0x3ff<<16)|link<<16)
	s.put(expressAt+linkCapabilities2, (1<<generation-1)<<1)
	s.put(expressAt+linkControl2, s.DW(expressAt+linkControl2)&^(0xf|equalized<<16)|uint32(generation))
	s.setEqualized(generation, lanes)
}

// SetPending sets whether reads of the function are pending.
func (s *Space) SetPending(pending bool) {
	p := &s.value[expressAt+DeviceStatus]
	*p &^= DeviceTransactionsPending
	if pending {
		*p |= DeviceTransactionsPending
	}
}
