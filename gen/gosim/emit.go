package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// emitter prints units as Go functions.
type emitter struct {
	p       *plan
	b       *strings.Builder
	u       *unit
	local   map[*value][]string // words of values of the unit in this iteration
	temps   int
	hoisted map[*value]string // variables with the words of bits that this iteration reads
	loaded  map[string]string // variables with what has been read in this iteration
	tables  *strings.Builder
	ntables int
	tableOf map[string]string // names of tables of indices
	l       string            // the lane, or word of lanes
	full    map[*value]string // one-bit values as lanes of a packed unit
	erratic bool              // a processor cannot predict what changes
	marks   [][]markWord      // of the values stored in this function, distinct
	kernels *kernel.Assembly  // of the units so far
	names   []string          // of kernels
	groups  []int             // marks of the groups of changes of the present kernel
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

// unit prints u.
func (e *emitter) unit(u *unit) {
	e.f("// u%d: %s\n", u.id, u.describe())
	e.function(fmt.Sprintf("u%d()", u.id), u, func() {
		e.either(func() (*kernel.Kernel, error) { return u.lower(e.group) }, func() { e.portable(u) })
	})
}

// portable prints the evaluation of u in Go.
func (e *emitter) portable(u *unit) {
	switch u.kind {
	case alone:
		e.l = "l"
		e.alone(u.nodes[0])
	case scalar:
		for _, n := range u.nodes {
			e.node(n)
		}
		if e.p.immediate {
			e.outputs()
		}
	case words:
		e.wordLoop()
	case packed:
		e.packedLoop()
	case loop:
		e.laneLoop()
	}
}

// either prints the call of a kernel at the levels that have it, and what portable prints at
// others.
func (e *emitter) either(build func() (*kernel.Kernel, error), portable func()) {
	out := e.b
	e.b, e.groups = &strings.Builder{}, nil
	portable()
	code := e.b.String()
	e.b = out
	k, err := build()
	if err != nil {
		e.f("%s", code)
		return
	}
	before := len(e.names)
	for _, on := range kernel.Targets {
		if e.kernels.Add(k, on) == nil {
			e.names = append(e.names, k.Name+on.Name)
			if len(e.names) == before+1 {
				e.f("switch {\n")
			}
			e.f("case s.level >= model.%s:\n", on.Name)
			e.call(k.Name + on.Name)
		}
	}
	if len(e.names) > before {
		code = fmt.Sprintf("default:\n%s}\n", code)
	}
	e.f("%s", code)
}

// call prints the call of a kernel, and keeps the changes that it tells.
func (e *emitter) call(name string) {
	if len(e.groups) == 0 {
		e.f("%s(s)\n", name)
		return
	}
	e.f("c := %s(s)\n", name)
	for g, mark := range e.groups {
		e.f("c%d |= c & %d\n", mark, 1<<g)
	}
}

// group is the number of changes of v in the present kernel; -1 if nothing must know.
func (e *emitter) group(v *value) int {
	if len(e.p.readers[v]) == 0 {
		return -1
	}
	mark := e.mark(markWords(e.p.readers[v]))
	if g := slices.Index(e.groups, mark); g >= 0 {
		return g
	}
	e.groups = append(e.groups, mark)
	return len(e.groups) - 1
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
	e.hoisted, e.loaded = nil, map[string]string{}
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
	if e.erratic {
		e.setMarks()
	} else {
		for i, m := range e.marks {
			e.f("if c%d != 0 {\n%s}\n", i, setting(m))
		}
	}
	var always []int
	for _, i := range e.p.pending[u] {
		always = append(always, commitMark+i)
	}
	if len(u.nodes) > 0 {
		always = append(always, e.p.changeable()...)
	}
	e.f("%s", markCode(always))
	e.f("}\n\n")
}

// setMarks prints the setting of marks where there are differences without
// branches.
func (e *emitter) setMarks() {
	var words []string
	for i, marks := range e.marks {
		for _, m := range marks {
			k := slices.Index(words, m.word)
			if k < 0 {
				k = len(words)
				words = append(words, m.word)
				e.f("d%d := %s\n", k, m.word)
			}
			e.f("if c%d != 0 {\nd%d |= %s\n}\n", i, k, hex(m.bits))
		}
	}
	for k, word := range words {
		e.f("%s = d%d\n", word, k)
	}
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
	if many {
		e.hoist(word)
	}
	switch {
	case u.mask != nil && many:
		e.f("for m := %s%s; m != 0; m &= m-1 {\nl := i+model.FirstBit(m)\n", u.mask.field(), word)
	case u.mask != nil:
		e.f("for m := %s; m != 0; m &= m-1 {\nl := model.FirstBit(m)\n", u.mask.field())
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

// hoist reads the words of bits that the lanes of one word read, before the loop over
// these.
func (e *emitter) hoist(word string) {
	e.hoisted = map[*value]string{}
	for _, n := range e.u.nodes {
		for _, a := range n.args {
			if a.v == nil || !a.v.bits() || !a.same(e.u.lanes) || e.hoisted[a.v] != "" || a.v.node != nil && a.v.node.unit == e.u {
				continue
			}
			e.hoisted[a.v] = e.set("%s", a.v.field()+word)
		}
	}
}

// node prints the evaluation of n and the storing of its result.
func (e *emitter) node(n *node) {
	if n.when == nil && n.code == ir.Mux && n.lanes == 1 && n.out.stored && ir.Words(n.width) > 2 {
		e.choose(n)
		return
	}
	if n.when != nil { // no other node reads it
		e.f("if %s != 0 {\n", n.when.field())
		defer e.f("}\n")
		defer delete(e.local, n.out)
	}
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

// choose stores one or the other of wide values, of which there are too many
// words for variables. Who reads the result reads what is stored.
func (e *emitter) choose(n *node) {
	a, b := e.read(n.args[1]), e.read(n.args[2])
	put := func(words []string) {
		for i, x := range words {
			e.store(n.out, fmt.Sprintf("%s[%d]", n.out.field(), i), x)
		}
	}
	e.f("if %s != 0 {\n", e.read(n.args[0])[0])
	put(a)
	e.f("} else {\n")
	put(b)
	e.f("}\n")
}

// simple tells whether an expression is a name or a number.
func simple(w string) bool {
	return !strings.ContainsAny(w, " ()[]<>&|^+-*/.!=")
}

// store prints the assignment of a word of v.
func (e *emitter) store(v *value, at, x string) {
	typ := v.laneType()
	if v.bits() || v.width > 64 || v.lanes == 1 {
		typ = "uint64"
	}
	e.assign(e.p.readers[v], typ, at, x)
}

// assign prints an assignment, and has marks set at the end of the function if it
// changes something.
func (e *emitter) assign(marks []int, typ, at, x string) {
	e.note(marks, fmt.Sprintf("uint64(%s) ^ %s", at, x))
	if typ != "uint64" {
		x = fmt.Sprintf("%s(%s)", typ, x)
	}
	e.f("%s = %s\n", at, x)
}

// note has marks set at the end of the function if a difference is not zero.
func (e *emitter) note(marks []int, difference string) {
	if len(marks) == 0 {
		return
	}
	e.f("c%d |= %s\n", e.mark(markWords(marks)), difference)
}

// mark is the number of the marks in this function.
func (e *emitter) mark(words []markWord) int {
	i := slices.IndexFunc(e.marks, func(m []markWord) bool { return slices.Equal(m, words) })
	if i < 0 {
		i = len(e.marks)
		e.marks = append(e.marks, words)
	}
	return i
}
