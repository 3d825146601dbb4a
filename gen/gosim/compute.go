package gosim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// compute prints what n needs and gives the words of its result.
func (e *emitter) compute(n *node) []string {
	if e.u.kind == words {
		return []string{e.bitwise(n)}
	}
	if n.list != nil {
		return e.listed(n)
	}
	if l := n.adjacent(); l != nil {
		return e.pack(n, l, e.zeros(ir.Words(n.width)))
	}
	args := make([][]string, len(n.args))
	wide := n.width > 64
	for i, o := range n.args {
		args[i] = slices.Clone(e.once(o))
		wide = wide || o.width > 64
	}
	switch n.code {
	case ir.MemRead:
		return e.memRead(n, args[0])
	case ir.Slice:
		return e.slice(n, args[0])
	case ir.Mux:
		return e.mux(n, args)
	case ir.And:
		return e.and(n, args)
	case ir.Or, ir.Xor:
		out := make([]string, ir.Words(n.width))
		for i := range out {
			out[i] = args[0][i]
			for _, a := range args[1:] {
				out[i] = fmt.Sprintf("%s%s%s", out[i], map[ir.Op]string{ir.Or: "|", ir.Xor: "^"}[n.code], a[i])
			}
		}
		return out
	case ir.Concat:
		var parts []part
		for i := len(args) - 1; i >= 0; i-- {
			parts = append(parts, part{args[i], n.args[i].width})
		}
		return join(parts)
	case ir.ZExt:
		return pad(args[0], n.width)
	case ir.Select, ir.Elem, ir.EqLanes:
		panic("gosim: list without list")
	}
	switch n.code {
	case ir.Shl, ir.ShrU, ir.ShrS:
		if k := n.args[1].k; k != nil {
			args[1] = []string{fmt.Sprint(constantAmount(k, n.args[0].width))}
		}
	}
	for i := range args {
		for k, w := range args[i] {
			if _, ok := literal(w); ok && (!wide || n.code == ir.Not) { // the Go compiler would compute without bounds
				args[i][k] = e.set("%s", w)
			}
		}
	}
	if wide {
		return e.wide(n, args)
	}
	b := ""
	if len(args) > 1 {
		b = args[1][0]
	}
	return []string{e.narrow(n, args[0][0], b)}
}

// and is the conjunction of operands; what is negated is taken as it was before.
func (e *emitter) and(n *node, args [][]string) []string {
	var plain, negated [][]string
	for i, o := range n.args {
		if not := o.v.madeBy(ir.Not); not != nil && not.unit == e.u && o.same(e.u.lanes) {
			negated = append(negated, e.read(not.args[0]))
		} else {
			plain = append(plain, args[i])
		}
	}
	if len(plain) == 0 {
		plain, negated = args, nil
	}
	out := make([]string, ir.Words(n.width))
	for i := range out {
		out[i] = plain[0][i]
		for _, a := range plain[1:] {
			out[i] += "&" + a[i]
		}
		for _, a := range negated {
			out[i] += "&^" + a[i]
		}
	}
	return out
}

// constantAmount is k, but at most width: the Go compiler (1.26) takes a constant
// of 1<<63 or more, combined with another shift, for a negative number.
func constantAmount(k []uint64, width int) int {
	for _, high := range k[1:] {
		if high != 0 {
			return width
		}
	}
	return int(min(k[0], uint64(width)))
}

