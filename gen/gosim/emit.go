package gosim

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel/avx2"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel/avx512"
	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// targets are the instruction sets that models have kernels for, the best first.
var targets = []kernel.Target{avx512.Target{}, avx2.Target{}}

// emitter makes Go functions of units, and prints them.
type emitter struct {
	p             *plan.Plan
	b             *strings.Builder
	u             *plan.Unit
	body          []code.Stmt                  // of the function, or of the statement in it, so far
	local         map[*plan.Value][]*code.Expr // words of values of the unit in this iteration
	temps         int
	hoisted       map[*plan.Value]*code.Expr // variables with the words of bits that this iteration reads
	loaded        map[string]*code.Expr      // variables with what has been read in this iteration
	tables        *strings.Builder
	ntables       int
	tableOf       map[string]string          // names of tables of indices
	l             *code.Expr                 // the lane, or word of lanes
	full          map[*plan.Value]*code.Expr // one-bit values as lanes of a packed unit
	unpredictable bool                       // a processor cannot predict what changes
	marks         [][]markWord               // of the values stored in this function, distinct
	kernels       *kernel.Assembly           // of the units so far
	names         []string                   // of kernels
	groups        []int                      // marks of the groups of changes of the present kernel
	targets       []kernel.Target            // of the kernels of units
	doing         func() string              // what is being printed
	invalid       error                      // kernels that their verifier refuses
}

func newEmitter(p *plan.Plan, b *strings.Builder) *emitter {
	return &emitter{p: p, b: b, tables: &strings.Builder{}, tableOf: map[string]string{}, kernels: kernel.NewAssembly(), targets: targets,
		doing: func() string { return "declarations" }}
}

// f prints text as it is.
func (e *emitter) f(format string, args ...any) { fmt.Fprintf(e.b, format, args...) }

// do appends a statement.
func (e *emitter) do(s code.Stmt) { e.body = append(e.body, s) }

// within are the statements that f appends.
func (e *emitter) within(f func()) []code.Stmt {
	outer := e.body
	e.body = nil
	f()
	inner := e.body
	e.body = outer
	return inner
}

// when has what f appends done if a condition holds; always if that is nil.
func (e *emitter) when(condition *code.Expr, f func()) {
	if condition == nil {
		f()
		return
	}
	e.do(&code.If{Cond: condition, Then: e.within(f)})
}

// times has what f appends done n times; index counts.
func (e *emitter) times(index *code.Expr, n int, f func()) {
	e.do(&code.Range{Index: index, N: code.Int(n), Body: e.within(f)})
}

func (e *emitter) temp() *code.Expr {
	e.temps++
	return code.Name("t%d", e.temps)
}

// set declares a variable that is a word.
func (e *emitter) set(x *code.Expr) *code.Expr {
	t := e.temp()
	e.do(&code.Define{Name: t, X: x})
	return t
}

// number declares a variable that is an int.
func (e *emitter) number(x *code.Expr) *code.Expr {
	t := e.temp()
	e.do(&code.Define{Name: t, X: x, Int: true})
	return t
}

// zeros declares n words that are zero.
func (e *emitter) zeros(n int) []*code.Expr {
	out := make([]*code.Expr, n)
	for i := range out {
		out[i] = e.temp()
		e.do(&code.Var{Name: out[i], Type: "uint64"})
	}
	return out
}

// words declares an array of n words that are zero.
func (e *emitter) words(n int) *code.Expr {
	t := e.temp()
	e.do(&code.Var{Name: t, Type: fmt.Sprintf("[%d]uint64", n)})
	return t
}

// variable is x in a variable: what is used twice should be computed once.
func (e *emitter) variable(x *code.Expr) *code.Expr {
	if x.Variable() {
		return x
	}
	return e.set(x)
}

func (e *emitter) variables(w []*code.Expr) []*code.Expr {
	out := make([]*code.Expr, len(w))
	for i := range w {
		out[i] = e.variable(w[i])
	}
	return out
}

// put assigns a word.
func (e *emitter) put(to, x *code.Expr) { e.do(&code.Assign{To: to, Operator: "=", X: x}) }

// or sets the bits of x in a word.
func (e *emitter) or(to, x *code.Expr) { e.do(&code.Assign{To: to, Operator: "|=", X: x}) }

