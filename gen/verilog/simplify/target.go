package simplify

import "github.com/hotline-rtl/hotline/hw/ir"

// Target tells left sides apart: a signal, or a fixed element of one. All of a
// signal and elements that are computed count as the signal.
type Target struct {
	sig     *ir.Signal
	element string
}

func TargetOf(l ir.LValue) Target {
	if !l.Part {
		return Target{sig: l.Sig}
	}
	return Target{l.Sig, l.Index.String()}
}
