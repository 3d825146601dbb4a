package verilog

import "slices"

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