// bitwise is the operation on a word of one-bit lanes.
func (e *emitter) bitwise(n *node) string {
	var a []string
	for _, o := range n.args {
		a = append(a, e.readBits(o))
	}
	not := func(x string) string {
		if e.u.lanes%64 == 0 {
			return "^" + x
		}
		return fmt.Sprintf("%s^%s", x, hex(ones(e.u.lanes)))
	}
	switch n.code {
	case ir.Not:
		return not(a[0])
	case ir.And, ir.Mul:
		return strings.Join(a, "&")
	case ir.Or:
		return strings.Join(a, "|")
	case ir.Xor, ir.Ne, ir.Add, ir.Sub:
		return strings.Join(a, "^")
	case ir.Eq:
		return not(fmt.Sprintf("(%s^%s)", a[0], a[1]))
	case ir.LtU:
		return fmt.Sprintf("%s&^%s", a[1], a[0])
	case ir.LeU:
		return not(fmt.Sprintf("(%s&^%s)", a[0], a[1]))
	case ir.Mux:
		switch {
		case a[1] == "0":
			return fmt.Sprintf("%s&^%s", a[2], a[0])
		case a[2] == "0":
			return fmt.Sprintf("%s&%s", a[1], a[0])
		}
		return fmt.Sprintf("%s^(%s^%s)&%s", a[2], a[1], a[2], a[0])
	}
	return a[0] // one bit is its own reduction and extension
}

// part is a piece of a concatenation.
type part struct {
	words []string
	width int
}

// join concatenates parts, the least significant first.
func join(parts []part) []string {
	total := 0
	for _, p := range parts {
		total += p.width
	}
	terms := make([][]string, ir.Words(total))
	at := 0
	for _, p := range parts {
		for i, w := range p.words {
			lo := at + 64*i
			if w == "0" {
				continue
			}
			if lo%64 == 0 {
				terms[lo/64] = append(terms[lo/64], w)
				continue
			}
			terms[lo/64] = append(terms[lo/64], up(w, lo%64))
			if used := min(64, p.width-64*i); lo%64+used > 64 {
				terms[lo/64+1] = append(terms[lo/64+1], down(w, 64-lo%64))
			}
		}
		at += p.width
	}
	out := make([]string, len(terms))
	for i, t := range terms {
		if out[i] = strings.Join(t, "|"); out[i] == "" {
			out[i] = "0"
		}
	}
	return out
}

// literal is the number that an expression is, if it is one.
func literal(w string) (uint64, bool) {
	k, err := strconv.ParseUint(w, 0, 64)
	return k, err == nil
}

// up and down are shifted expressions.
func up(w string, n int) string {
	if k, ok := literal(w); ok {
		return hex(k << n)
	}
	return fmt.Sprintf("%s<<%d", w, n)
}

func down(w string, n int) string {
	if k, ok := literal(w); ok {
		return hex(k >> n)
	}
	return fmt.Sprintf("%s>>%d", w, n)
}

func pad(w []string, width int) []string {
	out := append([]string(nil), w...)
	for len(out) < ir.Words(width) {
		out = append(out, "0")
	}
	return out
}

// cut are the width bits of a from lo on; from is the width of a.
func cut(a []string, from, lo, width int) []string {
	out := make([]string, ir.Words(width))
	for i := range out {
		k, sh := (lo+64*i)/64, (lo+64*i)%64
		n := min(64, width-64*i)
		x := a[k]
		if sh > 0 {
			x = down(x, sh)
			if k+1 < len(a) && sh+n > 64 {
				x = fmt.Sprintf("(%s|%s)", x, up(a[k+1], 64-sh))
			}
		}
		if n < 64 && lo+64*i+n < from {
			x = fmt.Sprintf("%s&%s", x, hex(ones(n)))
		}
		out[i] = x
	}
	return out
}

func (e *emitter) slice(n *node, a []string) []string {
	if n.lo.constant() {
		return cut(a, n.args[0].width, n.lo.add, n.width)
	}
	if len(a) == 1 {
		return []string{fmt.Sprintf("%s>>(uint(%s)&63)&%s", a[0], n.lo.expr(e.l), hex(ones(n.width)))}
	}
	return e.field(e.array(a), len(a), n.lo, n.width)
}

// field are the width bits of an array of n words from bit lo of the lane on.
func (e *emitter) field(words string, n int, lo form, width int) []string {
	out := make([]string, ir.Words(width))
	at := e.temp()
	e.f("%s := %s\n", at, lo.expr(e.l))
	if e.whole(lo, width) {
		x := fmt.Sprintf("%s[%s]>>(uint(%s)&63)", words, index(at+">>6", -1, n), at)
		if width < 64 {
			x += "&" + hex(ones(width))
		}
		return []string{x}
	}
	for i := range out {
		out[i] = fmt.Sprintf("bitsAt(%s[:], %s+%d, %d)", words, at, 64*i, min(64, width-64*i))
	}
	return out
}

