package gosim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// emitter prints units as Go functions.
type emitter struct {
	p       *plan
	b       *strings.Builder
	u       *unit
	local   map[*value][]string // words of values of the unit in this iteration
	temps   int
	tables  *strings.Builder
	ntables int
	tableOf map[string]string // names of tables of indices
	l       string            // the lane, or word of lanes
	full    map[*value]string // one-bit values as lanes of a packed unit
	marks   []string          // of the values stored in this function: distinct mark sets
}

func (e *emitter) f(format string, args ...any) { fmt.Fprintf(e.b, format, args...) }

func (e *emitter) temp() string {
	e.temps++
	return fmt.Sprintf("t%d", e.temps)
}

// set declares a local variable.
func (e *emitter) set(format string, args ...any) string {
	t := e.temp()
	e.f("%s := uint64(%s)\n", t, fmt.Sprintf(format, args...))
	return t
}

func elemType(width int) string {
	switch {
	case width <= 8:
		return "uint8"
	case width <= 16:
		return "uint16"
	case width <= 32:
		return "uint32"
	}
	return "uint64"
}

// bitWords is the number of words that hold the lanes of a one-bit value.
func (v *value) bitWords() int { return ir.Words(v.lanes) }

// goType is the type of v's storage.
func (v *value) goType() string {
	switch {
	case v.bits() && v.lanes <= 64:
		return "uint64"
	case v.bits():
		return fmt.Sprintf("[%d]uint64", v.bitWords())
	case v.width > 64 && v.lanes == 1:
		return fmt.Sprintf("[%d]uint64", v.words())
	case v.width > 64:
		return fmt.Sprintf("[%d][%d]uint64", v.lanes, v.words())
	case v.lanes == 1:
		return "uint64"
	}
	return fmt.Sprintf("[%d]%s", v.lanes, elemType(v.width))
}

func (v *value) field() string {
	switch {
	case v.of == nil:
		return fmt.Sprintf("s.v%d", v.id)
	case v.of.lanes == 1:
		return v.of.field()
	case v.lanes <= 64:
		return fmt.Sprintf("(*(*uint64)(unsafe.Pointer(&%s)))", v.of.field())
	}
	return fmt.Sprintf("(*[%d]uint64)(unsafe.Pointer(&%s))", v.bitWords(), v.of.field())
}

// lane are the words of lane i of v, i being a Go expression; known is its
// value if it is a number, else -1.
func (v *value) lane(i string, known int) []string {
	switch {
	case v.bits() && v.lanes <= 64:
		if known >= 0 {
			return []string{fmt.Sprintf("(%s>>%d&1)", v.field(), known)}
		}
		return []string{fmt.Sprintf("(%s>>(uint(%s)&63)&1)", v.field(), i)}
	case v.bits():
		if known >= 0 {
			return []string{fmt.Sprintf("(%s[%d]>>%d&1)", v.field(), known/64, known%64)}
		}
		return []string{fmt.Sprintf("(%s[uint(%s)/64%s]>>(uint(%s)&63)&1)", v.field(), i, maskIndex(v.bitWords()), i)}
	case v.width > 64:
		out := make([]string, v.words())
		for k := range out {
			if v.lanes == 1 {
				out[k] = fmt.Sprintf("%s[%d]", v.field(), k)
			} else {
				out[k] = fmt.Sprintf("%s[%s][%d]", v.field(), index(i, known, v.lanes), k)
			}
		}
		return out
	case v.lanes == 1:
		return []string{v.field()}
	}
	return []string{fmt.Sprintf("uint64(%s[%s])", v.field(), index(i, known, v.lanes))}
}

// index is i as an index of an array of n; masked where that spares a check.
func index(i string, known, n int) string {
	if known >= 0 {
		return fmt.Sprint(known)
	}
	if n&(n-1) == 0 {
		return fmt.Sprintf("(%s)&%d", i, n-1)
	}
	return i
}

func maskIndex(n int) string {
	if n&(n-1) == 0 {
		return fmt.Sprintf("&%d", n-1)
	}
	return ""
}

func ones(width int) uint64 { return ^uint64(0) >> (64 - width) }

