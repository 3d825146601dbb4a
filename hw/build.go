package hw

import (
	"reflect"
	"strconv"
)

// spot is the context of a signal in a record: its name so far and inherited properties.
type spot struct {
	name  string
	dir   direction
	back  bool
	abut  bool   // no underscore before the next name
	twice bool   // in or out within a field that is in or out
	clock string // field of the clock that the signal belongs to, or ""
	group string // heading in the Verilog
}

// in returns the spot of n within at.
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

// build makes the signals of a record v one by one. lens holds one length per dimension of a
// vector, outermost first.
func (n *node) build(v reflect.Value, at spot, one func(leaf *node, at spot, lens []int) *value) {
	at = at.in(n)
	switch x := holder(v).(type) {
	case leafHolder:
		if x.isVector() {
			x.hold(one(n, at, []int{n.n}))
		} else {
			x.hold(one(n, at, nil))
		}
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

// product returns the number of elements of a vector of several dimensions, or 0 if there is none.
func product(lens []int) int {
	if len(lens) == 0 {
		return 0
	}
	n := 1
	for _, k := range lens {
		n *= k
	}
	return n
}
