package gosim

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

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

// expr is f as a Go expression of the int variable l.
func (f form) expr(l string) string {
	var terms []string
	for _, t := range f.terms {
		terms = append(terms, t.expr(l))
	}
	if f.add != 0 || len(terms) == 0 {
		terms = append(terms, fmt.Sprint(f.add))
	}
	return strings.Join(terms, "+")
}

func (t term) expr(l string) string {
	if t.div > 1 {
		if t.div&(t.div-1) == 0 {
			l = fmt.Sprintf("%s>>%d", l, bits.TrailingZeros(uint(t.div)))
		} else {
			l = fmt.Sprintf("%s/%d", l, t.div)
		}
	}
	switch {
	case t.mod == 0:
	case t.mod&(t.mod-1) == 0:
		l = fmt.Sprintf("(%s&%d)", l, t.mod-1)
	default:
		l = fmt.Sprintf("(%s%%%d)", l, t.mod)
	}
	return times(l, t.mul)
}

func times(x string, n int) string {
	if n == 1 {
		return x
	}
	return fmt.Sprintf("%s*%d", x, n)
}