// unit prints u.
func (e *emitter) unit(u *plan.Unit) {
	e.f("// %s: %s\n", names.Unit(u), u.Describe())
	e.function(names.Unit(u)+"()", u, func() {
		e.either(func() ([]*kernel.Kernel, error) { return lower.Unit(u, e.group) }, func() { e.portable(u) })
	})
}

// portable evaluates u in Go.
func (e *emitter) portable(u *plan.Unit) {
	switch u.Kind {
	case plan.Alone:
		e.alone(u.Nodes[0])
	case plan.Scalar:
		for _, n := range u.Nodes {
			e.node(n)
		}
		if e.p.Immediate {
			e.outputs()
		}
	case plan.Words:
		e.wordLoop()
	case plan.Packed:
		e.packedLoop()
	case plan.Loop:
		e.laneLoop()
	}
}

// either calls kernels at the levels that have them, if there are any, and does what portable does
// at others.
func (e *emitter) either(build func() ([]*kernel.Kernel, error), portable func()) {
	e.groups = nil
	body := e.within(portable)
	if kernels, err := build(); err == nil && len(kernels) > 0 {
		if have, ok := e.add(e.targets, kernels); ok {
			level := code.Op(">=", code.Name("s.level"), code.Name("%s", kernel.Level(have[len(have)-1])))
			body = []code.Stmt{&code.If{Cond: level, Then: e.calls(kernels), Else: body}}
		}
	}
	e.body = append(e.body, body...)
}

// add appends kernels for the targets that have instructions for all of them, and reports whether there are any. A kernel
// that its verifier refuses is a mistake, which must not pass for a missing instruction.
func (e *emitter) add(targets []kernel.Target, kernels []*kernel.Kernel) ([]kernel.Target, bool) {
	have, err := e.kernels.Add(targets, kernels...)
	if invalid := (*kernel.Invalid)(nil); errors.As(err, &invalid) {
		e.invalid = errors.Join(e.invalid, &guard.Error{Where: "in a kernel", Cause: err})
	}
	return have, err == nil
}

// calls calls kernels, and keeps the changes that they tell.
func (e *emitter) calls(kernels []*kernel.Kernel) (out []code.Stmt) {
	var changes []*code.Expr
	for _, k := range kernels {
		e.names = append(e.names, k.Name)
		call := code.Call(k.Name, code.Name("s"))
		if len(e.groups) == 0 {
			out = append(out, &code.Do{X: call})
		}
		changes = append(changes, call)
	}
	if len(e.groups) == 0 {
		return out
	}
	c := code.Name("c")
	out = append(out, &code.Define{Name: c, X: code.All("|", changes...), Int: true})
	for g, mark := range e.groups {
		out = append(out, &code.Assign{To: changed(mark), Operator: "|=", X: c.And(code.Num(1 << g))})
	}
	return out
}

// changed is the variable that is not zero if something changed that has those marks.
func changed(mark int) *code.Expr { return code.Name("c%d", mark) }

// group is the number of changes of v in the present kernel; -1 if nothing must know.
func (e *emitter) group(v *plan.Value) int { return e.groupOf(e.p.Readers[v]) }

// groupOf is the same of what has these readers.
func (e *emitter) groupOf(readers []int) int {
	if len(readers) == 0 {
		return -1
	}
	mark := e.mark(markWords(readers))
	if g := slices.Index(e.groups, mark); g >= 0 {
		return g
	}
	e.groups = append(e.groups, mark)
	return len(e.groups) - 1
}

// function prints a method: what body does in the context of u, and the marking of who
// must know of changes.
func (e *emitter) function(signature string, u *plan.Unit, body func()) {
	e.u, e.local, e.temps, e.marks, e.l = u, map[*plan.Value][]*code.Expr{}, 0, nil, lane0
	e.hoisted, e.loaded = nil, map[string]*code.Expr{}
	stmts := e.within(body)
	stmts = append(stmts, e.marking()...)
	if u.Mask != nil { // who reads what it would have computed does so once the mask has changed
		stmts = []code.Stmt{&code.If{Cond: nonzero(u.Mask), Then: stmts}}
	}
	e.f("func (s *Model) %s {\n", signature)
	for i := range e.marks {
		e.f("var c%d uint64\n", i)
	}
	e.print(stmts)
	e.f("}\n\n")
}

// print prints statements.
func (e *emitter) print(stmts []code.Stmt) { code.Print(e.b, code.Prune(stmts)) }

