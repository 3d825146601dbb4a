package config

import "encoding/binary"

// Severity is the severity of an error, which selects the error message.
type Severity uint8

// The severities (6.2.2).
const (
	Correctable Severity = iota
	NonFatal
	Fatal
)

// Report records an error. The slice tlp contains the header of the TLP at fault, 12 or 16 bytes,
// or is empty. An advisory error is left to another agent that knows its severity: unless it is
// fatal, it counts as correctable (6.2.3.2.4). The second result reports whether the host wants a
// message of the severity.
//
// The log keeps the first error until the host clears its bit; a masked error is not logged
// (6.2.4). A correctable error is reported only once until the host clears its bit. Otherwise,
// messages about a bad link would cause further errors.
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

// correctable records a correctable error and reports whether the host wants a message.
func (s *Space) correctable(e Error) (tell bool) {
	at := aerAt + CorrectableStatus
	s.put(at, s.DW(at)|1<<e.Bit())
	s.value[expressAt+DeviceStatus] |= 1 << Correctable
	return s.DW(aerAt+CorrectableMask)>>e.Bit()&1 == 0 && s.word(expressAt+DeviceControl)>>Correctable&1 != 0
}

// log sets the status bit of an error and logs the TLP if the error is the first. It reports
// whether the error is unmasked.
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

// wants reports whether the host has enabled messages of an uncorrectable severity. If SERR# Enable
// is set, the message also sets a bit in Status.
func (s *Space) wants(e Error, severity Severity) bool {
	if s.word(Command)&CommandSERR != 0 {
		s.SetStatus(SignaledSystemError)
		return true
	}
	return s.word(expressAt+DeviceControl)>>severity&1 != 0 && s.wantsUnsupported(e)
}

// wantsUnsupported reports whether the host wants a message of error e. Unsupported requests have a
// separate enable.
func (s *Space) wantsUnsupported(e Error) bool {
	return e != UnsupportedRequest || s.word(expressAt+DeviceControl)&DeviceReportUnsupported != 0 || s.word(Command)&CommandSERR != 0
}

// SetStatus sets error bits of Status. It sets the master data parity error only if Command enables
// it (7.5.1.1.4).
func (s *Space) SetStatus(bits uint16) {
	if s.word(Command)&CommandParity == 0 {
		bits &^= MasterDataParityError
	}
	binary.LittleEndian.PutUint16(s.value[Status:], s.word(Status)|bits)
}
