package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// read are the words of o in the present lane, or the present word of lanes.
func (e *emitter) read(o operand) []*code.Expr {
	if e.u.kind == words {
		return []*code.Expr{e.readBits(o)}
	}
	switch {
	case o.k != nil:
		return constantWords(o.k, o.width)
	case o.ks != nil:
		return e.table(o)
	}
	if o.same(e.u.lanes) {
		if w, ok := e.local[o.v]; ok {
			return w
		}
		if w, ok := e.hoisted[o.v]; ok {
			return []*code.Expr{code.Op(">>", w, bitNumber(e.l)).Low(1)}
		}
	}
	switch {
	case o.table != nil:
		return lane(o.v, e.tabledIndex(o.table))
	case len(o.at.terms) > 1 && e.u.lanes > 8:
		table := make([]int, e.u.lanes)
		for l := range table {
			table[l] = o.at.at(l)
		}
		return lane(o.v, e.tabledIndex(table))
	}
	return lane(o.v, laneOf(o.at, e.l))
}

// once is like read, but lanes of arrays that several operations of a loop read
// are loaded once: the Go compiler loads them again after each store.
func (e *emitter) once(o operand) []*code.Expr {
	words := e.read(o)
	if e.u.kind != loop || o.width > 64 || words[0].Simple() {
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
func (e *emitter) readBits(o operand) *code.Expr {
	all := code.Num(^uint64(0))
	if e.u.lanes < 64 {
		all = code.Num(ones(e.u.lanes))
	}
	if o.k != nil {
		return code.Num(-o.k[0]).And(all)
	}
	if o.same(e.u.lanes) {
		if w, ok := e.local[o.v]; ok {
			return w[0]
		}
		return bitWord(o.v, e.l)
	}
	x := lane(o.v, code.Int(o.at.add))[0].Neg()
	if e.u.lanes < 64 {
		return x.And(all)
	}
	return x
}

// table declares the constants of o as an array and gives the present one.
func (e *emitter) table(o operand) []*code.Expr {
	e.ntables++
	name := fmt.Sprintf("k%d", e.ntables)
	w := ir.Words(o.width)
	typ := elemType(o.width)
	if w > 1 {
		typ = fmt.Sprintf("[%d]uint64", w)
	}
	fmt.Fprintf(e.tables, "var %s = [%d]%s{", name, len(o.ks), typ)
	for _, k := range o.ks {
		c := code.Words(constantWords(k, o.width)...).String()
		if w == 1 {
			c = code.Hex(k[0])
		}
		fmt.Fprintf(e.tables, "%s, ", c)
	}
	e.tables.WriteString("}\n\n")
	at := code.Name("%s", name).Index(masked(e.l, len(o.ks)))
	if w == 1 {
		return []*code.Expr{code.Word(at)}
	}
	return elements(at, w)
}

// tabledIndex is the present entry of a table of indices, an int, in a variable in a loop
// over the lanes of a unit.
func (e *emitter) tabledIndex(table []int) *code.Expr {
	entry := code.Call("int", code.Name("%s", e.indexTable(table)).Index(masked(e.l, len(table))))
	if e.u.kind != loop || len(e.u.nodes) == 0 {
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
