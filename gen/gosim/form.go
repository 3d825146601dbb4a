package gosim

import "slices"

// form is a function of a lane number: add plus the sum of the terms.
type form struct {
	terms []term
	add   int
}

// term is (l/div)%mod*mul; mod is 0 for no modulus.
type term struct{ div, mod, mul int }

var identity = form{terms: []term{{1, 0, 1}}}

// scaled is the form l*n.
func scaled(n int) form { return form{terms: []term{{1, 0, n}}} }

func (t term) at(l int) int {
	l /= t.div
	if t.mod > 0 {
		l %= t.mod
	}
	return l * t.mul
}

func (f form) at(l int) int {
	x := f.add
	for _, t := range f.terms {
		x += t.at(l)
	}
	return x
}

// constant tells whether f is the same for all lanes.
func (f form) constant() bool { return len(f.terms) == 0 }

// steady tells whether f is the same for each n lanes that follow a multiple of n.
func (f form) steady(n int) bool {
	return !slices.ContainsFunc(f.terms, func(t term) bool { return t.div%n != 0 })
}

func (f form) identity() bool {
	return f.add == 0 && len(f.terms) == 1 && f.terms[0] == identity.terms[0]
}

// fit finds the form of f over n lanes: the first lanes that make an arithmetic
// progression are the lowest digit of the lane number, and so on.
func fit(n int, f func(int) int) (form, bool) {
	g := form{add: f(0)}
	for div := 1; div < n; {
		mod, mul := digit(n/div, func(i int) int { return f(i * div) })
		t := term{div, mod, mul}
		if div*mod == n {
			t.mod = 0
		}
		if mul != 0 {
			g.terms = append(g.terms, t)
		}
		div *= mod
	}
	for l := range n {
		if g.at(l) != f(l) {
			return form{}, false
		}
	}
	return g, true
}

// digit is the size of the lowest digit of the argument of f below n, and what
// it counts.
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