func hex(x uint64) string {
	if x < 10 {
		return fmt.Sprint(x)
	}
	return fmt.Sprintf("%#x", x)
}

func constWords(k []uint64, width int) []string {
	out := make([]string, ir.Words(width))
	for i := range out {
		out[i] = hex(k[i])
	}
	return out
}

// read are the words of o in the present lane, or the present word of lanes.
func (e *emitter) read(o operand) []string {
	if e.u.kind == words {
		return []string{e.readBits(o)}
	}
	switch {
	case o.k != nil:
		return constWords(o.k, o.width)
	case o.ks != nil:
		return e.table(o)
	}
	if o.same(e.u.lanes) {
		if w, ok := e.local[o.v]; ok {
			return w
		}
	}
	if o.table != nil {
		t := e.indexTable(o.table)
		return o.v.lane(fmt.Sprintf("int(%s[%s])", t, index(e.l, -1, len(o.table))), -1)
	}
	if o.at.constant() {
		return o.v.lane("", o.at.add)
	}
	if len(o.at.terms) > 1 && e.u.lanes > 8 {
		table := make([]int, e.u.lanes)
		for l := range table {
			table[l] = o.at.at(l)
		}
		return o.v.lane(fmt.Sprintf("int(%s[%s])", e.indexTable(table), index(e.l, -1, len(table))), -1)
	}
	return o.v.lane(o.at.expr(e.l), -1)
}

// readBits is the present word of the one-bit operand o.
func (e *emitter) readBits(o operand) string {
	n := ir.Words(e.u.lanes)
	all := "^uint64(0)"
	if n == 1 {
		all = hex(ones(e.u.lanes))
	}
	switch {
	case o.k != nil && o.k[0] == 0:
		return "0"
	case o.k != nil:
		return all
	}
	if w, ok := e.local[o.v]; ok && o.same(e.u.lanes) {
		return w[0]
	}
	if o.same(e.u.lanes) {
		if n == 1 {
			return o.v.field()
		}
		return fmt.Sprintf("%s[i]", o.v.field())
	}
	x := o.v.lane("", o.at.add)[0]
	if n == 1 && e.u.lanes < 64 {
		return fmt.Sprintf("(-%s&%s)", x, all)
	}
	return fmt.Sprintf("(-%s)", x)
}

// table declares the constants of o as an array and gives the present one.
func (e *emitter) table(o operand) []string {
	e.ntables++
	name := fmt.Sprintf("k%d", e.ntables)
	w := ir.Words(o.width)
	typ := elemType(o.width)
	if w > 1 {
		typ = fmt.Sprintf("[%d]uint64", w)
	}
	fmt.Fprintf(e.tables, "var %s = [%d]%s{", name, len(o.ks), typ)
	for _, k := range o.ks {
		c := constWords(k, o.width)
		if w == 1 {
			fmt.Fprintf(e.tables, "%s, ", c[0])
		} else {
			fmt.Fprintf(e.tables, "{%s}, ", strings.Join(c, ", "))
		}
	}
	e.tables.WriteString("}\n\n")
	at := index(e.l, -1, len(o.ks))
	if w == 1 {
		return []string{fmt.Sprintf("uint64(%s[%s])", name, at)}
	}
	out := make([]string, w)
	for i := range out {
		out[i] = fmt.Sprintf("%s[%s][%d]", name, at, i)
	}
	return out
}

func (e *emitter) indexTable(table []int) string {
	if name, ok := e.tableOf[fmt.Sprint(table)]; ok {
		return name
	}
	e.ntables++
	name := fmt.Sprintf("k%d", e.ntables)
	e.tableOf[fmt.Sprint(table)] = name
	typ := elemType(32)
	if slices.Max(table) < 256 {
		typ = elemType(8)
	}
	fmt.Fprintf(e.tables, "var %s = [%d]%s{%s}\n\n", name, len(table), typ, strings.Trim(strings.ReplaceAll(fmt.Sprint(table), " ", ", "), "[]"))
	return name
}