// whole tells whether the bits from lo on lie in one word in every lane.
func (e *emitter) whole(lo form, width int) bool {
	for l := range e.u.lanes {
		if lo.at(l)%64+width > 64 {
			return false
		}
	}
	return true
}

// array puts words into a local array, or names the storage they are.
func (e *emitter) array(a []string) string {
	if name, ok := strings.CutSuffix(a[0], "[0]"); ok {
		whole := true
		for i, w := range a {
			whole = whole && w == fmt.Sprintf("%s[%d]", name, i)
		}
		if whole {
			return name
		}
	}
	t := e.temp()
	e.f("%s := [%d]uint64{%s}\n", t, len(a), strings.Join(a, ", "))
	return t
}

// mux chooses without a branch where the value is one word: lanes differ too
// much for a processor to predict.
func (e *emitter) mux(n *node, args [][]string) []string {
	c, a, b := args[0][0], args[1], args[2]
	if len(a) == 1 {
		switch {
		case n.width == 1 && b[0] == "0":
			return []string{fmt.Sprintf("%s&%s", a[0], c)}
		case n.width == 1 && a[0] == "0":
			return []string{fmt.Sprintf("%s&^%s", b[0], c)}
		case b[0] == "0":
			return []string{fmt.Sprintf("(%s)&-%s", a[0], e.variable(c))}
		case a[0] == "0":
			return []string{fmt.Sprintf("(%s)&(%s-1)", b[0], e.variable(c))}
		}
		if e.u.kind == loop {
			return []string{fmt.Sprintf("%s^(%s^%s)&-%s", e.variable(b[0]), e.variable(a[0]), e.variable(b[0]), e.variable(c))}
		}
		a = e.variables(a)
	}
	out := make([]string, len(a))
	if none(b) && !none(a) {
		all := e.set("-%s", e.variable(c))
		for i := range out {
			out[i] = fmt.Sprintf("(%s)&%s", a[i], all)
		}
		return out
	}
	for i := range out {
		out[i] = e.temp()
		e.f("%s := uint64(%s)\n", out[i], b[i])
	}
	e.f("if %s != 0 {\n", c)
	for i := range out {
		e.f("%s = %s\n", out[i], a[i])
	}
	e.f("}\n")
	return out
}

// none tells whether words are all zero.
func none(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return w != "0" })
}

