package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

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
		if w, ok := e.hoisted[o.v]; ok {
			return []string{fmt.Sprintf("(%s>>(uint(%s)&63)&1)", w, e.l)}
		}
	}
	if o.table != nil {
		return o.v.lane(e.tabledIndex(o.table), -1)
	}
	if o.at.constant() {
		return o.v.lane("", o.at.add)
	}
	if len(o.at.terms) > 1 && e.u.lanes > 8 {
		table := make([]int, e.u.lanes)
		for l := range table {
			table[l] = o.at.at(l)
		}
		return o.v.lane(e.tabledIndex(table), -1)
	}
	return o.v.lane(o.at.expr(e.l), -1)
}

// once is like read, but lanes of arrays that several operations of a loop read
// are loaded once: the Go compiler loads them again after each store.
func (e *emitter) once(o operand) []string {
	words := e.read(o)
	if e.u.kind != loop || o.width > 64 || simple(words[0]) {
		return words
	}
	t, ok := e.loaded[words[0]]
	if !ok {
		t = e.set("%s", words[0])
		e.loaded[words[0]] = t
	}
	return []string{t}
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

// tabledIndex is an int variable with the present entry of a table of indices, read
// once in an iteration.
func (e *emitter) tabledIndex(table []int) string {
	entry := fmt.Sprintf("int(%s[%s])", e.indexTable(table), index(e.l, -1, len(table)))
	if e.u.kind != loop || len(e.u.nodes) == 0 { // not in a loop over the lanes of a unit
		return entry
	}
	t, ok := e.loaded[entry]
	if !ok {
		t = e.temp()
		e.f("%s := %s\n", t, entry)
		e.loaded[entry] = t
	}
	return t
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
