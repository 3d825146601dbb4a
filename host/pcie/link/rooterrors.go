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

// rootErrors are the registers, and those for what the root complex meets itself.
type rootErrors struct {
	RootErrors
	space *config.Space
}

// init makes the registers, with all reports enabled.
func (r *rootErrors) init() {
	r.space, _ = config.New(config.DefaultFunction()) // which is in range
	at := capability(r.space.DW, config.ExpressID) + config.DeviceControl
	r.space.SetDW(at, config.DeviceReportErrors, 1)
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

// report notes an error that the root complex has met.
func (rc *RootComplex) report(x config.Error, t *pcie.TLP) {
	if severity, tell := rc.errors.space.Report(x, advisory(x, t), headerOf(t)); tell {
		rc.errors.note(severity, rc.id)
	}
}

// Errors are the root error registers.
func (rc *RootComplex) Errors() RootErrors { return rc.errors.RootErrors }

// OwnErrors has in its error registers what the root complex has met itself; all
// else of it means nothing.
func (rc *RootComplex) OwnErrors() *config.Space { return rc.errors.space }

// ClearErrors forgets all of that.
func (rc *RootComplex) ClearErrors() {
	rc.errors = rootErrors{}
	rc.errors.init()
}