// unit prints u.
func (e *emitter) unit(u *unit) {
	e.f("// u%d: %s\n", u.id, u.describe())
	e.function(fmt.Sprintf("u%d()", u.id), u, func() {
		switch u.kind {
		case alone:
			e.l = "l"
			e.alone(u.nodes[0])
		case scalar:
			for _, n := range u.nodes {
				e.node(n)
			}
		case words:
			e.wordLoop()
		case packed:
			e.packedLoop()
		case loop:
			e.laneLoop()
		}
	})
}

var (
	declared = regexp.MustCompile(`(?m)^(?:([xt][0-9]+(?:_[0-9]+)?) := |var (t[0-9]+) ).*\n`)
	variable = regexp.MustCompile(`\b([xt][0-9]+(?:_[0-9]+)?)\b( = )?`)
)

// sweep drops the declarations of variables that have no use: sometimes only
// part of a value is needed.
func sweep(code string) string {
	seen, read := map[string]int{}, map[string]int{}
	for _, m := range variable.FindAllStringSubmatch(code, -1) {
		seen[m[1]]++
		if m[2] == "" {
			read[m[1]]++
		}
	}
	return declared.ReplaceAllStringFunc(code, func(line string) string {
		m := declared.FindStringSubmatch(line)
		name := m[1] + m[2]
		switch {
		case read[name] > 1: // the declaration counts
			return line
		case seen[name] > 1:
			return line + "_ = " + name + "\n"
		case m[1] != "":
			return "_" + strings.TrimPrefix(line, name+" :")
		}
		return ""
	})
}

// describe is what u is, for a comment.
func (u *unit) describe() string {
	s := fmt.Sprintf("%d operations", len(u.nodes))
	if len(u.nodes) == 1 {
		s = "one operation, " + u.nodes[0].code.String()
	}
	switch {
	case u.mask != nil:
		s += fmt.Sprintf(" on some of %d lanes", u.lanes)
	case u.kind == packed:
		s += fmt.Sprintf(" on %d lanes, %d at once", u.lanes, 64/u.elem)
	case u.kind == words:
		s += fmt.Sprintf(" on %d lanes at once", u.lanes)
	case u.lanes > 1:
		s += fmt.Sprintf(" on %d lanes", u.lanes)
	}
	if place := strings.TrimPrefix(u.nodes[0].place, "."); place != "" {
		s += ", " + place
	}
	return s
}

// function prints a method: what body prints in the context of u, and the
// marking of who must know of changes.
func (e *emitter) function(signature string, u *unit, body func()) {
	e.u, e.local, e.temps, e.marks, e.l = u, map[*value][]string{}, 0, nil, "0"
	out := e.b
	e.b = &strings.Builder{}
	body()
	code := sweep(e.b.String())
	e.b = out
	e.f("func (s *Model) %s {\n", signature)
	for i := range e.marks {
		e.f("var c%d uint64\n", i)
	}
	e.f("%s", code)
	for i, m := range e.marks {
		e.f("if c%d != 0 {\n%s}\n", i, m)
	}
	var commits []int
	for _, i := range e.p.pending[u] {
		commits = append(commits, commitMark+i)
	}
	e.f("%s", e.p.markCode(commits))
	e.f("}\n\n")
}

func (e *emitter) wordLoop() {
	n := ir.Words(e.u.lanes)
	e.l = "0"
	if n > 1 {
		e.l = "i"
		e.f("for i := range %d {\n", n)
	}
	for _, x := range e.u.nodes {
		e.node(x)
	}
	if n > 1 {
		e.f("}\n")
	}
}