// marking sets the marks of what changed, and those that the function always sets.
func (e *emitter) marking() []code.Stmt {
	return e.within(func() {
		if e.unpredictable {
			e.setMarks()
		} else {
			for i, m := range e.marks {
				e.when(changed(i).Differs(code.Zero), func() { e.setting(m) })
			}
		}
		var always []int
		if i, ok := e.p.Commits[e.u]; ok {
			always = append(always, plan.CommitMark+i)
		}
		if len(e.u.Nodes) > 0 {
			always = append(always, e.p.Changeable()...)
		}
		e.setting(markWords(always))
	})
}

// setting sets the bits of words.
func (e *emitter) setting(words []markWord) {
	for _, w := range words {
		e.or(marksOf(w), code.Num(w.bits))
	}
}

// setMarks sets marks where there are differences without branches.
func (e *emitter) setMarks() {
	var words []markWord
	for i, marks := range e.marks {
		for _, m := range marks {
			k := slices.IndexFunc(words, func(w markWord) bool { return w.array == m.array && w.index == m.index })
			if k < 0 {
				k = len(words)
				words = append(words, m)
				e.do(&code.Define{Name: code.Name("d%d", k), X: marksOf(m), Int: true})
			}
			e.when(changed(i).Differs(code.Zero), func() { e.or(code.Name("d%d", k), code.Num(m.bits)) })
		}
	}
	for k, w := range words {
		e.put(marksOf(w), code.Name("d%d", k))
	}
}

func (e *emitter) wordLoop() {
	all := func() {
		for _, x := range e.u.Nodes {
			e.node(x)
		}
	}
	n := ir.Words(e.u.Lanes)
	if n == 1 {
		all()
		return
	}
	e.l = wordI
	e.times(wordI, n, all)
}

// collected are the bits of v that a loop collects in a word.
func collected(v *plan.Value) *code.Expr { return code.Name("b%d", v.ID) }

// collect declares the words of bits that u collects; they belong to the values that it
// gives.
func (e *emitter) collect(u *plan.Unit) (values []*plan.Value) {
	for _, n := range u.Nodes {
		if n.Out.Stored && n.Out.Bits() {
			values = append(values, n.Out)
			e.do(&code.Var{Name: collected(n.Out), Type: "uint64"})
		}
	}
	return values
}

// laneLoop is the loop over lanes; results of one bit are collected in words.
func (e *emitter) laneLoop() {
	u := e.u
	e.l = laneL
	if u.Lanes <= 64 {
		e.laneWord(lane0)
		return
	}
	e.do(&code.Count{Index: wordI, From: lane0, To: code.Int(u.Lanes), Step: 64, Body: e.within(func() {
		e.laneWord(masked(code.Op("/", wordI, code.Int(64)), ir.Words(u.Lanes)))
	})})
}

// laneWord evaluates the lanes of a word of bits, of lanes from i on if there are several.
func (e *emitter) laneWord(word *code.Expr) {
	u := e.u
	values := e.collect(u)
	many := u.Lanes > 64
	if many {
		e.hoist(word)
	}
	body := e.within(func() {
		for _, n := range u.Nodes {
			e.node(n)
		}
	})
	switch {
	case u.Mask != nil && many:
		e.do(&code.Bits{Mask: maskM, X: bitWord(u.Mask, word), Bit: laneL, Base: wordI, Body: body})
	case u.Mask != nil:
		e.do(&code.Bits{Mask: maskM, X: field(u.Mask), Bit: laneL, Body: body})
	case many:
		to := wordI.Add(code.Int(64))
		if u.Lanes%64 != 0 {
			to = code.Call("min", to, code.Int(u.Lanes))
		}
		e.do(&code.Count{Index: laneL, From: wordI, To: to, Step: 1, Body: body})
	default:
		e.do(&code.Range{Index: laneL, N: code.Int(u.Lanes), Body: body})
	}
	for _, v := range values {
		at, x := bitWord(v, word), collected(v)
		if u.Mask != nil {
			x = at.AndNot(bitWord(u.Mask, word)).Or(x)
		}
		e.store(v, at, x)
	}
}

// hoist reads the words of bits that the lanes of one word read, before the loop over
// these.
func (e *emitter) hoist(word *code.Expr) {
	e.hoisted = map[*plan.Value]*code.Expr{}
	for _, n := range e.u.Nodes {
		for _, a := range n.Args {
			if a.V == nil || !a.V.Bits() || !a.Same(e.u.Lanes) || e.hoisted[a.V] != nil || a.V.Node != nil && a.V.Node.Unit == e.u {
				continue
			}
			e.hoisted[a.V] = e.set(bitWord(a.V, word))
		}
	}
}

