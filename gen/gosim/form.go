package gosim

import (
	"fmt"
	"strings"
)

// form is a function of a lane number l: (l/div)*mul + (l%div)*step + add.
type form struct{ div, mul, step, add int }

var identity = form{div: 1, mul: 1}

func (f form) at(l int) int { return l/f.div*f.mul + l%f.div*f.step + f.add }

// constant tells whether f is the same for all lanes.
func (f form) constant() bool { return f.mul == 0 && f.step == 0 }

// fit finds the form of f over n lanes.
func fit(n int, f func(int) int) (form, bool) {
	for div := 1; div <= n; div++ {
		if n%div != 0 || div == n && n > 1 {
			continue
		}
		g := form{div: div, add: f(0)}
		if div > 1 {
			g.step = f(1) - f(0)
		}
		if n > div {
			g.mul = f(div) - f(0)
		}
		if g.matches(n, f) {
			return g.simple(), true
		}
	}
	return form{}, false
}

func (f form) matches(n int, want func(int) int) bool {
	for l := range n {
		if f.at(l) != want(l) {
			return false
		}
	}
	return true
}

// simple is f with a divisor of 1 where that is the same function.
func (f form) simple() form {
	if f.mul == f.div*f.step {
		return form{div: 1, mul: f.step, add: f.add}
	}
	return f
}

// expr is f as a Go expression of the int variable l.
func (f form) expr(l string) string {
	var terms []string
	switch {
	case f.mul == 0:
	case f.div == 1:
		terms = append(terms, times(l, f.mul))
	case f.div&(f.div-1) == 0:
		terms = append(terms, times(fmt.Sprintf("int(uint(%s)/%d)", l, f.div), f.mul))
	default:
		terms = append(terms, times(fmt.Sprintf("%s/%d", l, f.div), f.mul))
	}
	switch {
	case f.step == 0 || f.div == 1:
	case f.div&(f.div-1) == 0:
		terms = append(terms, times(fmt.Sprintf("(%s&%d)", l, f.div-1), f.step))
	default:
		terms = append(terms, times(fmt.Sprintf("(%s%%%d)", l, f.div), f.step))
	}
	if f.add != 0 || len(terms) == 0 {
		terms = append(terms, fmt.Sprint(f.add))
	}
	return strings.Join(terms, "+")
}

func times(x string, n int) string {
	if n == 1 {
		return x
	}
	return fmt.Sprintf("%s*%d", x, n)
}
