package verilog

// sizes are all numbers of a module that may follow from its parameter, in the order of
// the text: modules that differ in nothing else have as many.
type sizes struct {
	counts  []*int
	numbers []*number
	widths  []int // of numbers: where in counts
	objects []*object
	places  []*part // whose position is a product
	seen    map[any]bool
}

func sizesOf(m *module) *sizes {
	s := &sizes{seen: map[any]bool{}}
	for _, o := range m.ports {
		s.object(o)
	}
	s.items(m.items)
	return s
}

// first tells whether x comes for the first time.
func (s *sizes) first(x any) bool {
	again := s.seen[x]
	s.seen[x] = true
	return !again
}

func (s *sizes) count(list ...*int) {
	for _, n := range list {
		if s.first(n) {
			s.counts = append(s.counts, n)
		}
	}
}

func (s *sizes) object(o *object) {
	if !s.first(o) {
		return
	}
	s.objects = append(s.objects, o)
	s.count(&o.width, &o.depth, &o.elem)
	for i := range o.lens {
		s.count(&o.lens[i])
	}
}

func (s *sizes) affine(a *affine) {
	s.count(&a.konst)
	for i := range a.terms {
		s.count(&a.terms[i].mul)
	}
}

func (s *sizes) items(list []item) {
	for _, it := range list {
		s.item(it)
	}
}

func (s *sizes) item(it item) {
	switch it := it.(type) {
	case *declItem:
		s.object(it.obj)
	case *generateItem:
		s.count(&it.v.n)
		s.items(it.body)
		return
	case *formalItem:
		s.items(it.formal)
		s.items(it.simulated)
		return
	case *alwaysItem:
		for _, o := range it.locals {
			s.object(o)
		}
		s.loops(it.body)
	case *instanceItem:
		for i := range it.params {
			s.count(&it.params[i].value)
		}
	}
	walkItem(it, func(x expr, _ bool) { walkExpr(x, s.expr) })
}

func (s *sizes) loops(list []stmt) {
	for _, st := range list {
		if f, ok := st.(*forStmt); ok {
			s.count(&f.v.n)
			s.loops(f.body)
		}
	}
}

func (s *sizes) expr(x expr) {
	switch x := x.(type) {
	case *number:
		if s.first(x) {
			s.numbers, s.widths = append(s.numbers, x), append(s.widths, len(s.counts))
			s.count(&x.width)
		}
	case *part:
		s.affine(&x.elem)
		s.count(&x.size, &x.lo, &x.width)
		s.places = append(s.places, x)
	case *dynPart:
		s.count(&x.size, &x.lo, &x.width)
	case *word:
		s.count(&x.lo, &x.width)
	case *loopBits:
		s.count(&x.width)
	case *loopValue:
		s.affine(&x.a)
	case *repeat:
		s.count(&x.n)
	}
}
