package simplify

import "github.com/hotline-rtl/hotline/hw/ir"

// Target identifies the left side of an assignment: a signal, or a fixed element of one. All
// of a signal and elements with a computed index count as the signal.
type Target struct {
	sig     *ir.Signal
	element string
}

// TargetOf returns the target of an assignment to l.
func TargetOf(l ir.LValue) Target {
	if !l.Part {
		return Target{sig: l.Sig}
	}
	return Target{l.Sig, l.Index.String()}
}
