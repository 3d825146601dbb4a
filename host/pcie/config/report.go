package config

import "encoding/binary"

// Severity is how bad an error is, and with it which message tells of it.
type Severity uint8

// The severities (6.2.2).
const (
	Correctable Severity = iota
	NonFatal
	Fatal
)

// Report notes an uncorrectable error, a bit of its status register, and the
// header of the TLP at fault, of 12 or 16 bytes, or none. tell says whether the
// host wants a message of the severity. The log keeps the first error until the
// host clears its bit; a masked error is not logged (6.2.4).
func (s *Space) Report(bit int, tlp []byte) (severity Severity, tell bool) {
	at, mask := aerAt+UncorrectableStatus, uint32(1)<<bit
	pending := s.DW(at) &^ s.DW(aerAt+UncorrectableMask)
	s.put(at, s.DW(at)|mask)
	severity = NonFatal
	if s.DW(aerAt+UncorrectableSeverity)&mask != 0 {
		severity = Fatal
	}
	s.value[expressAt+DeviceStatus] |= 1 << severity
	if bit == UnsupportedRequest {
		s.value[expressAt+DeviceStatus] |= 1 << 3
	}
	if s.DW(aerAt+UncorrectableMask)&mask != 0 {
		return severity, false
	}
	if pending == 0 {
		s.value[aerAt+AERControl] = s.value[aerAt+AERControl]&^0x1f | byte(bit)
		var log [16]byte
		copy(log[:], tlp)
		for i := range 4 {
			s.put(aerAt+HeaderLog+4*i, binary.BigEndian.Uint32(log[4*i:]))
		}
	}
	return severity, s.wants(severity, bit)
}

// wants reports whether the host has asked for messages of a severity.
func (s *Space) wants(severity Severity, bit int) bool {
	control := s.word(expressAt + DeviceControl)
	serr := s.word(Command)>>8&1 != 0
	if bit == UnsupportedRequest && control>>3&1 == 0 && !serr {
		return false
	}
	return serr || control>>severity&1 != 0
}
