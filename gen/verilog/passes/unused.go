package passes

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// usage finds which bits of each object are read.
type usage struct {
	bits map[*syntax.Object][]bool
	c    *constancy
}

// unusedName is the name of the wire that reads the unused bits of a module.
const unusedName = "_unused_ok"

// listUnused adds to each scope a wire that reads the bits that nothing else reads. So linters
// see that they are unused on purpose.
func listUnused(m *syntax.Module) {
	u := usage{map[*syntax.Object][]bool{}, newConstancy(m)}
	for _, it := range m.Items {
		u.item(it)
	}
	var ports []*syntax.Object
	for _, o := range m.Ports {
		if o.Kind == syntax.Input {
			ports = append(ports, o)
		}
	}
	m.Items = u.list(ports, m.Items, unusedName)
}

// list appends the wire of a scope that declares first and the objects of list.
func (u usage) list(first []*syntax.Object, list []syntax.Item, name string) []syntax.Item {
	for _, it := range list {
		switch it := it.(type) {
		case *syntax.DeclItem:
			if k := it.Obj.Kind; k == syntax.Wire || k == syntax.Reg || k == syntax.Memory || k == syntax.Localparam {
				first = append(first, it.Obj)
			}
		case *syntax.GenerateItem:
			it.Body = u.list(nil, it.Body, "_unused_"+it.Label)
		}
	}
	bits := []syntax.Expr{syntax.Zeros(1)}
	for _, o := range first {
		if !strings.HasPrefix(o.Name, "unused_") {
			bits = append(bits, u.unread(o)...)
		}
	}
	if len(bits) == 1 {
		return list
	}
	o := &syntax.Object{Name: name, Kind: syntax.Wire, Width: 1}
	return append(list, &syntax.DeclItem{Obj: o, Init: &syntax.Unary{Op: "&", X: &syntax.Concat{Parts: bits}}, Alone: name == unusedName})
}

// unread returns the runs of bits of o that nothing reads, highest first.
func (u usage) unread(o *syntax.Object) []syntax.Expr {
	used := u.bits[o]
	switch {
	case used != nil && o.Kind == syntax.Localparam: // of which any bit will do
		return nil
	case used == nil && o.Kind == syntax.Memory:
		return []syntax.Expr{&syntax.Word{Mem: o, Addr: syntax.Zeros(ir.IndexWidth(o.Depth))}}
	case used == nil:
		return []syntax.Expr{&syntax.Ident{Obj: o}}
	}
	var out []syntax.Expr
	for hi := o.Width - 1; hi >= 0; hi-- {
		if used[hi] {
			continue
		}
		lo := hi
		for lo > 0 && !used[lo-1] {
			lo--
		}
		out = append(out, syntax.SelectBits(&syntax.Ident{Obj: o}, lo, hi-lo+1))
		hi = lo
	}
	return out
}

// item records what an item reads.
func (u usage) item(it syntax.Item) {
	switch it := it.(type) {
	case *syntax.FormalItem:
		for _, in := range it.Simulated {
			u.item(in)
		}
	case *syntax.GenerateItem:
		for _, in := range it.Body {
			u.item(in)
		}
	case *syntax.AlwaysItem:
		if it.Clock != nil {
			u.expr(&syntax.Ident{Obj: it.Clock})
		}
		u.stmts(it.Body)
	default:
		syntax.WalkItem(it, u.side)
	}
}

// side records what one side of an assignment reads: of the left side only the index.
func (u usage) side(x syntax.Expr, written bool) {
	if !written {
		u.expr(x)
		return
	}
	switch x := x.(type) {
	case *syntax.DynPart:
		u.expr(x.Index)
	case *syntax.Word:
		u.expr(x.Addr)
	}
}

// stmts records what statements read, except for those whose condition may be constant.
func (u usage) stmts(list []syntax.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.IfStmt:
			u.expr(s.Cond)
			if !u.c.may(s.Cond) {
				u.stmts(s.Then)
				u.stmts(s.Else)
			}
		case *syntax.CaseStmt:
			u.expr(s.Of)
			if u.c.may(s.Of) {
				continue
			}
			for _, k := range s.Items {
				for _, v := range k.Labels {
					u.expr(v)
				}
				u.stmts(k.Body)
			}
			u.stmts(s.Default)
		case *syntax.ForStmt:
			u.stmts(s.Body)
		default:
			syntax.WalkStmts([]syntax.Stmt{s}, u.side)
		}
	}
}

// expr records what x reads, except where a constant may make it irrelevant.
func (u usage) expr(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Ident:
		u.mark(x.Obj, 0, x.Obj.Width)
	case *syntax.Part:
		u.part(x)
	case *syntax.DynPart:
		u.expr(x.Index)
		if !u.c.may(x.Index) {
			u.mark(x.Obj, 0, x.Obj.Width)
		}
	case *syntax.Word:
		u.mark(x.Mem, 0, x.Mem.Width)
		u.expr(x.Addr)
	case *syntax.Ternary:
		u.expr(x.Cond)
		if !u.c.may(x.Cond) {
			u.expr(x.Yes)
			u.expr(x.No)
		}
	case *syntax.Binary:
		if !absorbing(x.Op) || !u.c.varying(x.Y) {
			u.expr(x.X)
		}
		if !absorbing(x.Op) || !u.c.varying(x.X) {
			u.expr(x.Y)
		}
	case *syntax.Unary:
		u.expr(x.X)
	case *syntax.Signed:
		u.expr(x.X)
	case *syntax.Repeat:
		u.expr(x.X)
	case *syntax.Concat:
		for _, p := range x.Parts {
			u.expr(p)
		}
	}
}

// part marks the bits that x selects in all iterations. A loop around the declaration itself
// makes several copies of the object. It does not track which bits of which copy are read.
func (u usage) part(x *syntax.Part) {
	for _, t := range x.Elem.Terms {
		if slices.Contains(x.Obj.Loops, t.Var) {
			u.mark(x.Obj, 0, 0)
			return
		}
	}
	var each func(terms []syntax.Term, elem int)
	each = func(terms []syntax.Term, elem int) {
		if len(terms) == 0 {
			u.mark(x.Obj, elem*x.Size+x.Lo, x.Width)
			return
		}
		for i := range terms[0].Var.N {
			each(terms[1:], elem+i*terms[0].Mul)
		}
	}
	each(x.Elem.Terms, x.Elem.Const)
}

// mark records that width bits of o from bit lo are read.
func (u usage) mark(o *syntax.Object, lo, width int) {
	if u.bits[o] == nil {
		u.bits[o] = make([]bool, o.Width)
	}
	for i := lo; i < lo+width; i++ {
		u.bits[o][i] = true
	}
}
