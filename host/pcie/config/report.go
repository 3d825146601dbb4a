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

// Report notes an error, and the header of the TLP at fault, of 12 or 16 bytes, or
// none. An advisory one is left to others, who know better how bad it is: as long as
// it is not fatal it counts as correctable (6.2.3.2.4). tell says whether the host wants a message
// of the severity. The log keeps the first error until the host clears its bit; a
// masked error is not logged (6.2.4). What the link has corrected is told once until the
// host clears its bit: messages about a bad link would meet errors of their own.
func (s *Space) Report(e Error, advisory bool, tlp []byte) (severity Severity, tell bool) {
	switch {
	case e.Correctable():
		known := s.DW(aerAt+CorrectableStatus)>>e.Bit()&1 != 0
		return Correctable, s.correctable(e) && !known
	case s.DW(aerAt+UncorrectableSeverity)>>e.Bit()&1 != 0:
		severity = Fatal
	case advisory:
		severity = Correctable
	default:
		severity = NonFatal
	}
	if e == UnsupportedRequest {
		s.value[expressAt+DeviceStatus] |= DeviceUnsupported
	}
	if severity == Correctable {
		tell = s.correctable(AdvisoryNonFatal)
		if s.DW(aerAt+CorrectableMask)>>AdvisoryNonFatal.Bit()&1 == 0 {
			s.log(e, tlp)
		}
		return severity, tell && s.wantsUnsupported(e)
	}
	s.value[expressAt+DeviceStatus] |= 1 << severity
	return severity, s.log(e, tlp) && s.wants(e, severity)
}

// correctable notes a correctable error, and says whether the host wants a message.
func (s *Space) correctable(e Error) (tell bool) {
	at := aerAt + CorrectableStatus
	s.put(at, s.DW(at)|1<<e.Bit())
	s.value[expressAt+DeviceStatus] |= 1 << Correctable
	return s.DW(aerAt+CorrectableMask)>>e.Bit()&1 == 0 && s.word(expressAt+DeviceControl)>>Correctable&1 != 0
}

// log enters an error into its status, with the TLP if it is the first; it reports
// whether the error is not masked.
func (s *Space) log(e Error, tlp []byte) bool {
	at, mask := aerAt+UncorrectableStatus, s.DW(aerAt+UncorrectableMask)
	pending := s.DW(at) &^ mask
	s.put(at, s.DW(at)|1<<e.Bit())
	if mask>>e.Bit()&1 != 0 {
		return false
	}
	if pending != 0 {
		return true
	}
	s.value[aerAt+AERControl] = s.value[aerAt+AERControl]&^0x1f | byte(e.Bit())
	var log [16]byte
	copy(log[:], tlp)
	for i := range 4 {
		s.put(aerAt+HeaderLog+4*i, binary.BigEndian.Uint32(log[4*i:]))
	}
	return true
}

// wants reports whether the host has asked for messages of a severity that is not
// correctable. With SERR# Enable the message shows in Status.
func (s *Space) wants(e Error, severity Severity) bool {
	if s.word(Command)&CommandSERR != 0 {
		s.SetStatus(SignaledSystemError)
		return true
	}
	return s.word(expressAt+DeviceControl)>>severity&1 != 0 && s.wantsUnsupported(e)
}

// wantsUnsupported: unsupported requests have an enable of their own.
func (s *Space) wantsUnsupported(e Error) bool {
	return e != UnsupportedRequest || s.word(expressAt+DeviceControl)&DeviceReportUnsupported != 0 || s.word(Command)&CommandSERR != 0
}

// SetStatus sets error bits of Status, that of a master data parity error only
// if Command asks for it (7.5.1.1.4).
func (s *Space) SetStatus(bits uint16) {
	if s.word(Command)&CommandParity == 0 {
		bits &^= MasterDataParityError
	}
	binary.LittleEndian.PutUint16(s.value[Status:], s.word(Status)|bits)
}
