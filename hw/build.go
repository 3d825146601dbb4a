package hw

import (
	"reflect"
	"strconv"
)

// spot is where in a record a signal stands.
type spot struct {
	name  string
	dir   direction
	back  bool
	abut  bool   // what comes next has no underscore before it
	twice bool   // in or out, within what is in or out
	clock string // field of the clock that it belongs to, or ""
	group string // heading in the Verilog
}

// in is the spot of n within another.
func (at spot) in(n *node) spot {
	switch {
	case n.name == "":
	case at.name == "" || at.abut:
		at.name += n.name
	default:
		at.name += "_" + n.name
	}
	at.abut = n.abut || n.name == "" && at.abut
	if n.clock != "" {
		at.clock = n.clock
	}
	if at.group == "" && len(n.kids) > 0 {
		at.group = at.name
		if at.name != "" && n.doc != "" {
			at.group += ": " + n.doc
		}
	}
	at.twice = at.twice || at.dir != noDirection && n.dir != noDirection
	at.dir, at.back = max(at.dir, n.dir), at.back != n.back
	return at
}

// build makes the signals of a record v one by one, vectors of count elements where
// that is not 0.
func (n *node) build(v reflect.Value, at spot, one func(leaf *node, at spot, count int) *value) {
	at = at.in(n)
	switch x := holder(v).(type) {
	case leafHolder:
		x.hold(one(n, at, n.n))
		return
	case arrayHolder:
		x.make(n, at, one)
		return
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), n.n, n.n))
		for i := range n.n {
			numbered := at
			numbered.name += "_" + strconv.Itoa(i)
			n.kids[0].build(v.Index(i), numbered, one)
		}
		return
	}
	for _, k := range n.kids {
		k.build(v.Field(k.index), at, one)
	}
}

// leaves calls f for each signal of n.
func (n *node) leaves(at spot, f func(leaf *node, at spot)) {
	if at = at.in(n); len(n.kids) == 0 {
		f(n, at)
		return
	}
	for _, k := range n.kids {
		k.leaves(at, f)
	}
}
