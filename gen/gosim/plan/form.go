package plan

import "slices"

// Form is a linear function of digits of a lane number: Add plus the sum of Terms.
type Form struct {
	Terms []Term
	Add   int
}

// Term is (l/Div)%Mod*Mul for a lane l; Mod is 0 for no modulus.
type Term struct{ Div, Mod, Mul int }

var Identity = Form{Terms: []Term{{1, 0, 1}}}

// scaled returns the form l*n.
func scaled(n int) Form { return Form{Terms: []Term{{1, 0, n}}} }

func (t Term) at(l int) int {
	l /= t.Div
	if t.Mod > 0 {
		l %= t.Mod
	}
	return l * t.Mul
}

func (f Form) At(l int) int {
	x := f.Add
	for _, t := range f.Terms {
		x += t.at(l)
	}
	return x
}

// Constant reports whether f is the same for all lanes.
func (f Form) Constant() bool { return len(f.Terms) == 0 }

// steady reports whether f is constant within each aligned group of n lanes.
func (f Form) steady(n int) bool {
	return !slices.ContainsFunc(f.Terms, func(t Term) bool { return t.Div%n != 0 })
}

func (f Form) identity() bool {
	return f.Add == 0 && len(f.Terms) == 1 && f.Terms[0] == Identity.Terms[0]
}

// Fit returns the form of f over n lanes, and whether there is one. The first lanes that form an
// arithmetic progression are the lowest digit of the lane number, and so on.
func Fit(n int, f func(int) int) (Form, bool) {
	g := Form{Add: f(0)}
	for div := 1; div < n; {
		mod, mul := digit(n/div, func(i int) int { return f(i * div) })
		t := Term{div, mod, mul}
		if div*mod == n {
			t.Mod = 0
		}
		if mul != 0 {
			g.Terms = append(g.Terms, t)
		}
		div *= mod
	}
	for l := range n {
		if g.At(l) != f(l) {
			return Form{}, false
		}
	}
	return g, true
}

// digit returns the size of the lowest digit of the argument of f below n, and the difference
// between two successive values of the digit.
func digit(n int, f func(int) int) (size, mul int) {
	mul = f(1) - f(0)
	run := 2
	for run < n && f(run)-f(run-1) == mul {
		run++
	}
	for n%run != 0 {
		run--
	}
	if run == 1 { // n is odd and no progression
		run = n
	}
	return run, mul
}
