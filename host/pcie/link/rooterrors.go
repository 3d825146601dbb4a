package link

import (
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// RootErrors contains the root error registers. In them, a root complex collects the error messages
// of devices and its own errors (7.8.4.9).
type RootErrors struct {
	// Status has a bit Root* for each kind of event.
	Status uint32
	// CorrectableSource and UncorrectableSource are the sources of the first message of each kind.
	CorrectableSource, UncorrectableSource pcie.ID
	// Messages counts all messages by severity.
	Messages [3]uint64
}

// Bits of [RootErrors.Status].
const (
	RootCorrectable           = 1 << iota // ERR_COR was received
	RootMultipleCorrectable               // more than once
	RootUncorrectable                     // ERR_NONFATAL or ERR_FATAL was received
	RootMultipleUncorrectable             // more than once
	RootFirstFatal                        // the first uncorrectable error was fatal
	RootNonFatal                          // ERR_NONFATAL was received
	RootFatal                             // ERR_FATAL was received
)

// errorRegisters returns the registers of a function that reports all errors, including wrong
// digests.
func errorRegisters() *config.Space {
	s, err := config.New(config.DefaultFunction())
	if err != nil {
		panic(err) // unreachable: the default is in range
	}
	s.SetDW(capability(s.DW, config.ExpressID)+config.DeviceControl, config.DeviceReportErrors, 1)
	w := digests(extended(s.DW, config.AERID), false)
	s.SetDW(w.at, w.value, w.enables)
	return s
}

// note records a message of a severity.
func (r *RootErrors) note(s config.Severity, source pcie.ID) {
	r.Messages[s]++
	if s == config.Correctable {
		if r.Status&RootCorrectable != 0 {
			r.Status |= RootMultipleCorrectable
			return
		}
		r.Status, r.CorrectableSource = r.Status|RootCorrectable, source
		return
	}
	first := r.Status&RootUncorrectable == 0
	if first {
		r.Status, r.UncorrectableSource = r.Status|RootUncorrectable, source
	} else {
		r.Status |= RootMultipleUncorrectable
	}
	if s == config.NonFatal {
		r.Status |= RootNonFatal
		return
	}
	r.Status |= RootFatal
	if first {
		r.Status |= RootFirstFatal
	}
}

// message records an error message and ignores all other messages.
func (r *RootErrors) message(t *pcie.TLP) {
	for s, code := range errorMessage {
		if t.Code == code {
			r.note(config.Severity(s), t.Requester)
		}
	}
}

// Errors returns the root error registers.
func (rc *RootComplex) Errors() RootErrors { return rc.rootErrors }
