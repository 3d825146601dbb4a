package passes

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
)

// merge joins clocked blocks with the same guard, so that registers that are written under the
// same conditions share a block. It joins blocks only across other clocked blocks. If there are
// any between them, the later block must not read what the earlier one or those between write:
// stages of a pipeline stay in their order.
func merge(m *syntax.Module) { m.Items = mergeItems(m.Items) }

func mergeItems(list []syntax.Item) []syntax.Item {
	var out []syntax.Item
	run := newBlockRun()
	for _, it := range list {
		switch it := it.(type) {
		case *syntax.GenerateItem:
			it.Body = mergeItems(it.Body)
		case *syntax.AlwaysItem:
			if it.Clock != nil && run.take(it) {
				continue
			}
			if it.Clock != nil {
				out = append(out, it)
				continue
			}
		}
		run = newBlockRun()
		out = append(out, it)
	}
	return out
}

// blockRun is a sequence of clocked blocks with nothing else between them.
type blockRun struct {
	blocks []*syntax.AlwaysItem
	last   map[string]int         // of the blocks of a guard
	given  map[*syntax.Object]int // the block that writes an object
}

func newBlockRun() *blockRun {
	return &blockRun{last: map[string]int{}, given: map[*syntax.Object]int{}}
}

// take merges it into a block with the same guard, or else appends it to the run.
func (r *blockRun) take(it *syntax.AlwaysItem) (merged bool) {
	key, gives := it.Head()+guard(it.Body), written(it)
	at, ok := r.last[key]
	merged = ok && mayShare(it) && (at == len(r.blocks)-1 || !r.feeds(at, it))
	if merged {
		r.blocks[at].Body = mergedBody(r.blocks[at].Body, it.Body)
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

// mayShare reports whether a block may take in more: if it is a chain of conditions, and
// writes no memory. Tools infer memories from separate blocks.
func mayShare(it *syntax.AlwaysItem) bool {
	return guard(it.Body) != "" && !slices.ContainsFunc(written(it), isMemory)
}

// feeds reports whether it reads what block number at, or a later one, writes.
func (r *blockRun) feeds(at int, it *syntax.AlwaysItem) bool {
	read := map[*syntax.Object]bool{}
	syntax.WalkStmts(it.Body, func(x syntax.Expr, written bool) {
		if !written {
			syntax.Mention(x, read)
		}
	})
	for o := range read {
		if from, ok := r.given[o]; ok && from >= at {
			return true
		}
	}
	return false
}

// written returns the objects that a block assigns.
func written(it *syntax.AlwaysItem) []*syntax.Object {
	var out []*syntax.Object
	syntax.WalkStmts(it.Body, func(x syntax.Expr, written bool) {
		if written {
			out = append(out, assigned(x))
		}
	})
	return out
}

// guard returns the conditions under which a block does something, "" if that is not a chain
// of conditions.
func guard(body []syntax.Stmt) string {
	if len(body) != 1 {
		return ""
	}
	s, ok := body[0].(*syntax.IfStmt)
	if !ok {
		return ""
	}
	key := "if " + syntax.ExprText(s.Cond)
	switch next := s.ElseIf(); {
	case next != nil:
		return key + " else " + guard(s.Else)
	case len(s.Else) > 0:
		return key + " else"
	}
	return key
}

// mergedBody returns the chain of conditions of x and y, with the statements of both.
func mergedBody(x, y []syntax.Stmt) []syntax.Stmt {
	a, b := x[0].(*syntax.IfStmt), y[0].(*syntax.IfStmt)
	a.Then = chained(a.Then, b.Then)
	if a.ElseIf() != nil {
		a.Else = mergedBody(a.Else, b.Else)
	} else {
		a.Else = chained(a.Else, b.Else)
	}
	return x
}

// chained returns x and then y, merged where the last of x and the first of y have one guard.
func chained(x, y []syntax.Stmt) []syntax.Stmt {
	if n := len(x); n > 0 && len(y) > 0 {
		if key := guard(x[n-1:]); key != "" && key == guard(y[:1]) {
			mergedBody(x[n-1:], y[:1])
			y = y[1:]
		}
	}
	return append(x, y...)
}

// assigned returns the object that an assignment to x changes.
func assigned(x syntax.Expr) *syntax.Object {
	switch x := x.(type) {
	case *syntax.Ident:
		return x.Obj
	case *syntax.Part:
		return x.Obj
	case *syntax.DynPart:
		return x.Obj
	case *syntax.Word:
		return x.Mem
	}
	panic(fmt.Sprintf("verilog: %T cannot be assigned", x))
}

func isMemory(o *syntax.Object) bool { return o.Kind == syntax.Memory }
