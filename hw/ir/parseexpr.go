package ir

import "slices"

// expr parses an expression.
func (p *parser) expr() (e *Expr) {
	p.nest(func() {
		e = p.operand()
		for p.have("[") {
			e = p.index(e)
		}
	})
	return e
}

// operand parses an expression without indices.
func (p *parser) operand() *Expr {
	t := p.peek()
	switch {
	case t.kind == constToken:
		return p.constant()
	case t.kind == tempToken:
		p.take()
		if p.temps[t.text] == nil {
			p.failf(t, "%s is not defined before", t.text)
		}
		return p.temps[t.text]
	case t.kind != nameToken:
		p.failf(t, "found %s, expected an expression", t)
	case p.ahead().text == "(" || p.ahead().text == ":":
		return p.operation()
	}
	p.take()
	if m := p.mems[t.text]; m != nil {
		p.word("[")
		e := &Expr{Op: MemRead, Type: Type{Width: m.Width}, Mem: m, Args: []*Expr{p.expr()}}
		p.word("]")
		return p.checked(t, e)
	}
	g := p.signals[t.text]
	if g == nil {
		p.failf(t, "signal or memory %s is not declared before its use", t.text)
	}
	return &Expr{Op: Ref, Type: g.Type, Sig: g}
}

// index parses the text after the opening bracket that follows e.
func (p *parser) index(e *Expr) *Expr {
	t := p.peek()
	out := &Expr{Args: []*Expr{e}}
	if p.atAffine() {
		a := p.affine()
		switch {
		case p.have(":"):
			out.Op, out.Lo = Slice, p.number("the lowest bit")
			out.Type = Type{Width: a.Const - out.Lo + 1}
		case !e.Type.IsVec() && len(a.Terms) == 0:
			out.Op, out.Lo, out.Type = Slice, a.Const, Type{Width: 1}
		default:
			out.Op, out.Type, out.Index = ElemAt, e.Type.Elem(), a
		}
	} else {
		out.Op, out.Type = Elem, e.Type.Elem()
		out.Args = append(out.Args, p.expr())
	}
	p.word("]")
	return p.checked(t, out)
}

// atAffine reports whether a number or a loop variable is next.
func (p *parser) atAffine() bool {
	t := p.peek()
	return t.kind == numberToken || t.kind == nameToken && p.loops[t.text] != nil
}

// affine parses an affine function such as lane*2+1.
func (p *parser) affine() Affine {
	var a Affine
	for {
		t := p.take()
		switch {
		case t.kind == numberToken:
			return a.Plus(Affine{Const: p.atoi(t, t.text)})
		case t.kind != nameToken || p.loops[t.text] == nil:
			p.failf(t, "found %s, expected a loop variable or a number", t)
		}
		term := Affine{Terms: []Term{{Loop: p.loops[t.text], Mul: 1}}}
		if p.have("*") {
			term = term.Times(p.number("a factor"))
		}
		a = a.Plus(term)
		if p.peek().kind != numberToken && !p.have("+") {
			return a
		}
	}
}

// operation parses op(operands) or op:type(operands).
func (p *parser) operation() *Expr {
	t := p.take()
	op := slices.Index(opNames[:], t.text)
	if op < int(LoopConst) {
		p.failf(t, "no operator %s", t.text)
	}
	e := &Expr{Op: Op(op)}
	typed := p.have(":")
	if typed {
		e.Type = p.typ()
	}
	p.word("(")
	if e.Op == LoopConst {
		typed = true
		e.Index = p.affine()
	} else {
		e.Args = append(e.Args, p.expr())
		for p.have(",") {
			e.Args = append(e.Args, p.expr())
		}
	}
	p.word(")")
	if !typed {
		e.Type = e.resultType()
	}
	return p.checked(t, e)
}

func (p *parser) checked(t token, e *Expr) *Expr {
	if problem := e.problem(); problem != "" {
		p.failf(t, "%s", problem)
	}
	return e
}

// resultType returns the type of e derived from its operands, which must be valid.
func (e *Expr) resultType() Type {
	first, last := e.Args[0].Type, e.Args[len(e.Args)-1].Type
	switch e.Op {
	case RedAnd, RedXor, Eq, Ne, LtU, LeU, LtS:
		return Type{Width: 1}
	case Mux:
		return last
	case Select:
		return last.Elem()
	case Concat:
		sum := 0
		for _, a := range e.Args {
			sum += a.Type.Width
		}
		return Type{Width: sum}
	case VecOf:
		return Type{Width: first.Width, Len: len(e.Args)}
	case Pack:
		return Type{Width: first.Bits()}
	case EqLanes:
		return Type{Width: first.Len}
	case Encode:
		return Type{Width: IndexWidth(first.Width)}
	case PopCount:
		return Type{Width: CountWidth(first.Width)}
	}
	return first
}
