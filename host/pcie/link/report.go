package link

import (
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// report records an error in the configuration space, with the TLP at fault or nil. It sends an
// error message if the host has enabled it.
func (e *Endpoint) report(x config.Error, t *pcie.TLP) {
	if x == config.PoisonedTLP {
		bits := uint16(config.DetectedParityError)
		if t.Class() == pcie.Completion {
			bits |= config.MasterDataParityError
		}
		e.space.SetStatus(bits)
	}
	severity, tell := e.space.Report(x, advisory(x, t), headerOf(t))
	if tell {
		e.port.Send(pcie.NewMessage(e.cfg.ID, errorMessage[severity]), nil)
	}
}

// errorMessage contains the message code of each severity (2.2.8.3).
var errorMessage = [...]uint8{
	config.Correctable: pcie.MsgErrCorrectable, config.NonFatal: pcie.MsgErrNonFatal, config.Fatal: pcie.MsgErrFatal,
}

// reportRefusal records that a request is completed with an error.
func (e *Endpoint) reportRefusal(status pcie.Status, t *pcie.TLP) {
	if status != pcie.CA {
		e.report(config.UnsupportedRequest, t)
		return
	}
	e.space.SetStatus(config.SignaledTargetAbort)
	e.report(config.CompleterAbort, t)
}

// noteFailure records in Status that a read of the function failed.
func (e *Endpoint) noteFailure(t *pcie.TLP) {
	switch statusError(t.Status) {
	case UnsupportedRequest:
		e.space.SetStatus(config.ReceivedMasterAbort)
	case CompleterAbort:
		e.space.SetStatus(config.ReceivedTargetAbort)
	}
}

// advisory reports whether an error is advisory, because another agent handles it (6.2.3.2.4). A
// requester learns of an error from its completion, and a reader from the end of its descriptor. An
// unexpected completion harms no one.
func advisory(x config.Error, t *pcie.TLP) bool {
	switch x {
	case config.UnexpectedCompletion, config.CompleterAbort:
		return true
	case config.UnsupportedRequest:
		return t.Class() == pcie.NonPosted
	case config.PoisonedTLP:
		return t.Class() == pcie.Completion
	}
	return false
}

// headerOf returns the encoded header of a TLP, or nil if there is none.
func headerOf(t *pcie.TLP) []byte {
	if t == nil {
		return nil
	}
	b, err := t.AppendTo(nil)
	if err != nil {
		return nil
	}
	return b[:t.HeaderLen()]
}
