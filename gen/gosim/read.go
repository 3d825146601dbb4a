package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// read are the words of o in the present lane, or the present word of lanes.
func (e *emitter) read(o plan.Operand) []*code.Expr {
	if e.u.Kind == plan.Words {
		return []*code.Expr{e.readBits(o)}
	}
	switch {
	case o.K != nil:
		return constantWords(o.K, o.Width)
	case o.Ks != nil:
		return e.table(o)
	}
	if o.Same(e.u.Lanes) {
		if w, ok := e.local[o.V]; ok {
			return w
		}
		if w, ok := e.hoisted[o.V]; ok {
			return []*code.Expr{code.Op(">>", w, bitNumber(e.l)).Low(1)}
		}
	}
	switch {
	case o.Table != nil:
		return lane(o.V, e.tabledIndex(o.Table))
	case len(o.At.Terms) > 1 && e.u.Lanes > 8:
		table := make([]int, e.u.Lanes)
		for l := range table {
			table[l] = o.At.At(l)
		}
		return lane(o.V, e.tabledIndex(table))
	}
	return lane(o.V, laneOf(o.At, e.l))
}

// once is like read, but lanes of arrays that several operations of a loop read
// are loaded once: the Go compiler loads them again after each store.
func (e *emitter) once(o plan.Operand) []*code.Expr {
	words := e.read(o)
	if e.u.Kind != plan.Loop || o.Width > 64 || words[0].Simple() {
		return words
	}
	return []*code.Expr{e.load(words[0], e.set)}
}

// load puts x into a variable, which declare makes, once in an iteration.
func (e *emitter) load(x *code.Expr, declare func(*code.Expr) *code.Expr) *code.Expr {
	key := x.String()
	t, ok := e.loaded[key]
	if !ok {
		t = declare(x)
		e.loaded[key] = t
	}
	return t
}

// readBits is the present word of the one-bit operand o.
func (e *emitter) readBits(o plan.Operand) *code.Expr {
	all := code.Num(^uint64(0))
	if e.u.Lanes < 64 {
		all = code.Num(plan.Ones(e.u.Lanes))
	}
	if o.K != nil {
		return code.Num(-o.K[0]).And(all)
	}
	if o.Same(e.u.Lanes) {
		if w, ok := e.local[o.V]; ok {
			return w[0]
		}
		return bitWord(o.V, e.l)
	}
	x := lane(o.V, code.Int(o.At.Add))[0].Neg()
	if e.u.Lanes < 64 {
		return x.And(all)
	}
	return x
}

// table declares the constants of o as an array and gives the present one.
func (e *emitter) table(o plan.Operand) []*code.Expr {
	e.ntables++
	name := fmt.Sprintf("k%d", e.ntables)
	w := ir.Words(o.Width)
	typ := elemType(o.Width)
	if w > 1 {
		typ = fmt.Sprintf("[%d]uint64", w)
	}
	fmt.Fprintf(e.tables, "var %s = [%d]%s{", name, len(o.Ks), typ)
	for _, k := range o.Ks {
		c := code.Words(constantWords(k, o.Width)...).String()
		if w == 1 {
			c = code.Hex(k[0])
		}
		fmt.Fprintf(e.tables, "%s, ", c)
	}
	e.tables.WriteString("}\n\n")
	at := code.Name("%s", name).Index(masked(e.l, len(o.Ks)))
	if w == 1 {
		return []*code.Expr{code.Word(at)}
	}
	return elements(at, w)
}

// tabledIndex is the present entry of a table of indices, an int, in a variable in a loop
// over the lanes of a unit.
func (e *emitter) tabledIndex(table []int) *code.Expr {
	entry := code.Call("int", code.Name("%s", e.indexTable(table)).Index(masked(e.l, len(table))))
	if e.u.Kind != plan.Loop || len(e.u.Nodes) == 0 {
		return entry
	}
	return e.load(entry, e.number)
}

func (e *emitter) indexTable(table []int) string {
	key := fmt.Sprint(table)
	if name, ok := e.tableOf[key]; ok {
		return name
	}
	e.ntables++
	name := fmt.Sprintf("k%d", e.ntables)
	e.tableOf[key] = name
	typ := elemType(32)
	if slices.Max(table) < 256 {
		typ = elemType(8)
	}
	fmt.Fprintf(e.tables, "var %s = [%d]%s{%s}\n\n", name, len(table), typ, strings.Trim(strings.ReplaceAll(key, " ", ", "), "[]"))
	return name
}
