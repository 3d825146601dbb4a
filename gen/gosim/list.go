package gosim

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// element are the words of element k of l, k being a Go expression.
func (e *emitter) element(l *list, k string) []string {
	if l.v.lanes == 1 || l.stride == 0 {
		e.f("_ = %s\n", k)
		return l.v.lane(l.base.expr(e.l), -1)
	}
	at := times(k, l.stride)
	return l.v.lane(l.base.expr(e.l)+"+"+at, -1)
}

// elementBits are the elements of a list of bits as words.
func (e *emitter) elementBits(l *list) []string {
	v := l.v
	if !l.base.constant() {
		if v.lanes <= 64 {
			return []string{fmt.Sprintf("%s>>(uint(%s)&63)&%s", v.field(), l.base.expr(e.l), hex(ones(l.n)))}
		}
		return e.field(v.field(), v.bitWords(), l.base, l.n)
	}
	w := make([]string, v.bitWords())
	for i := range w {
		w[i] = fmt.Sprintf("%s[%d]", v.field(), i)
	}
	if v.lanes <= 64 {
		w[0] = v.field()
	}
	return cut(w, v.lanes, l.base.add, l.n)
}

// zeros declares n variables.
func (e *emitter) zeros(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = e.temp()
		e.f("var %s uint64\n", out[i])
	}
	return out
}

// listed is an operation on a list of elements.
func (e *emitter) listed(n *node) []string {
	var first []string
	if len(n.args) > 0 {
		for _, w := range e.read(n.args[0]) {
			first = append(first, e.variable(w))
		}
	}
	if n.list.v.bits() {
		return e.listedBits(n, first)
	}
	l := n.list
	out := e.zeros(ir.Words(n.width))
	or := func(el []string) {
		for i := range out {
			e.f("%s |= %s\n", out[i], el[i])
		}
	}
	switch n.code {
	case ir.Or:
		e.f("for k := range %d {\n", l.n)
		or(e.element(l, "k"))
		e.f("}\n")
	case ir.Concat:
		if l.stride == 0 && l.v.width == 1 {
			return e.repeated(l, n.width)
		}
		return e.pack(n, n.list, out)
	case ir.EqLanes:
		if l.wordwise(n.lanes) && l.v.laneBits() <= widest && len(out) == 1 {
			return e.equalWords(l, n.width, first[0])
		}
		for i := range out {
			e.f("for k := range %d {\n", min(64, l.n-64*i))
			el := e.element(l, fmt.Sprintf("(k+%d)", 64*i))
			c := make([]string, len(el))
			for j := range el {
				c[j] = fmt.Sprintf("%s == %s", el[j], first[j])
			}
			e.f("%s |= bit(%s) << (uint(k)&63)\n}\n", out[i], strings.Join(c, " && "))
		}
	case ir.Select:
		for i, m := range first {
			e.f("for m := uint64(%s); m != 0; m &= m-1 {\nk := model.FirstBit(m)+%d\n", m, 64*i)
			or(e.element(l, "k"))
			e.f("}\n")
		}
	case ir.Elem:
		ok := within(n.args[0].width, l.n, first)
		if ok != "" {
			e.f("if %s {\n", ok)
		}
		or(e.element(l, fmt.Sprintf("int(%s)", first[0])))
		if ok != "" {
			e.f("}\n")
		}
	default:
		panic(fmt.Sprintf("gosim: list operator %s", n.code))
	}
	return out
}

func (e *emitter) listedBits(n *node, first []string) []string {
	if n.code == ir.Elem {
		return e.elementBit(n, first)
	}
	all := e.elementBits(n.list)
	switch n.code {
	case ir.Or:
		return []string{fmt.Sprintf("bit(%s != 0)", strings.Join(all, "|"))}
	case ir.Concat:
		return all
	case ir.EqLanes:
		out := make([]string, len(all))
		for i := range all {
			out[i] = fmt.Sprintf("(%s)^(%s-1)&%s", all[i], first[0], hex(ones(min(64, n.list.n-64*i))))
		}
		return out
	case ir.Select:
		terms := make([]string, len(all))
		for i := range all {
			terms[i] = fmt.Sprintf("(%s)&%s", all[i], first[i])
		}
		return []string{fmt.Sprintf("bit(%s != 0)", strings.Join(terms, "|"))}
	}
	panic(fmt.Sprintf("gosim: list operator %s", n.code))
}

