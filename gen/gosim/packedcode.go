package gosim

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// packedLoop prints a loop over words of several lanes. One-bit values are the
// most significant bits of the lanes in it.
func (e *emitter) packedLoop() {
	u := e.u
	each := 64 / u.elem // lanes in a word
	var collected []*value
	for _, n := range u.nodes {
		if n.out.stored && n.out.bits() {
			collected = append(collected, n.out)
		}
	}
	e.full = map[*value]string{}
	many, word := u.lanes > 64, ""
	if many {
		word = "[w]"
		e.f("for w := range %d {\n", u.lanes/64)
	}
	for _, v := range collected {
		e.f("var b%d uint64\n", v.id)
	}
	if many {
		e.f("for i := w*%d; i < w*%d+%d; i++ {\n", u.elem, u.elem, u.elem)
	} else {
		e.f("for i := range %d {\n", u.lanes/each)
	}
	for _, n := range u.nodes {
		e.packedNode(n)
	}
	e.f("}\n")
	for _, v := range collected {
		e.store(v, v.field()+word, fmt.Sprintf("b%d", v.id))
	}
	if many {
		e.f("}\n")
	}
}

// packedNode prints the evaluation of n in the lanes of a word.
func (e *emitter) packedNode(n *node) {
	x := e.packedValue(n)
	if !simple(x) {
		name := fmt.Sprintf("x%d", n.out.id)
		e.f("%s := uint64(%s)\n", name, x)
		x = name
	}
	e.local[n.out] = []string{x}
	if !n.out.stored {
		return
	}
	if n.out.bits() {
		e.f("b%d |= model.Collect%d(%s) << (uint(i*%d)&63)\n", n.out.id, e.u.elem, x, 64/e.u.elem)
		return
	}
	p := fmt.Sprintf("p%d", n.out.id)
	e.f("%s := %s\n", p, e.wordAt(n.out))
	e.assign(e.p.readers[n.out], "uint64", "*"+p, x)
}

// wordAt is a pointer to the present word of the storage of v.
func (e *emitter) wordAt(v *value) string {
	return fmt.Sprintf("model.Word(unsafe.Pointer(&%s), i)", v.field())
}

// every is a word with x, of at most 64 bits, in each lane.
func (e *emitter) every(x uint64) uint64 {
	for s := e.u.elem; s < 64; s *= 2 {
		x |= x << s
	}
	return x
}

// top are the most significant bits of the lanes.
func (e *emitter) top() uint64 { return e.every(1 << (e.u.elem - 1)) }

// packedWord is the present word of an operand of more than one bit.
func (e *emitter) packedWord(o operand) string {
	switch {
	case o.k != nil:
		return hex(e.every(o.k[0]))
	case o.same(e.u.lanes):
		if w, ok := e.local[o.v]; ok {
			return w[0]
		}
		w := e.set("*%s", e.wordAt(o.v))
		e.local[o.v] = []string{w}
		return w
	}
	return e.set("%s*%s", e.ofAll(o), hex(e.every(1)))
}

// ofAll is the value that all lanes of the present word read.
func (e *emitter) ofAll(o operand) string {
	if o.at.constant() {
		return o.v.lane("", o.at.add)[0]
	}
	return o.v.lane(o.at.expr(fmt.Sprintf("(i*%d)", 64/e.u.elem)), -1)[0]
}

// packedMask is the present word of a one-bit operand: lanes all ones or zero.
func (e *emitter) packedMask(o operand) string {
	switch {
	case o.k != nil:
		return hex(-o.k[0])
	case !o.same(e.u.lanes):
		return e.set("-%s", e.ofAll(o))
	}
	if m, ok := e.full[o.v]; ok {
		return m
	}
	m := ""
	if w, ok := e.local[o.v]; ok {
		m = e.set("(%s>>%d)*%s", w[0], e.u.elem-1, hex(ones(e.u.elem)))
	} else {
		each := 64 / e.u.elem
		word := o.v.field()
		if e.u.lanes > 64 {
			word += "[w]"
		}
		m = e.set("model.Spread%d(%s>>(uint(i*%d)&63))", e.u.elem, word, each)
	}
	e.full[o.v] = m
	return m
}

