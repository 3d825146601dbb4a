package verilog

import (
	"fmt"
	"slices"
)

// merge joins clocked blocks of one guard: registers that are written when the same
// conditions hold. Only blocks with nothing but other such blocks between them are
// joined, and none that takes what they give, as the stages of a pipeline do.
func merge(m *module) { m.items = mergeItems(m.items) }

func mergeItems(list []item) []item {
	var out []item
	run := newBlockRun()
	for _, it := range list {
		switch it := it.(type) {
		case *generateItem:
			it.body = mergeItems(it.body)
		case *alwaysItem:
			if it.clock != nil && run.take(it) {
				continue
			}
			if it.clock != nil {
				out = append(out, it)
				continue
			}
		}
		run = newBlockRun()
		out = append(out, it)
	}
	return out
}

// blockRun are clocked blocks with nothing else between.
type blockRun struct {
	blocks []*alwaysItem
	last   map[string]int  // of the blocks of a guard
	given  map[*object]int // the block that writes an object
}

func newBlockRun() *blockRun {
	return &blockRun{last: map[string]int{}, given: map[*object]int{}}
}

// take makes it part of a block of its guard, or else the last of the run.
func (r *blockRun) take(it *alwaysItem) (merged bool) {
	key, gives := it.head()+guard(it.body), written(it)
	at, ok := r.last[key]
	merged = ok && mayShare(it) && (at == len(r.blocks)-1 || !r.feeds(at, it))
	if merged {
		r.blocks[at].body = mergedBody(r.blocks[at].body, it.body)
	} else {
		at = len(r.blocks)
		r.blocks = append(r.blocks, it)
	}
	if mayShare(it) {
		r.last[key] = at
	}
	for _, o := range gives {
		r.given[o] = at
	}
	return merged
}

// mayShare tells whether a block may do more than it does: if it is a chain of
// conditions and no memory's, whose block tools look for.
func mayShare(it *alwaysItem) bool {
	return guard(it.body) != "" && !slices.ContainsFunc(written(it), isMemory)
}

// feeds tells whether it reads what block number at or one behind it writes.
func (r *blockRun) feeds(at int, it *alwaysItem) bool {
	read := map[*object]bool{}
	walkStmts(it.body, func(x expr, written bool) {
		if !written {
			mention(x, read)
		}
	})
	for o := range read {
		if from, ok := r.given[o]; ok && from >= at {
			return true
		}
	}
	return false
}

// written are the objects that a block assigns.
func written(it *alwaysItem) []*object {
	var out []*object
	walkStmts(it.body, func(x expr, written bool) {
		if written {
			out = append(out, assigned(x))
		}
	})
	return out
}

// guard are the conditions under which a block does something, "" if that is no chain of
// conditions.
func guard(body []stmt) string {
	if len(body) != 1 {
		return ""
	}
	s, ok := body[0].(*ifStmt)
	if !ok {
		return ""
	}
	key := "if " + exprText(s.cond)
	switch next := elseIf(s); {
	case next != nil:
		return key + " else " + guard(s.els)
	case len(s.els) > 0:
		return key + " else"
	}
	return key
}

// mergedBody is the chain of conditions of x and y with what both do.
func mergedBody(x, y []stmt) []stmt {
	a, b := x[0].(*ifStmt), y[0].(*ifStmt)
	a.then = chained(a.then, b.then)
	if elseIf(a) != nil {
		a.els = mergedBody(a.els, b.els)
	} else {
		a.els = chained(a.els, b.els)
	}
	return x
}

// chained is x and then y, joined where the last and the first have one guard.
func chained(x, y []stmt) []stmt {
	if n := len(x); n > 0 && len(y) > 0 {
		if key := guard(x[n-1:]); key != "" && key == guard(y[:1]) {
			mergedBody(x[n-1:], y[:1])
			y = y[1:]
		}
	}
	return append(x, y...)
}

// assigned is the object that the left side of an assignment is of.
func assigned(x expr) *object {
	switch x := x.(type) {
	case *ident:
		return x.obj
	case *part:
		return x.obj
	case *dynPart:
		return x.obj
	case *word:
		return x.mem
	}
	panic(fmt.Sprintf("verilog: %T is no left side", x))
}

func isMemory(o *object) bool { return o.kind == memoryObject }