// elementBit is a bit of a list chosen by an index.
func (e *emitter) elementBit(n *node, index []string) []string {
	out := e.zeros(1)
	at := fmt.Sprintf("%s+int(%s)", n.list.base.expr(e.l), index[0])
	x := fmt.Sprintf("%s = %s\n", out[0], n.list.v.lane(at, -1)[0])
	if ok := within(n.args[0].width, n.list.n, index); ok != "" {
		x = fmt.Sprintf("if %s {\n%s}\n", ok, x)
	}
	e.f("%s", x)
	return out
}

// wordwise tells whether the elements of each of so many lanes are whole words of
// storage, one lane after the other.
func (l *list) wordwise(lanes int) bool {
	size := l.v.laneBits()
	if size == 0 || l.stride != 1 || l.n*size%64 != 0 {
		return false
	}
	for lane := range lanes {
		if l.base.at(lane) != lane*l.n {
			return false
		}
	}
	return true
}

// adjacent is the list of the operands of a concatenation if they follow each
// other in storage without gaps; else nil.
func (n *node) adjacent() *list {
	if n.code != ir.Concat || n.list != nil || len(n.args) < 2 || n.args[0].v == nil {
		return nil
	}
	count := len(n.args)
	l := &list{v: n.args[0].v, n: count, stride: 1, base: scaled(count)}
	for k := range count {
		a := n.args[count-1-k] // the most significant stands first
		if a.v != l.v || a.table != nil || a.width != l.v.laneBits() {
			return nil
		}
		for lane := range n.lanes {
			if a.at.at(lane) != lane*count+k {
				return nil
			}
		}
	}
	if !l.wordwise(n.lanes) {
		return nil
	}
	return l
}

// elementWord is word j of the elements of the present lane.
func (e *emitter) elementWord(l *list, j int) string {
	return fmt.Sprintf("*model.Word(unsafe.Pointer(&%s), %s+%d)", l.v.field(), times(e.l, l.n*l.v.laneBits()/64), j)
}

// equalWords compares the elements of a list with x, several at a time.
func (e *emitter) equalWords(l *list, n int, x string) []string {
	size := l.v.laneBits()
	lanes := &emitter{b: e.b, u: &unit{elem: size}, temps: e.temps}
	all := ""
	if k, ok := literal(x); ok {
		all = hex(lanes.every(k))
	} else {
		all = lanes.set("%s*%s", x, hex(lanes.every(1)))
	}
	var terms []string
	for j := range n * size / 64 {
		differ := lanes.nonzero(lanes.set("%s^%s", e.elementWord(l, j), all), l.v.width)
		equal := lanes.set("%s^%s", differ, hex(lanes.top()))
		terms = append(terms, up(fmt.Sprintf("model.Collect%d(%s)", size, equal), j*64/size))
	}
	e.temps = lanes.temps
	return []string{strings.Join(terms, "|")}
}

// repeated is a bit width times.
func (e *emitter) repeated(l *list, width int) []string {
	x := e.set("-%s", l.v.lane(l.base.expr(e.l), -1)[0])
	out := make([]string, ir.Words(width))
	for i := range out {
		out[i] = x
		if n := width - 64*i; n < 64 {
			out[i] = fmt.Sprintf("%s&%s", x, hex(ones(n)))
		}
	}
	return out
}

// pack joins elements of equal width.
func (e *emitter) pack(n *node, l *list, out []string) []string {
	w := l.v.width
	if l.wordwise(n.lanes) && w == l.v.laneBits() {
		for i := range out {
			out[i] = e.elementWord(l, i)
		}
		return out
	}
	if len(out) == 1 {
		e.f("for k := range %d {\n", l.n)
		e.f("%s |= %s << (uint(k)*%d)\n}\n", out[0], e.element(l, "k")[0], w)
		return out
	}
	t := e.temp()
	e.f("var %s [%d]uint64\nfor k := range %d {\n", t, len(out), l.n)
	el := e.element(l, "k")
	if w <= 64 {
		e.f("putBits(%s[:], k*%d, %d, %s)\n", t, w, w, el[0])
	} else {
		e.f("bv.Insert(%s[:], k*%d, %s[:], %d)\n", t, w, e.array(el), w)
	}
	e.f("}\n")
	for i := range out {
		e.f("%s = %s[%d]\n", out[i], t, i)
	}
	return out
}