// narrow is an operation on values of at most 64 bits.
func (e *emitter) narrow(n *node, a, b string) string {
	w, v := n.width, n.args[0].width
	m := ""
	if w < 64 {
		m = "&" + hex(ones(w))
	}
	signed := func(x string, width int) string { return fmt.Sprintf("int64(uint64(%s)<<%d)", x, 64-width) }
	switch n.code {
	case ir.Not:
		if w < 32 {
			return a + "^" + hex(ones(w))
		}
		return "^" + a + m
	case ir.RedAnd:
		return fmt.Sprintf("bit(%s == %s)", a, hex(ones(v)))
	case ir.RedXor:
		return fmt.Sprintf("uint64(bits.OnesCount64(%s))&1", a)
	case ir.Add:
		return fmt.Sprintf("(%s+%s)", a, b) + m
	case ir.Sub:
		return fmt.Sprintf("(%s-%s)", e.variable(a), b) + m
	case ir.Mul:
		return fmt.Sprintf("(%s*%s)", e.variable(a), b) + m
	case ir.DivU:
		return fmt.Sprintf("quotient(%s, %s, %s)", a, b, hex(ones(w)))
	case ir.ModU:
		return fmt.Sprintf("remainder(%s, %s)", a, b)
	case ir.Eq, ir.Ne, ir.LtU, ir.LeU:
		return fmt.Sprintf("bit(%s %s %s)", e.variable(a), map[ir.Op]string{ir.Eq: "==", ir.Ne: "!=", ir.LtU: "<", ir.LeU: "<="}[n.code], b)
	case ir.LtS:
		return fmt.Sprintf("bit(%s < %s)", signed(e.variable(a), v), signed(e.variable(b), v))
	case ir.Shl:
		return fmt.Sprintf("uint64(%s)<<(%s)", e.variable(a), e.amount(n, b)) + m
	case ir.ShrU:
		x := fmt.Sprintf("uint64(%s)>>(%s)", e.variable(a), e.amount(n, b))
		if w < v {
			return x + m
		}
		return x
	case ir.ShrS:
		if n.args[1].width >= 63 {
			// Go 1.26 takes int64(x) >> n for 0 where it finds that n is a
			// constant of 1<<63 or more, the sum of two shifts included.
			b = "min(" + b + ", 63)"
		}
		return fmt.Sprintf("uint64(%s>>%d>>(%s))", signed(e.variable(a), w), 64-w, b) + m
	case ir.SExt:
		return fmt.Sprintf("uint64(%s>>%d)", signed(e.variable(a), v), 64-v) + m
	case ir.Lowest:
		x := e.variable(a)
		return fmt.Sprintf("%s&-%s", x, x)
	case ir.Encode:
		if v > 16 {
			return fmt.Sprintf("encode(%s)", a)
		}
		return encodeFew(e.variable(a), v)
	case ir.PopCount:
		return fmt.Sprintf("uint64(bits.OnesCount64(%s))", a)
	}
	panic(fmt.Sprintf("gosim: operator %s", n.code))
}

// encodeFew is the OR of the numbers of the bits of x, of which there are so few that
// no loop, of a length that a processor cannot predict, is needed.
func encodeFew(x string, width int) string {
	terms := []string{"0"}
	for k := 0; 1<<k < width; k++ {
		var mask uint64
		for i := range width {
			mask |= uint64(i>>k&1) << i
		}
		terms = append(terms, fmt.Sprintf("bit(%s&%s != 0)<<%d", x, hex(mask), k))
	}
	return strings.Join(terms, "|")
}

// amount is the shift amount b of n. Where it is always below 64, the Go compiler
// needs no test of it.
func (e *emitter) amount(n *node, b string) string {
	if _, ok := literal(b); !ok && n.args[1].width <= 6 {
		return "(" + b + ")&63"
	}
	return b
}

// variable is x in a variable: constant expressions must not overflow, and what
// is used twice should be computed once.
func (e *emitter) variable(x string) string {
	if simple(x) && (x[0] < '0' || x[0] > '9') {
		return x
	}
	return e.set("%s", x)
}

func (e *emitter) memRead(n *node, addr []string) []string {
	m := n.mem
	size := ir.Words(m.width)
	out := make([]string, size)
	for i := range out {
		out[i] = e.temp()
		e.f("var %s uint64\n", out[i])
	}
	at := e.address(addr, m.room)
	word := m.word(n.memAt.expr(e.l), at)
	if ok := within(n.args[0].width, m.room, addr); ok != "" {
		e.f("if %s {\n", ok)
		defer e.f("}\n")
	}
	for i := range out {
		if size > 1 {
			e.f("%s = %s[%d]\n", out[i], word, i)
		} else {
			e.f("%s = uint64(%s)\n", out[i], word)
		}
	}
	return out
}

// address is an index below n, if it is one.
func (e *emitter) address(addr []string, n int) string {
	if n&(n-1) == 0 {
		return fmt.Sprintf("%s&%d", e.variable(addr[0]), n-1)
	}
	return e.variable(addr[0])
}

// within is the condition that an index is below n, or nothing if it always is.
func within(width, n int, addr []string) string {
	if width < 62 && 1<<width <= n {
		return ""
	}
	var c []string
	for _, w := range addr[1:] {
		c = append(c, w+" == 0")
	}
	return strings.Join(append(c, fmt.Sprintf("uint64(%s) < %d", addr[0], n)), " && ")
}

