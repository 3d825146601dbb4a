package gosim

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// narrowShifts makes a slice of the low bits of a wide value shifted to the right
// a shift with a narrow result.
func (p *plan) narrowShifts() {
	for _, n := range p.nodes {
		if n.code != ir.Slice || n.width > 64 || !n.lo.constant() || n.lo.add != 0 || !n.args[0].same(n.lanes) {
			continue
		}
		if m := n.args[0].v.node; m != nil && m.code == ir.ShrU && m.width > 64 && m.lanes == n.lanes {
			n.code, n.args = ir.ShrU, slices.Clone(m.args)
		}
	}
}

// shiftRight is the shift of a wide value, of which the low bits are wanted.
func (e *emitter) shiftRight(n *node, a, by []string) []string {
	words := e.array(a)
	mask := ""
	if n.width < 64 {
		mask = "&" + hex(ones(n.width))
	}
	if k := len(a); n.width == 1 && inside(n.args[1], n.args[0].width) {
		at := e.variable(by[0])
		return []string{fmt.Sprintf("%s[%s]>>(%s&63)%s", words, index(at+">>6", -1, k), at, mask)}
	}
	at := e.temp()
	e.f("%s := amount(%s[:], %d)\n", at, e.array(by), n.args[0].width)
	out := make([]string, ir.Words(n.width))
	for i := range out { // often only some of the words are of use
		out[i] = e.set("bv.Word(%s[:], %s+%d)", words, at, 64*i)
	}
	out[len(out)-1] = "(" + out[len(out)-1] + mask + ")"
	return out
}

// decode is a bit shifted to the left in a wide value.
func (e *emitter) decode(n *node, bit string, a []string) []string {
	t, size := e.temp(), ir.Words(n.width)
	if n.args[0].k == nil {
		bit = e.variable(bit)
	}
	e.f("var %s [%d]uint64\n", t, size)
	if inside(n.args[1], n.width) {
		at := e.variable(a[0])
		e.f("%s[%s] = %s << (%s&63)\n", t, index(at+">>6", -1, size), bit, at)
	} else {
		e.f("if i, ok := bv.Index(%s[:], %d); ok {\n%s[i>>6] = %s << (i&63)\n}\n", e.array(a), n.width, t, bit)
	}
	out := make([]string, size)
	for i := range out {
		out[i] = fmt.Sprintf("%s[%d]", t, i)
	}
	return out
}

// inside tells whether o, a number, is always below n.
func inside(o operand, n int) bool { return o.width < 32 && 1<<o.width <= n }
