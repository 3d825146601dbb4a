package ir

import "fmt"

// checked is the verification state of an expression.
type checked struct {
	done, sound bool
	scope       *Scope // the innermost scope that it depends on, or nil
}

// expr checks e and its operands once and reports whether they are valid.
func (v *verifier) expr(e *Expr) bool {
	if e == nil {
		v.errorf(v.mod.Pos, "an expression is nil")
		return false
	}
	if c := v.exprs[e]; c != nil {
		if !c.done {
			v.errorf(e.Pos, "%s is an operand of itself", e.Op)
		}
		return c.sound
	}
	c := &checked{}
	v.exprs[e] = c
	ok := true
	for _, a := range e.Args {
		ok = v.expr(a) && ok
	}
	c.done = true
	if !ok {
		return false
	}
	if problem := e.problem(); problem != "" {
		v.errorf(e.Pos, "%s", problem)
		return false
	}
	if e.Op == Const && e.Label != "" {
		v.label(e.Label, e.Val, e.Pos)
	}
	c.sound = v.scopeOf(e, c)
	return c.sound
}

// scopeOf determines the innermost scope that e depends on. The scopes of the operands must nest.
func (v *verifier) scopeOf(e *Expr, c *checked) bool {
	var deps []*Scope
	for _, a := range e.Args {
		deps = append(deps, v.exprs[a].scope)
	}
	switch {
	case e.Op == Ref && !v.signals[e.Sig], e.Op == MemRead && !v.mems[e.Mem]:
		v.errorf(e.Pos, "%s of something that the module does not declare", e.Op)
		return false
	case e.Op == Ref:
		deps = append(deps, e.Sig.Scope)
	case e.Op == MemRead:
		deps = append(deps, e.Mem.Scope)
	case e.Op == LoopConst, e.Op == ElemAt:
		deps = append(deps, e.Index.scope())
	}
	for _, s := range deps {
		switch {
		case s == nil || c.scope.Inside(s):
		case s.Inside(c.scope) || c.scope == nil:
			c.scope = s
		default:
			v.errorf(e.Pos, "the operands of %s are of two loops", e.Op)
			return false
		}
	}
	return true
}

// problem describes what is wrong with the types of e and its operands, or returns "".
func (e *Expr) problem() string {
	if e.Op >= numOps {
		return fmt.Sprintf("operator %d", e.Op)
	}
	if problem := e.Type.problem(); problem != "" {
		return fmt.Sprintf("%s: %s", e.Op, problem)
	}
	lo, hi := e.Op.operands()
	if n := len(e.Args); n < lo || n > hi {
		return fmt.Sprintf("%s with %d operands", e.Op, n)
	}
	if problem := e.leaf(); problem != "" {
		return fmt.Sprintf("%s: %s", e.Op, problem)
	}
	if e.sound() {
		return ""
	}
	s := e.Op.String() + " of"
	for i, a := range e.Args {
		if i > 0 {
			s += ","
		}
		s += " " + a.Type.String()
	}
	return s + " gives " + e.Type.String()
}

// operands returns the minimum and maximum number of operands of o.
func (o Op) operands() (lo, hi int) {
	switch o {
	case Const, Ref, LoopConst:
		return 0, 0
	case Not, RedAnd, RedXor, Slice, ZExt, SExt, MemRead, Pack, Unpack, ElemAt,
		Lowest, Encode, PopCount:
		return 1, 1
	case Mux, Update:
		return 3, 3
	case Concat, VecOf:
		return 1, MaxWidth
	}
	return 2, 2
}

// leaf checks the fields of e other than its operands.
func (e *Expr) leaf() string {
	switch e.Op {
	case Const:
		if !masked(e.Val, e.Type.Width) {
			return fmt.Sprintf("%x is not a value of %s bits", e.Val, e.Type)
		}
	case Ref:
		if e.Sig == nil || e.Sig.Type != e.Type {
			return "no signal of " + e.Type.String() + " bits"
		}
	case MemRead:
		if e.Mem == nil {
			return "no memory"
		}
	case LoopConst:
		return e.Index.problem(0, 1<<min(e.Type.Width, 62)-1)
	case ElemAt:
		return e.Index.problem(0, e.Args[0].Type.Len-1)
	}
	return ""
}

// sound reports whether the types of e and its operands are as Op documents.
func (e *Expr) sound() bool {
	t := e.Type
	arg := func(i int) Type { return e.Args[i].Type }
	bits := func(w int) Type { return Type{Width: w} }
	scalars := true
	for _, a := range e.Args {
		scalars = scalars && !a.Type.IsVec()
	}
	switch e.Op {
	case Const, LoopConst:
		return !t.IsVec()
	case Ref:
		return true
	case Not, Lowest:
		return scalars && t == arg(0)
	case RedAnd, RedXor:
		return scalars && t == bits(1)
	case Add, Sub, Mul, DivU, ModU:
		return scalars && t == arg(0) && t == arg(1)
	case And, Or, Xor:
		return t == arg(0) && t == arg(1)
	case Eq, Ne, LtU, LeU, LtS:
		return scalars && arg(0) == arg(1) && t == bits(1)
	case Shl, ShrU, ShrS:
		return scalars && t == arg(0)
	case Mux:
		return arg(0) == bits(1) && arg(1) == t && arg(2) == t
	case Slice:
		return scalars && !t.IsVec() && e.Lo >= 0 && e.Lo+t.Width <= arg(0).Width
	case Concat:
		sum := 0
		for i := range e.Args {
			sum += arg(i).Width
		}
		return scalars && t == bits(sum)
	case ZExt, SExt:
		return scalars && !t.IsVec() && t.Width >= arg(0).Width
	case MemRead:
		return arg(0) == bits(IndexWidth(e.Mem.Depth)) && t == bits(e.Mem.Width)
	}
	return e.soundVector(t, arg, bits, scalars)
}

func (e *Expr) soundVector(t Type, arg func(int) Type, bits func(int) Type, scalars bool) bool {
	switch e.Op {
	case VecOf:
		for i := range e.Args {
			if arg(i) != t.Elem() {
				return false
			}
		}
		return t.Len == len(e.Args)
	case Pack:
		return arg(0).IsVec() && t == bits(arg(0).Bits())
	case Unpack:
		return scalars && t.IsVec() && t.Bits() == arg(0).Width
	case ElemAt:
		return arg(0).IsVec() && t == arg(0).Elem()
	case Elem:
		return arg(0).IsVec() && arg(1) == bits(IndexWidth(arg(0).Len)) && t == arg(0).Elem()
	case Update:
		return t.IsVec() && arg(0) == t && arg(1) == bits(IndexWidth(t.Len)) && arg(2) == t.Elem()
	case EqLanes:
		return arg(0).IsVec() && arg(1) == arg(0).Elem() && t == bits(arg(0).Len)
	case Select:
		return arg(1).IsVec() && arg(0) == bits(arg(1).Len) && t == arg(1).Elem()
	case Encode:
		return scalars && t == bits(IndexWidth(arg(0).Width))
	case PopCount:
		return scalars && t == bits(CountWidth(arg(0).Width))
	case Route:
		return arg(1).IsVec() && arg(0) == bits(arg(1).Len) && t.IsVec() && t.Width == arg(1).Len
	}
	return false
}