// laneLoop prints the loop over lanes; results of one bit are collected in
// words.
func (e *emitter) laneLoop() {
	u := e.u
	var collected []*value
	for _, n := range u.nodes {
		if n.out.stored && n.out.bits() {
			collected = append(collected, n.out)
		}
	}
	e.l = "l"
	many := u.lanes > 64
	word := ""
	if many {
		word = fmt.Sprintf("[i/64%s]", maskIndex(ir.Words(u.lanes)))
		e.f("for i := 0; i < %d; i += 64 {\n", u.lanes)
	}
	for _, v := range collected {
		e.f("var b%d uint64\n", v.id)
	}
	switch {
	case u.mask != nil && many:
		e.f("for m := %s%s; m != 0; m &= m-1 {\nl := i+bits.TrailingZeros64(m)\n", u.mask.field(), word)
	case u.mask != nil:
		e.f("for m := %s; m != 0; m &= m-1 {\nl := bits.TrailingZeros64(m)\n", u.mask.field())
	case many && u.lanes%64 == 0:
		e.f("for l := i; l < i+64; l++ {\n")
	case many:
		e.f("for l := i; l < min(i+64, %d); l++ {\n", u.lanes)
	default:
		e.f("for l := range %d {\n", u.lanes)
	}
	for _, n := range u.nodes {
		e.node(n)
	}
	e.f("}\n")
	for _, v := range collected {
		at := v.field() + word
		x := fmt.Sprintf("b%d", v.id)
		if u.mask != nil {
			x = fmt.Sprintf("(%s&^%s|%s)", at, u.mask.field()+word, x)
		}
		e.store(v, at, x)
	}
	if many {
		e.f("}\n")
	}
}

// node prints the evaluation of n and the storing of its result.
func (e *emitter) node(n *node) {
	ws := e.compute(n)
	if len(ws) != ir.Words(n.width) {
		panic(fmt.Sprintf("gosim: %s of %d bits gave %d words", n.code, n.width, len(ws)))
	}
	if e.u.kind == words {
		ws = ws[:1]
	}
	names := make([]string, len(ws))
	for i, w := range ws {
		if simple(w) {
			names[i] = w
			continue
		}
		names[i] = fmt.Sprintf("x%d", n.out.id)
		if len(ws) > 1 {
			names[i] += fmt.Sprintf("_%d", i)
		}
		e.f("%s := uint64(%s)\n", names[i], w)
	}
	e.local[n.out] = names
	if !n.out.stored {
		return
	}
	v := n.out
	switch {
	case e.u.kind == loop && v.bits():
		e.f("b%d |= %s << (uint(l)&63)\n", v.id, names[0])
	case e.u.kind == words && v.lanes > 64:
		e.store(v, v.field()+"[i]", names[0])
	case e.u.kind == words, v.lanes == 1 && v.width <= 64:
		e.store(v, v.field(), names[0])
	case v.width > 64:
		for i, x := range names {
			at := fmt.Sprintf("%s[%d]", v.field(), i)
			if v.lanes > 1 {
				at = fmt.Sprintf("%s[%s][%d]", v.field(), index(e.l, -1, v.lanes), i)
			}
			e.store(v, at, x)
		}
	default:
		e.store(v, fmt.Sprintf("%s[%s]", v.field(), index(e.l, -1, v.lanes)), names[0])
	}
}

// simple tells whether an expression is a name or a number.
func simple(w string) bool {
	return !strings.ContainsAny(w, " ()[]<>&|^+-*/.!=")
}

// store prints the assignment of a word of v.
func (e *emitter) store(v *value, at, x string) {
	typ := elemType(v.width)
	if v.bits() || v.width > 64 || v.lanes == 1 {
		typ = "uint64"
	}
	e.assign(e.markCode(v), typ, at, x)
}

// assign prints an assignment, and has marks, which are statements, run at the
// end of the function if it changes something.
func (e *emitter) assign(marks, typ, at, x string) {
	e.note(marks, fmt.Sprintf("uint64(%s) ^ %s", at, x))
	if typ != "uint64" {
		x = fmt.Sprintf("%s(%s)", typ, x)
	}
	e.f("%s = %s\n", at, x)
}

// note has marks, which are statements, run at the end of the function if a
// difference is not zero.
func (e *emitter) note(marks, difference string) {
	if marks == "" {
		return
	}
	i := slices.Index(e.marks, marks)
	if i < 0 {
		i = len(e.marks)
		e.marks = append(e.marks, marks)
	}
	e.f("c%d |= %s\n", i, difference)
}

// markCode are the statements that mark the readers of v.
func (e *emitter) markCode(v *value) string { return e.p.markCode(e.p.readers[v]) }
