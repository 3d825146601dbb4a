package ir

func (v *verifier) stmts(list []Stmt, s *Scope) {
	for _, st := range list {
		switch st := st.(type) {
		case *Assign:
			v.assign(st, s)
		case *When:
			v.want(st.Cond, Type{Width: 1}, s, st.Pos, "condition")
			v.stmts(st.Then, s)
			v.stmts(st.Else, s)
		case *Switch:
			v.choose(st, s)
		case *MemWrite:
			v.memWrite(st, s)
		case *Assert:
			v.want(st.Cond, Type{Width: 1}, s, st.Pos, "assertion")
		default:
			v.errorf(v.mod.Pos, "%T is not a statement", st)
		}
	}
}

// want checks an expression that is used in s and must have type t.
func (v *verifier) want(e *Expr, t Type, s *Scope, pos Pos, what string) {
	if !v.expr(e) {
		v.errorf(pos, "the %s is not sound", what)
		return
	}
	if e.Type != t {
		v.errorf(pos, "the %s has %s bits, expected %s", what, e.Type, t)
	}
	if in := v.exprs[e].scope; in != nil && !s.Inside(in) {
		v.errorf(pos, "the %s depends on a loop that it is used outside of", what)
	}
}

func (v *verifier) assign(st *Assign, s *Scope) {
	l := st.LHS
	if l.Sig == nil || !v.signals[l.Sig] {
		v.errorf(st.Pos, "an assignment to a signal that the module does not declare")
		return
	}
	g := l.Sig
	if !g.Driven() {
		v.errorf(st.Pos, "%q is assigned but driven from outside", g.Name)
	}
	if !s.Inside(g.Scope) {
		v.errorf(st.Pos, "%q is assigned outside the scope that declares it", g.Name)
	}
	if (l.Part || l.Dyn != nil) && !g.Type.IsVec() || l.Part && l.Dyn != nil {
		v.errorf(st.Pos, "an element of %q is assigned, which has %s bits", g.Name, g.Type)
		return
	}
	if l.Bits < 0 || l.Bits > 0 && (l.Lo < 0 || l.Lo+l.Bits > g.Type.Width || g.Type.IsVec() && !l.Part && l.Dyn == nil) {
		v.errorf(st.Pos, "%d bits from bit %d of %q are assigned, which has %s bits", l.Bits, l.Lo, g.Name, g.Type)
		return
	}
	if l.Part {
		if problem := l.Index.problem(0, g.Type.Len-1); problem != "" {
			v.errorf(st.Pos, "element of %q: %s", g.Name, problem)
		} else if in := l.Index.scope(); in != nil && !s.Inside(in) {
			v.errorf(st.Pos, "element of %q: a loop variable outside its loop", g.Name)
		}
	}
	if l.Dyn != nil {
		v.want(l.Dyn, Type{Width: IndexWidth(g.Type.Len)}, s, st.Pos, "index")
	}
	v.want(st.RHS, l.Type(), s, st.Pos, "value of "+g.Name)
}

func (v *verifier) choose(st *Switch, s *Scope) {
	if !v.expr(st.Of) {
		v.errorf(st.Pos, "the value of a switch is not sound")
		return
	}
	t := st.Of.Type
	v.want(st.Of, t.Elem(), s, st.Pos, "value of a switch")
	taken := map[string]bool{}
	for _, c := range st.Cases {
		if c == nil {
			v.errorf(st.Pos, "a case is nil")
			continue
		}
		if len(c.Values) == 0 {
			v.errorf(c.Pos, "a case without a value; expected at least one")
		}
		for _, k := range c.Values {
			v.want(k, t, s, c.Pos, "value of a case")
			if k == nil || k.Op != Const {
				v.errorf(c.Pos, "the value of a case is not constant")
				continue
			}
			text := ConstText(t.Width, k.Val)
			if taken[text] {
				v.errorf(c.Pos, "%s is a value of two cases", text)
			}
			taken[text] = true
		}
		v.stmts(c.Body, s)
	}
	v.stmts(st.Default, s)
}

func (v *verifier) memWrite(st *MemWrite, s *Scope) {
	if st.Mem == nil || !v.mems[st.Mem] || st.Mem.Scope != s {
		v.errorf(st.Pos, "a memory is written outside the scope that declares it")
		return
	}
	v.want(st.Addr, Type{Width: IndexWidth(st.Mem.Depth)}, s, st.Pos, "address of "+st.Mem.Name)
	v.want(st.Data, Type{Width: st.Mem.Width}, s, st.Pos, "data of "+st.Mem.Name)
	if st.Mask == nil {
		return
	}
	if lanes := st.Mask.Type.Width; lanes < 2 || st.Mem.Width%lanes != 0 {
		v.errorf(st.Pos, "a mask of %d bits for the %d of a word of %q", lanes, st.Mem.Width, st.Mem.Name)
		return
	}
	v.want(st.Mask, st.Mask.Type.Elem(), s, st.Pos, "mask of "+st.Mem.Name)
}
