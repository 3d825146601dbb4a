package verilog

import "slices"

// tidy declares wires where they are assigned, or before the instance that drives them,
// unless something before that reads them.
func tidy(m *module) { m.items = tidyItems(m.items) }

func tidyItems(list []item) []item {
	mentioned := map[*object]bool{}
	inPlace := map[*object]bool{}
	declared := map[*object]*declItem{}
	movable := func(x expr) *declItem {
		if id, ok := x.(*ident); ok && id.obj.kind == wireObject && !mentioned[id.obj] {
			return declared[id.obj]
		}
		return nil
	}
	var placed []item
	for _, it := range list {
		switch it := it.(type) {
		case *declItem:
			if it.init == nil {
				declared[it.obj] = it
			}
		case *generateItem:
			it.body = tidyItems(it.body)
		case *assignItem:
			if d := movable(it.lhs); d != nil {
				inPlace[d.obj] = true
				placed = append(placed, &declItem{obj: d.obj, init: it.rhs, src: it.src})
				walkItem(it, func(x expr, _ bool) { mention(x, mentioned) })
				continue
			}
		case *instanceItem:
			for _, c := range it.conns {
				if d := movable(c.value); d != nil && c.output {
					inPlace[d.obj] = true
					d.obj.group = "" // the instance below says it
					placed = append(placed, &declItem{obj: d.obj, src: d.src, local: true})
				}
			}
		}
		walkItem(it, func(x expr, _ bool) { mention(x, mentioned) })
		placed = append(placed, it)
	}
	var out []item
	for _, it := range placed {
		if d, ok := it.(*declItem); ok && declared[d.obj] == d && inPlace[d.obj] {
			continue
		}
		out = append(out, it)
	}
	return out
}

func mention(x expr, set map[*object]bool) {
	walkExpr(x, func(x expr) {
		switch x := x.(type) {
		case *ident:
			set[x.obj] = true
		case *part:
			set[x.obj] = true
		case *dynPart:
			set[x.obj] = true
		case *word:
			set[x.mem] = true
		}
	})
}

// walkItem calls f for every expression in it, with whether it is written.
func walkItem(it item, f func(x expr, written bool)) {
	switch it := it.(type) {
	case *declItem:
		if it.init != nil {
			f(it.init, false)
		}
	case *assignItem:
		f(it.lhs, true)
		f(it.rhs, false)
	case *alwaysItem:
		if it.clock != nil {
			f(&ident{it.clock}, false)
		}
		walkStmts(it.body, f)
	case *instanceItem:
		for _, c := range it.conns {
			f(c.value, c.output)
		}
	case *generateItem:
		for _, in := range it.body {
			walkItem(in, f)
		}
	case *formalItem:
		for _, in := range slices.Concat(it.formal, it.simulated) {
			walkItem(in, f)
		}
	}
}

func walkStmts(list []stmt, f func(x expr, written bool)) {
	for _, s := range list {
		switch s := s.(type) {
		case *setStmt:
			f(s.lhs, true)
			f(s.rhs, false)
		case *ifStmt:
			f(s.cond, false)
			walkStmts(s.then, f)
			walkStmts(s.els, f)
		case *caseStmt:
			f(s.of, false)
			for _, c := range s.items {
				for _, l := range c.labels {
					f(l, false)
				}
				walkStmts(c.body, f)
			}
			walkStmts(s.rest, f)
		case *forStmt:
			walkStmts(s.body, f)
		case *assertStmt:
			f(s.cond, false)
		}
	}
}

// walkExpr calls f for x and everything in it.
func walkExpr(x expr, f func(expr)) {
	f(x)
	switch x := x.(type) {
	case *dynPart:
		walkExpr(x.index, f)
	case *word:
		walkExpr(x.addr, f)
	case *unary:
		walkExpr(x.x, f)
	case *binary:
		walkExpr(x.x, f)
		walkExpr(x.y, f)
	case *ternary:
		walkExpr(x.c, f)
		walkExpr(x.yes, f)
		walkExpr(x.no, f)
	case *concat:
		for _, p := range x.parts {
			walkExpr(p, f)
		}
	case *repeat:
		walkExpr(x.x, f)
	case *signed:
		walkExpr(x.x, f)
	}
}
