package drivers

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// checkDrivers verifies that each element of each signal that m must drive has exactly one driver.
// It skips the signals in failed.
func checkDrivers(m *Module, failed map[*ir.Signal]bool) []ir.Problem {
	var out []ir.Problem
	m.IR.Body.Walk(func(s *ir.Scope) {
		for _, sig := range s.Signals {
			if !sig.Driven() || failed[sig] {
				continue
			}
			if p, bad := checkSignal(sig, m.Drivers[sig]); bad {
				p.ID, p.Module, p.Sig = "driver", m.IR.Name, sig
				out = append(out, p)
			}
		}
	})
	return out
}

// checkSignal returns the first mistake in the drives of sig.
func checkSignal(sig *ir.Signal, drives []*Drive) (p ir.Problem, bad bool) {
	what := fmt.Sprintf("%s %q", sig.Kind, sig.Name)
	if sig.Pin != nil {
		what = fmt.Sprintf("input %q of instance %q", sig.Pin.Port.Name, sig.Pin.Inst.Name)
	}
	if len(drives) == 0 {
		return ir.Problem{Text: what + " has no driver", Pos: sig.Pos}, true
	}
	eachIteration(outerLoops(sig, drives), map[*ir.For]int{}, func(iter map[*ir.For]int) {
		if !bad {
			p, bad = checkElements(sig, drives, what, iter)
		}
	})
	return p, bad
}

// checkElements checks the drives of sig in one iteration of the loops around its declaration.
func checkElements(sig *ir.Signal, drives []*Drive, what string, iter map[*ir.For]int) (ir.Problem, bool) {
	bits := piecesOf(sig, drives)
	owner := make([]*Drive, sig.Type.Count()*len(bits))
	at := func(format string, i int, args ...any) string {
		return what + elemText(sig, i/len(bits)) + fmt.Sprintf(format, append([]any{forBits(bits[i%len(bits)])}, args...)...)
	}
	for _, d := range drives {
		for _, k := range elements(d, iter) {
			for b := range bits {
				i := k*len(bits) + b
				switch {
				case !drivesBits(d.LHS, bits[b]):
					continue
				case owner[i] == d:
					return ir.Problem{Text: at(" has a driver%s in several iterations of a loop", i), Pos: d.Pos}, true
				case owner[i] != nil:
					return ir.Problem{Text: at(" has two drivers%s, the other at %s", i, owner[i].Pos), Pos: d.Pos}, true
				}
				owner[i] = d
			}
		}
	}
	if i := slices.Index(owner, nil); i >= 0 {
		return ir.Problem{Text: at(" has no driver%s", i), Pos: sig.Pos}, true
	}
	if len(bits) > 1 {
		return ir.Problem{Text: what + " has drivers of its bits in several loops; use a vector", Pos: drives[0].Pos}, true
	}
	return ir.Problem{}, false
}

// piecesOf returns the ranges of bits that the drives of an element assign together. If no drive
// assigns a part of the bits, it returns one range for the whole element.
func piecesOf(sig *ir.Signal, drives []*Drive) (out []ir.LValue) {
	at := []int{0, sig.Type.Width}
	for _, d := range drives {
		if d.LHS.Bits > 0 {
			at = append(at, d.LHS.Lo, d.LHS.Lo+d.LHS.Bits)
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	if len(at) == 2 {
		return []ir.LValue{{}}
	}
	for i, lo := range at[:len(at)-1] {
		out = append(out, ir.LValue{Lo: lo, Bits: at[i+1] - lo})
	}
	return out
}

func drivesBits(l, piece ir.LValue) bool {
	return l.Bits == 0 || l.Lo <= piece.Lo && piece.Lo+piece.Bits <= l.Lo+l.Bits
}

func elemText(s *ir.Signal, k int) string {
	if !s.Type.IsVec() {
		return ""
	}
	return fmt.Sprintf(" element %d", k)
}

// outerLoops returns the loops around the declaration of sig that determine which elements the
// drives assign.
func outerLoops(sig *ir.Signal, drives []*Drive) []*ir.For {
	var out []*ir.For
	for _, d := range drives {
		for _, t := range d.LHS.Index.Terms {
			if sig.Scope.Inside(t.Loop.Body) && !slices.Contains(out, t.Loop) {
				out = append(out, t.Loop)
			}
		}
	}
	return out
}

// elements returns the elements of its signal that d drives. It returns one entry per iteration of
// the loops between the signal's scope and the scope of d. iter is the iteration of the loops
// around the signal.
func elements(d *Drive, iter map[*ir.For]int) []int {
	var loops []*ir.For
	for s := d.Scope; s != d.LHS.Sig.Scope; s = s.Parent {
		loops = append(loops, s.Loop)
	}
	var out []int
	eachIteration(loops, iter, func(iter map[*ir.For]int) {
		if d.LHS.Part {
			out = append(out, d.LHS.Index.At(func(f *ir.For) int { return iter[f] }))
			return
		}
		for i := range d.LHS.Sig.Type.Count() {
			out = append(out, i)
		}
	})
	return out
}

// eachIteration calls f for all values of the variables of loops. The last loop is the outermost.
func eachIteration(loops []*ir.For, iter map[*ir.For]int, f func(map[*ir.For]int)) {
	if len(loops) == 0 {
		f(iter)
		return
	}
	last := len(loops) - 1
	for i := range loops[last].N {
		iter[loops[last]] = i
		eachIteration(loops[:last], iter, f)
	}
}
