package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

// lhsKey tells left sides apart: a signal, or a fixed element of one. All of a
// signal and elements that are computed count as the signal.
type lhsKey struct {
	sig     *ir.Signal
	element string
}

func localKey(l ir.LValue) lhsKey {
	if !l.Part {
		return lhsKey{sig: l.Sig}
	}
	return lhsKey{l.Sig, l.Index.String()}
}

// bitsKey tells apart what lhsKey does, and bits of that.
type bitsKey struct {
	lhsKey
	lo, bits int
}
