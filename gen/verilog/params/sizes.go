package params

import "github.com/hotline-rtl/hotline/gen/verilog/syntax"

// sizes lists all numbers of a module that may follow from its parameter, in the order of the
// text. Modules that differ only in sizes have equally many.
type sizes struct {
	counts  []*int
	numbers []*syntax.Number
	widths  []int // of numbers: where in counts
	objects []*syntax.Object
	places  []*syntax.Part // whose position is a product
	seen    map[any]bool
}

// sizesOf returns the sizes of m.
func sizesOf(m *syntax.Module) *sizes {
	s := &sizes{seen: map[any]bool{}}
	for _, o := range m.Ports {
		s.object(o)
	}
	s.items(m.Items)
	return s
}

// first reports whether x comes for the first time.
func (s *sizes) first(x any) bool {
	again := s.seen[x]
	s.seen[x] = true
	return !again
}

// count appends the sizes that are new.
func (s *sizes) count(list ...*int) {
	for _, n := range list {
		if s.first(n) {
			s.counts = append(s.counts, n)
		}
	}
}

func (s *sizes) object(o *syntax.Object) {
	if !s.first(o) {
		return
	}
	s.objects = append(s.objects, o)
	s.count(&o.Width, &o.Depth, &o.Elem)
	for i := range o.Lens {
		s.count(&o.Lens[i])
	}
}

func (s *sizes) affine(a *syntax.Affine) {
	s.count(&a.Const)
	for i := range a.Terms {
		s.count(&a.Terms[i].Mul)
	}
}

func (s *sizes) items(list []syntax.Item) {
	for _, it := range list {
		s.item(it)
	}
}

func (s *sizes) item(it syntax.Item) {
	switch it := it.(type) {
	case *syntax.DeclItem:
		s.object(it.Obj)
	case *syntax.GenerateItem:
		s.count(&it.Var.N)
		s.items(it.Body)
		return
	case *syntax.FormalItem:
		s.items(it.Formal)
		s.items(it.Simulated)
		return
	case *syntax.AlwaysItem:
		for _, o := range it.Locals {
			s.object(o)
		}
		s.loops(it.Body)
	case *syntax.InstanceItem:
		for i := range it.Params {
			s.count(&it.Params[i].Value)
		}
	}
	syntax.WalkItem(it, func(x syntax.Expr, _ bool) { syntax.WalkExpr(x, s.expr) })
}

// loops appends the lengths of the loops in list.
func (s *sizes) loops(list []syntax.Stmt) {
	for _, st := range list {
		if f, ok := st.(*syntax.ForStmt); ok {
			s.count(&f.Var.N)
			s.loops(f.Body)
		}
	}
}

func (s *sizes) expr(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Number:
		if s.first(x) {
			s.numbers, s.widths = append(s.numbers, x), append(s.widths, len(s.counts))
			s.count(&x.Width)
		}
	case *syntax.Part:
		s.affine(&x.Elem)
		s.count(&x.Size, &x.Lo, &x.Width)
		s.places = append(s.places, x)
	case *syntax.DynPart:
		s.count(&x.Size, &x.Lo, &x.Width)
	case *syntax.Word:
		s.count(&x.Lo, &x.Width)
	case *syntax.LoopBits:
		s.count(&x.Width)
	case *syntax.LoopValue:
		s.affine(&x.Value)
	case *syntax.Repeat:
		s.count(&x.N)
	}
}