// alone prints a node that has its own loop over lanes.
func (e *emitter) alone(n *node) {
	if n.moves != nil {
		e.gather(n)
		return
	}
	e.l = "0"
	if n.lanes > 1 {
		e.l = "l"
		e.f("for l := range %d {\n", n.lanes)
	}
	if n.code == ir.Update {
		e.update(n)
	} else {
		e.route(n)
	}
	if n.lanes > 1 {
		e.f("}\n")
	}
}

func (e *emitter) update(n *node) {
	at, value := e.variables(e.read(n.args[0])), e.variables(e.read(n.args[1]))
	high := ""
	for _, w := range at[1:] {
		high += " && " + w + " == 0"
	}
	e.f("for k := range %d {\n", n.nout)
	x := e.zeros(len(value))
	for i, w := range e.element(n.list, "k") {
		e.f("%s = %s\n", x[i], w)
	}
	e.f("if %s == uint64(k)%s {\n", at[0], high)
	for i := range x {
		e.f("%s = %s\n", x[i], value[i])
	}
	e.f("}\n")
	e.storeLane(n.out, times(e.l, n.nout)+"+k", x)
	e.f("}\n")
}

func (e *emitter) variables(w []string) []string {
	out := make([]string, len(w))
	for i := range w {
		out[i] = e.variable(w[i])
	}
	return out
}

func (e *emitter) route(n *node) {
	valid := e.variables(e.read(n.args[0]))
	size := ir.Words(n.width)
	t := e.temp()
	e.f("var %s [%d][%d]uint64\n", t, n.nout, size)
	for i, v := range valid {
		e.f("for m := uint64(%s); m != 0; m &= m-1 {\nk := model.FirstBit(m)\n", v)
		d := e.element(n.list, fmt.Sprintf("(k+%d)", 64*i))
		dest := e.variable(d[0])
		ok := within(n.list.v.width, n.nout, append([]string{dest}, d[1:]...))
		if ok != "" {
			e.f("if %s {\n", ok)
		}
		e.f("%s[%s][%d] |= 1 << (uint(k)&63)\n", t, index(dest, -1, n.nout), i)
		if ok != "" {
			e.f("}\n")
		}
		e.f("}\n")
	}
	e.f("for k := range %d {\n", n.nout)
	x := make([]string, size)
	for i := range x {
		x[i] = fmt.Sprintf("%s[k][%d]", t, i)
	}
	e.storeLane(n.out, times(e.l, n.nout)+"+k", x)
	e.f("}\n")
}

// storeLane stores lane at of v, at being a Go expression.
func (e *emitter) storeLane(v *value, at string, x []string) {
	switch {
	case v.bits():
		j := e.temp()
		word := v.field()
		e.f("%s := %s\n", j, at)
		if v.lanes > 64 {
			word = fmt.Sprintf("%s[uint(%s)/64%s]", v.field(), j, maskIndex(v.bitWords()))
		}
		old := e.set("%s", word)
		e.store(v, word, fmt.Sprintf("(%s&^(1<<(uint(%s)&63))|%s<<(uint(%s)&63))", old, j, x[0], j))
	case v.width > 64:
		for i := range x {
			if v.lanes == 1 {
				e.store(v, fmt.Sprintf("%s[%d]", v.field(), i), x[i])
			} else {
				e.store(v, fmt.Sprintf("%s[%s][%d]", v.field(), index(at, -1, v.lanes), i), x[i])
			}
		}
	case v.lanes == 1:
		e.store(v, v.field(), x[0])
	default:
		e.store(v, fmt.Sprintf("%s[%s]", v.field(), index(at, -1, v.lanes)), x[0])
	}
}