// node evaluates n and stores its result.
func (e *emitter) node(n *plan.Node) {
	e.doing = n.Located
	switch {
	case n.When != nil: // no other node reads it
		e.when(field(n.When).Differs(code.Zero), func() { e.evaluate(n) })
		delete(e.local, n.Out)
	case n.Code == ir.Mux && n.Lanes == 1 && n.Out.Stored && ir.Words(n.Width) > 2:
		e.choose(n)
	default:
		e.evaluate(n)
	}
}

func (e *emitter) evaluate(n *plan.Node) {
	ws := e.compute(n)
	if len(ws) != ir.Words(n.Width) {
		panic(fmt.Sprintf("gosim: %s of %d bits gave %d words", n.Code, n.Width, len(ws)))
	}
	names := make([]*code.Expr, len(ws))
	for i, w := range ws {
		if w.Simple() {
			names[i] = w
			continue
		}
		names[i] = code.Name("x%d", n.Out.ID)
		if len(ws) > 1 {
			names[i] = code.Name("x%d_%d", n.Out.ID, i)
		}
		e.do(&code.Define{Name: names[i], X: w})
	}
	e.local[n.Out] = names
	if n.Out.Stored {
		e.storeNode(n.Out, names)
	}
}

// storeNode stores words of v in the present lane, or word of lanes.
func (e *emitter) storeNode(v *plan.Value, x []*code.Expr) {
	switch {
	case e.u.Kind == plan.Loop && v.Bits():
		e.or(collected(v), code.Op("<<", x[0], bitNumber(laneL)))
	case e.u.Kind == plan.Words, v.Lanes == 1 && v.Width <= 64:
		e.store(v, e.present(v), x[0])
	default:
		e.storeLane(v, e.l, x)
	}
}

// present is where the only lane of v is, or the present word of bits.
func (e *emitter) present(v *plan.Value) *code.Expr {
	if v.Bits() {
		return bitWord(v, e.l)
	}
	return field(v)
}

// choose stores one or the other of wide values, of which there are too many
// words for variables. Who reads the result reads what is stored.
func (e *emitter) choose(n *plan.Node) {
	a, b := e.read(n.Args[1]), e.read(n.Args[2])
	put := func(words []*code.Expr) []code.Stmt {
		return e.within(func() { e.storeLane(n.Out, lane0, words) })
	}
	e.do(&code.If{Cond: e.read(n.Args[0])[0].Differs(code.Zero), Then: put(a), Else: put(b)})
}

// storeLane stores lane at of v.
func (e *emitter) storeLane(v *plan.Value, at *code.Expr, x []*code.Expr) {
	switch {
	case v.Bits():
		j := e.number(at)
		word := field(v)
		if v.Lanes > 64 {
			word = word.Index(masked(code.Op("/", code.Call("uint", j), code.Int(64)), v.BitWords()))
		}
		old := e.set(word)
		e.store(v, word, old.AndNot(code.Op("<<", code.Int(1), bitNumber(j))).Or(code.Op("<<", x[0], bitNumber(j))))
	case v.Width > 64:
		to := field(v)
		if v.Lanes > 1 {
			to = to.Index(masked(at, v.Lanes))
		}
		for i := range x {
			e.store(v, to.At(i), x[i])
		}
	case v.Lanes == 1:
		e.store(v, field(v), x[0])
	default:
		e.store(v, field(v).Index(masked(at, v.Lanes)), x[0])
	}
}

// store assigns a word of v.
func (e *emitter) store(v *plan.Value, at, x *code.Expr) {
	typ := "uint64"
	if v.LaneBits() > 0 {
		typ = laneType(v)
	}
	e.assign(e.p.Readers[v], typ, at, x)
}

// assign assigns a word, and has marks set at the end of the function if that changes
// something.
func (e *emitter) assign(marks []int, typ string, at, x *code.Expr) {
	e.note(marks, code.Word(at).Xor(x))
	if typ != "uint64" {
		x = code.Call(typ, x)
	}
	e.put(at, x)
}

// note has marks set at the end of the function if a difference is not zero.
func (e *emitter) note(marks []int, difference *code.Expr) {
	if len(marks) == 0 {
		return
	}
	e.or(changed(e.mark(markWords(marks))), difference)
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