// wide is an operation with a value of more than 64 bits.
func (e *emitter) wide(n *node, args [][]string) []string {
	w, v := n.width, n.args[0].width
	each := func(op string, a, b []string, joint string) string {
		c := make([]string, len(a))
		for i := range a {
			c[i] = fmt.Sprintf("%s%s%s", a[i], op, b[i])
		}
		return strings.Join(c, joint)
	}
	a := args[0]
	var b []string
	if len(args) > 1 {
		b = args[1]
	}
	switch n.code {
	case ir.Not:
		out := make([]string, len(a))
		for i := range out {
			out[i] = "^" + a[i]
		}
		if w%64 != 0 {
			out[len(out)-1] += "&" + hex(ones(w%64))
		}
		return out
	case ir.Eq:
		return []string{fmt.Sprintf("bit(%s)", each(" == ", a, b, " && "))}
	case ir.Ne:
		if n.args[1].zero() {
			return []string{fmt.Sprintf("bit(%s != 0)", strings.Join(a, "|"))}
		}
		return []string{fmt.Sprintf("bit(%s)", each(" != ", a, b, " || "))}
	case ir.RedXor:
		return []string{fmt.Sprintf("uint64(bits.OnesCount64(%s)&1)", strings.Join(a, "^"))}
	case ir.PopCount:
		c := make([]string, len(a))
		for i := range a {
			c[i] = fmt.Sprintf("bits.OnesCount64(%s)", a[i])
		}
		return []string{fmt.Sprintf("uint64(%s)", strings.Join(c, "+"))}
	}
	switch n.code {
	case ir.ShrU:
		return e.shiftRight(n, a, b)
	case ir.Shl:
		if n.args[0].one() || n.args[0].width == 1 {
			return e.decode(n, a[0], b)
		}
	}
	x, y := e.array(a)+"[:]", ""
	if b != nil {
		y = e.array(b) + "[:]"
	}
	switch n.code {
	case ir.RedAnd:
		return []string{fmt.Sprintf("bit(bv.AllOnes(%s, %d))", x, v)}
	case ir.LtU:
		return []string{fmt.Sprintf("bit(bv.LtU(%s, %s))", x, y)}
	case ir.LeU:
		return []string{fmt.Sprintf("bit(!bv.LtU(%s, %s))", y, x)}
	case ir.LtS:
		return []string{fmt.Sprintf("bit(bv.LtS(%s, %s, %d))", x, y, v)}
	case ir.Encode:
		return []string{fmt.Sprintf("bv.Encode(%s)", x)}
	}
	t, size := e.temp(), ir.Words(w)
	e.f("var %s [%d]uint64\n", t, size)
	out := make([]string, size)
	for i := range out {
		out[i] = fmt.Sprintf("%s[%d]", t, i)
	}
	t += "[:]"
	amount := func() string { return fmt.Sprintf("amount(%s, %d)", y, w) }
	switch n.code {
	case ir.Add, ir.Sub, ir.Mul:
		e.f("bv.%s(%s, %s, %s, %d)\n", map[ir.Op]string{ir.Add: "Add", ir.Sub: "Sub", ir.Mul: "Mul"}[n.code], t, x, y, w)
	case ir.DivU, ir.ModU:
		other := e.temp()
		e.f("var %s [%d]uint64\n", other, size)
		q, r := t, other+"[:]"
		if n.code == ir.ModU {
			q, r = r, q
		}
		e.f("bv.DivMod(%s, %s, %s, %s, %d)\n", q, r, x, y, w)
	case ir.Shl:
		e.f("bv.Shl(%s, %s, %s, %d)\n", t, x, amount(), w)
	case ir.ShrS:
		e.f("bv.ShrS(%s, %s, %s, %d)\n", t, x, amount(), w)
	case ir.SExt:
		e.f("bv.SExt(%s, %s, %d, %d)\n", t, x, v, w)
	case ir.Lowest:
		e.f("bv.Lowest(%s, %s)\n", t, x)
	default:
		panic(fmt.Sprintf("gosim: operator %s", n.code))
	}
	return out
}
