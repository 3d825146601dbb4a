package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Read returns the words of o in the present lane, or the present word of lanes.
func (e *Evaluator) Read(o plan.Operand) []*code.Expr {
	if e.Unit.Kind == plan.Words {
		return []*code.Expr{e.readBits(o)}
	}
	switch {
	case o.K != nil:
		return storage.Constant(o.K, o.Width)
	case o.Ks != nil:
		return e.table(o)
	}
	if o.Same(e.Unit.Lanes) {
		if w, ok := e.Local[o.V]; ok {
			return w
		}
		if w, ok := e.hoisted[o.V]; ok {
			return []*code.Expr{code.Op(">>", w, storage.BitNumber(e.Lane)).Low(1)}
		}
	}
	switch {
	case o.Table != nil:
		return storage.Lane(o.V, e.tabledIndex(o.Table))
	case len(o.At.Terms) > 1 && e.Unit.Lanes > 8:
		table := make([]int, e.Unit.Lanes)
		for l := range table {
			table[l] = o.At.At(l)
		}
		return storage.Lane(o.V, e.tabledIndex(table))
	}
	return storage.Lane(o.V, storage.LaneOf(o.At, e.Lane))
}

// once is like Read, but loads lanes of arrays that several operations of a loop read only once.
// The Go compiler would load them again after each store.
func (e *Evaluator) once(o plan.Operand) []*code.Expr {
	words := e.Read(o)
	if e.Unit.Kind != plan.Loop || o.Width > 64 || words[0].Simple() {
		return words
	}
	return []*code.Expr{e.load(words[0], e.Set)}
}

// load puts x into a variable, created by declare, once per iteration.
func (e *Evaluator) load(x *code.Expr, declare func(*code.Expr) *code.Expr) *code.Expr {
	key := x.String()
	t, ok := e.loaded[key]
	if !ok {
		t = declare(x)
		e.loaded[key] = t
	}
	return t
}

// readBits returns the present word of the one-bit operand o.
func (e *Evaluator) readBits(o plan.Operand) *code.Expr {
	all := code.Num(^uint64(0))
	if e.Unit.Lanes < 64 {
		all = code.Num(plan.Ones(e.Unit.Lanes))
	}
	if o.K != nil {
		return code.Num(-o.K[0]).And(all)
	}
	if o.Same(e.Unit.Lanes) {
		if w, ok := e.Local[o.V]; ok {
			return w[0]
		}
		return storage.BitWord(o.V, e.Lane)
	}
	x := storage.Lane(o.V, code.Int(o.At.Add))[0].Neg()
	if e.Unit.Lanes < 64 {
		return x.And(all)
	}
	return x
}

// table declares the constants of o as an array and returns the present constant.
func (e *Evaluator) table(o plan.Operand) []*code.Expr {
	e.ntables++
	name := fmt.Sprintf("k%d", e.ntables)
	w := ir.Words(o.Width)
	typ := storage.ElemType(o.Width)
	if w > 1 {
		typ = fmt.Sprintf("[%d]uint64", w)
	}
	fmt.Fprintf(&e.tables, "var %s = [%d]%s{", name, len(o.Ks), typ)
	for _, k := range o.Ks {
		c := code.Words(storage.Constant(k, o.Width)...).String()
		if w == 1 {
			c = code.Hex(k[0])
		}
		fmt.Fprintf(&e.tables, "%s, ", c)
	}
	e.tables.WriteString("}\n\n")
	at := code.Name("%s", name).Index(storage.Masked(e.Lane, len(o.Ks)))
	if w == 1 {
		return []*code.Expr{code.Word(at)}
	}
	return storage.Elements(at, w)
}

// tabledIndex returns the present entry of a table of indices, an int. In a loop over the lanes of
// a unit, it is a variable.
func (e *Evaluator) tabledIndex(table []int) *code.Expr {
	entry := code.Call("int", code.Name("%s", e.indexTable(table)).Index(storage.Masked(e.Lane, len(table))))
	if e.Unit.Kind != plan.Loop || len(e.Unit.Nodes) == 0 {
		return entry
	}
	return e.load(entry, e.Number)
}

func (e *Evaluator) indexTable(table []int) string {
	key := fmt.Sprint(table)
	if name, ok := e.tableOf[key]; ok {
		return name
	}
	e.ntables++
	name := fmt.Sprintf("k%d", e.ntables)
	e.tableOf[key] = name
	typ := storage.ElemType(32)
	if slices.Max(table) < 256 {
		typ = storage.ElemType(8)
	}
	fmt.Fprintf(&e.tables, "var %s = [%d]%s{%s}\n\n", name, len(table), typ, strings.Trim(strings.ReplaceAll(key, " ", ", "), "[]"))
	return name
}

// Hoist reads the words of bits that the lanes of a word read, before the loop over the lanes.
func (e *Evaluator) Hoist(word *code.Expr) {
	e.hoisted = map[*plan.Value]*code.Expr{}
	for _, n := range e.Unit.Nodes {
		for _, a := range n.Args {
			if a.V == nil || !a.V.Bits() || !a.Same(e.Unit.Lanes) || e.hoisted[a.V] != nil || a.V.Node != nil && a.V.Node.Unit == e.Unit {
				continue
			}
			e.hoisted[a.V] = e.Set(storage.BitWord(a.V, word))
		}
	}
}
