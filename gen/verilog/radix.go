package verilog

// unifyRadix prints numbers that a reader compares in one radix: the labels of a case and
// all else that one value may be equal to, and what one object is assigned. A 0 that is
// assigned says nothing of the others. What is less or more than something is a count.
func unifyRadix(m *module) {
	r := radixes{compared: map[string][]*number{}, assigned: map[*object][]*number{}}
	for _, it := range m.items {
		r.item(it)
	}
	for _, list := range r.compared {
		unify(list)
	}
	for _, list := range r.assigned {
		unify(list)
	}
}

func unify(list []*number) {
	hex := false
	for _, n := range list {
		hex = hex || n.inHex()
	}
	for _, n := range list {
		n.hex = hex
	}
}

// radixes are numbers by what they are compared with, as text, and what is assigned them.
type radixes struct {
	compared map[string][]*number
	assigned map[*object][]*number
}

func (r radixes) item(it item) {
	switch it := it.(type) {
	case *declItem:
		if it.init != nil {
			r.gives(it.obj, it.init)
		}
	case *assignItem:
		r.gives(assigned(it.lhs), it.rhs)
	case *alwaysItem:
		r.stmts(it.body)
	case *generateItem:
		for _, in := range it.body {
			r.item(in)
		}
		return
	}
	walkItem(it, func(x expr, _ bool) { walkExpr(x, r.compares) })
}

func (r radixes) stmts(list []stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *setStmt:
			r.gives(assigned(s.lhs), s.rhs)
		case *ifStmt:
			r.stmts(s.then)
			r.stmts(s.els)
		case *caseStmt:
			for _, k := range s.items {
				for _, l := range k.labels {
					r.compares(&binary{"==", s.of, l})
				}
				r.stmts(k.body)
			}
			r.stmts(s.rest)
		case *forStmt:
			r.stmts(s.body)
		}
	}
}

// gives notes the numbers among the alternatives of x.
func (r radixes) gives(o *object, x expr) {
	switch x := x.(type) {
	case *number:
		if x.width > 1 && !x.isZero() {
			r.assigned[o] = append(r.assigned[o], x)
		}
	case *ternary:
		r.gives(o, x.yes)
		r.gives(o, x.no)
	}
}

// compares notes the number of a comparison.
func (r radixes) compares(x expr) {
	b, ok := x.(*binary)
	if !ok || !isComparison(b.op) {
		return
	}
	if n, ok := b.y.(*number); ok && isOrder(b.op) {
		n.count = true
	} else if ok && n.width > 1 {
		of := exprText(b.x)
		r.compared[of] = append(r.compared[of], n)
	}
}
