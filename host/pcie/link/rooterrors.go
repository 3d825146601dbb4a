package link

import (
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// RootErrors are the root error registers, in which a root complex collects what
// devices, and it itself, tell of errors (7.8.4.9).
type RootErrors struct {
	// Status has a bit of Root* for each thing that has happened.
	Status uint32
	// CorrectableSource and UncorrectableSource sent the first message of their sort.
	CorrectableSource, UncorrectableSource pcie.ID
	// Messages counts all of them, by severity.
	Messages [3]uint64
}

// Bits of [RootErrors.Status].
const (
	RootCorrectable           = 1 << iota // ERR_COR has come
	RootMultipleCorrectable               // more than once
	RootUncorrectable                     // ERR_NONFATAL or ERR_FATAL has come
	RootMultipleUncorrectable             // more than once
	RootFirstFatal                        // the first of them was fatal
	RootNonFatal                          // ERR_NONFATAL has come
	RootFatal                             // ERR_FATAL has come
)

// errorRegisters returns the registers of a function that reports all errors, wrong
// digests included.
func errorRegisters() *config.Space {
	s, err := config.New(config.DefaultFunction())
	if err != nil {
		panic(err) // the default is in range
	}
	s.SetDW(capability(s.DW, config.ExpressID)+config.DeviceControl, config.DeviceReportErrors, 1)
	w := digests(extended(s.DW, config.AERID), false)
	s.SetDW(w.at, w.value, w.enables)
	return s
}

// note enters a message of a severity.
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

// message takes a message; those that tell of no error change nothing.
func (r *RootErrors) message(t *pcie.TLP) {
	for s, code := range errorMessage {
		if t.Code == code {
			r.note(config.Severity(s), t.Requester)
		}
	}
}

// Errors are the root error registers.
func (rc *RootComplex) Errors() RootErrors { return rc.rootErrors }

// ClearErrors forgets all errors, also those in [RootComplex.OwnErrors].
func (rc *RootComplex) ClearErrors() {
	generate, _ := rc.digests()
	rc.rootErrors, rc.hub.errors = RootErrors{}, errorRegisters()
	rc.setECRC(generate)
}
