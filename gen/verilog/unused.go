package verilog

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// usage finds which bits of each object something reads.
type usage struct {
	bits map[*object][]bool
	c    *constancy
}

// unusedName is the wire that reads what else nothing does.
const unusedName = "_unused_ok"

// listUnused adds to each scope a wire that reads the bits that nothing else
// does, so that linters know that they are meant to be unused.
func listUnused(m *module) {
	u := usage{map[*object][]bool{}, newConstancy(m)}
	for _, it := range m.items {
		u.item(it)
	}
	var ports []*object
	for _, o := range m.ports {
		if o.kind == inputObject {
			ports = append(ports, o)
		}
	}
	m.items = u.list(ports, m.items, unusedName)
}

// list appends the unused wire of a scope that declares first and what list
// declares.
func (u usage) list(first []*object, list []item, name string) []item {
	for _, it := range list {
		switch it := it.(type) {
		case *declItem:
			if k := it.obj.kind; k == wireObject || k == regObject || k == memoryObject || k == paramObject {
				first = append(first, it.obj)
			}
		case *generateItem:
			it.body = u.list(nil, it.body, "_unused_"+it.label)
		}
	}
	bits := []expr{zeros(1)}
	for _, o := range first {
		if !strings.HasPrefix(o.name, "unused_") {
			bits = append(bits, u.unread(o)...)
		}
	}
	if len(bits) == 1 {
		return list
	}
	o := &object{name: name, kind: wireObject, width: 1}
	return append(list, &declItem{obj: o, init: &unary{"&", &concat{bits}}, alone: name == unusedName})
}

// unread are the runs of bits of o that nothing reads, highest first.
func (u usage) unread(o *object) []expr {
	used := u.bits[o]
	switch {
	case used != nil && o.kind == paramObject: // of which any bit will do
		return nil
	case used == nil && o.kind == memoryObject:
		return []expr{&word{mem: o, addr: zeros(ir.IndexWidth(o.depth))}}
	case used == nil:
		return []expr{&ident{o}}
	}
	var out []expr
	for hi := o.width - 1; hi >= 0; hi-- {
		if used[hi] {
			continue
		}
		lo := hi
		for lo > 0 && !used[lo-1] {
			lo--
		}
		out = append(out, selectBits(&ident{o}, lo, hi-lo+1))
		hi = lo
	}
	return out
}

// item records what an item reads.
func (u usage) item(it item) {
	switch it := it.(type) {
	case *formalItem:
		for _, in := range it.simulated {
			u.item(in)
		}
	case *generateItem:
		for _, in := range it.body {
			u.item(in)
		}
	case *alwaysItem:
		if it.clock != nil {
			u.expr(&ident{it.clock})
		}
		u.stmts(it.body)
	default:
		walkItem(it, u.side)
	}
}

// side records what one side of an assignment reads: of the left side only the
// index.
func (u usage) side(x expr, written bool) {
	if !written {
		u.expr(x)
		return
	}
	switch x := x.(type) {
	case *dynPart:
		u.expr(x.index)
	case *word:
		u.expr(x.addr)
	}
}

// stmts records what statements read, except those whose condition may be
// constant.
func (u usage) stmts(list []stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ifStmt:
			u.expr(s.cond)
			if !u.c.may(s.cond) {
				u.stmts(s.then)
				u.stmts(s.els)
			}
		case *caseStmt:
			u.expr(s.of)
			if u.c.may(s.of) {
				continue
			}
			for _, k := range s.items {
				for _, v := range k.labels {
					u.expr(v)
				}
				u.stmts(k.body)
			}
			u.stmts(s.rest)
		case *forStmt:
			u.stmts(s.body)
		default:
			walkStmts([]stmt{s}, u.side)
		}
	}
}

// expr records what x reads, except where a constant may make it irrelevant.
func (u usage) expr(x expr) {
	switch x := x.(type) {
	case *ident:
		u.mark(x.obj, 0, x.obj.width)
	case *part:
		u.part(x)
	case *dynPart:
		u.expr(x.index)
		if !u.c.may(x.index) {
			u.mark(x.obj, 0, x.obj.width)
		}
	case *word:
		u.mark(x.mem, 0, x.mem.width)
		u.expr(x.addr)
	case *ternary:
		u.expr(x.c)
		if !u.c.may(x.c) {
			u.expr(x.yes)
			u.expr(x.no)
		}
	case *binary:
		if !absorbing(x.op) || !u.c.varying(x.y) {
			u.expr(x.x)
		}
		if !absorbing(x.op) || !u.c.varying(x.x) {
			u.expr(x.y)
		}
	case *unary:
		u.expr(x.x)
	case *signed:
		u.expr(x.x)
	case *repeat:
		u.expr(x.x)
	case *concat:
		for _, p := range x.parts {
			u.expr(p)
		}
	}
}

// part marks the bits of all iterations. A loop around the declaration itself
// makes different copies of the object; which bits of which copy are read is
// not followed.
func (u usage) part(x *part) {
	for _, t := range x.elem.terms {
		if slices.Contains(x.obj.loops, t.v) {
			u.mark(x.obj, 0, 0)
			return
		}
	}
	var each func(terms []affineTerm, elem int)
	each = func(terms []affineTerm, elem int) {
		if len(terms) == 0 {
			u.mark(x.obj, elem*x.size+x.lo, x.width)
			return
		}
		for i := range terms[0].v.n {
			each(terms[1:], elem+i*terms[0].mul)
		}
	}
	each(x.elem.terms, x.elem.konst)
}

func (u usage) mark(o *object, lo, width int) {
	if u.bits[o] == nil {
		u.bits[o] = make([]bool, o.width)
	}
	for i := lo; i < lo+width; i++ {
		u.bits[o][i] = true
	}
}