// packedValue is the word of n's results; one-bit ones are the most significant
// bits of lanes.
func (e *emitter) packedValue(n *node) string {
	if l := n.list; l != nil { // bits that lie as they should
		if l.v.lanes <= 64 {
			return l.v.field()
		}
		return l.v.field() + "[i]"
	}
	all := func(i int) uint64 { return e.every(ones(n.args[i].width)) }
	word := func(i int) string { return e.packedWord(n.args[i]) }
	flip := func(x string) string { return fmt.Sprintf("%s^%s", x, hex(e.top())) }
	switch n.code {
	case ir.And, ir.Or, ir.Xor:
		var w []string
		for i := range n.args {
			w = append(w, word(i))
		}
		return strings.Join(w, map[ir.Op]string{ir.And: "&", ir.Or: "|", ir.Xor: "^"}[n.code])
	case ir.Not:
		return fmt.Sprintf("%s^%s", word(0), hex(all(0)))
	case ir.Mux:
		return e.packedMux(e.packedMask(n.args[0]), word(1), word(2))
	case ir.Slice:
		return e.packedSlice(n)
	case ir.ZExt, ir.Concat:
		return e.packedConcat(n)
	case ir.Ne:
		return e.nonzero(e.set("%s^%s", word(0), word(1)), n.args[0].width)
	case ir.Eq:
		return flip(e.nonzero(e.set("%s^%s", word(0), word(1)), n.args[0].width))
	case ir.RedAnd:
		return flip(e.nonzero(e.set("%s^%s", word(0), hex(all(0))), n.args[0].width))
	case ir.LtU:
		return flip(fmt.Sprintf("((%s|%s)-%s)&%s", word(0), hex(e.top()), word(1), hex(e.top())))
	case ir.LeU:
		return fmt.Sprintf("((%s|%s)-%s)&%s", word(1), hex(e.top()), word(0), hex(e.top()))
	case ir.Add, ir.Sub:
		return e.packedSum(n.code, word(0), word(1), n.width)
	case ir.Lowest:
		return fmt.Sprintf("%s&(%s)", word(0), e.packedSum(ir.Sub, "0", word(0), n.width))
	}
	panic(fmt.Sprintf("gosim: packed operator %s", n.code))
}

func (e *emitter) packedMux(c, a, b string) string {
	switch {
	case b == "0":
		return fmt.Sprintf("%s&%s", a, c)
	case a == "0":
		return fmt.Sprintf("%s&^%s", b, c)
	}
	return fmt.Sprintf("%s^(%s^%s)&%s", b, a, b, c)
}

func (e *emitter) packedSlice(n *node) string {
	x, lo := "", n.lo.add
	if n.unpacks() > 0 {
		lo = n.lo.at(0)
		x = e.set("*%s", e.wordAt(n.args[0].v))
	} else {
		x = e.packedWord(n.args[0])
	}
	if n.width == 1 {
		return fmt.Sprintf("%s<<%d&%s", x, e.u.elem-1-lo, hex(e.top()))
	}
	if n.width == e.u.elem {
		return x
	}
	return fmt.Sprintf("%s>>%d&%s", x, lo, hex(e.every(ones(n.width))))
}

func (e *emitter) packedConcat(n *node) string {
	var terms []string
	at := 0
	for i := len(n.args) - 1; i >= 0; i-- {
		a := n.args[i]
		if a.width == 1 {
			terms = append(terms, fmt.Sprintf("%s&%s", e.packedMask(a), hex(e.every(1<<at))))
		} else {
			terms = append(terms, up(e.packedWord(a), at))
		}
		at += a.width
	}
	return strings.Join(terms, "|")
}

// nonzero are the lanes of x, values of width bits, that are not zero.
func (e *emitter) nonzero(x string, width int) string {
	low := hex(e.top() ^ ^uint64(0))
	if width < e.u.elem {
		return fmt.Sprintf("(%s+%s)&%s", x, low, hex(e.top()))
	}
	x = e.variable(x)
	return fmt.Sprintf("((%s&%s+%s)|%s)&%s", x, low, low, x, hex(e.top()))
}

// packedSum adds or subtracts lanes without a carry between them.
func (e *emitter) packedSum(op ir.Op, a, b string, width int) string {
	top, low, all := hex(e.top()), hex(^e.top()), hex(e.every(ones(width)))
	if width < e.u.elem {
		if op == ir.Add {
			return fmt.Sprintf("(%s+%s)&%s", a, b, all)
		}
		return fmt.Sprintf("((%s|%s)-%s)&%s", a, top, b, all)
	}
	a, b = e.variable(a), e.variable(b)
	if op == ir.Add {
		return fmt.Sprintf("(%s&%s+%s&%s)^(%s^%s)&%s", a, low, b, low, a, b, top)
	}
	return fmt.Sprintf("((%s|%s)-%s&%s)^(%s^%s^%s)&%s", a, top, b, low, a, b, top, top)
}
