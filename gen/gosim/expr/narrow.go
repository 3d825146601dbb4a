package expr

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Compute computes n and returns the words of its result.
func (e *Evaluator) Compute(n *plan.Node) []*code.Expr {
	if e.Unit.Kind == plan.Words {
		return []*code.Expr{e.bitwise(n)}
	}
	if n.List != nil {
		return e.listed(n)
	}
	if l := n.Adjacent(); l != nil {
		return e.pack(n, l)
	}
	args := make([][]*code.Expr, len(n.Args))
	wide := n.Width > 64
	for i, o := range n.Args {
		args[i] = e.once(o)
		wide = wide || o.Width > 64
	}
	if n.Cases != nil {
		return []*code.Expr{e.choice(n, args)}
	}
	switch n.Code {
	case ir.MemRead:
		return e.memRead(n, args[0])
	case ir.Slice:
		return e.slice(n, args[0])
	case ir.Mux:
		return e.mux(n, args)
	case ir.And:
		return e.and(n, args)
	case ir.Or, ir.Xor:
		return each(args, func(words ...*code.Expr) *code.Expr { return code.All(symbols[n.Code], words...) })
	case ir.Concat:
		var parts []part
		for i := len(args) - 1; i >= 0; i-- {
			parts = append(parts, part{args[i], n.Args[i].Width})
		}
		return join(parts)
	case ir.ZExt:
		return pad(args[0], n.Width)
	case ir.Select, ir.Elem, ir.EqLanes:
		panic("gosim: list without list")
	case ir.Shl, ir.ShrU, ir.ShrS:
		if k := n.Args[1].K; k != nil { // in a variable, because it may be 64
			args[1] = []*code.Expr{e.Set(code.Int(plan.ConstantAmount(k, n.Args[0].Width)))}
		}
	}
	if wide {
		return e.wide(n, args)
	}
	b := code.Zero
	if len(args) > 1 {
		b = args[1][0]
	}
	return []*code.Expr{e.narrow(n, args[0][0], b)}
}

// choice returns the argument of the case that equals the first argument, or the last argument.
func (e *Evaluator) choice(n *plan.Node, args [][]*code.Expr) *code.Expr {
	t := e.Set(args[len(args)-1][0])
	s := &code.Switch{X: args[0][0]}
	done, of := map[uint64]bool{}, map[string]*code.Case{} // by value
	for i, k := range n.Cases {
		if done[k] {
			continue
		}
		done[k] = true
		value := args[i+1][0]
		c := of[value.String()]
		if c == nil {
			c = &code.Case{Body: []code.Stmt{&code.Assign{To: t, Operator: "=", X: value}}}
			of[value.String()] = c
			s.Cases = append(s.Cases, c)
		}
		c.Values = append(c.Values, code.Num(k))
	}
	e.Do(s)
	return t
}

// symbols maps operators of a design to operators of Go.
var symbols = map[ir.Op]string{ir.And: "&", ir.Or: "|", ir.Xor: "^", ir.Eq: "==", ir.Ne: "!=", ir.LtU: "<", ir.LeU: "<="}

// each applies f to the operands word by word.
func each(args [][]*code.Expr, f func(words ...*code.Expr) *code.Expr) []*code.Expr {
	out := make([]*code.Expr, len(args[0]))
	for i := range out {
		words := make([]*code.Expr, len(args))
		for k, a := range args {
			words[k] = a[i]
		}
		out[i] = f(words...)
	}
	return out
}

// and returns the conjunction of operands. A negated operand becomes &^ of the original.
func (e *Evaluator) and(n *plan.Node, args [][]*code.Expr) []*code.Expr {
	var plain, negated [][]*code.Expr
	for i, o := range n.Args {
		if not := o.V.MadeBy(ir.Not); not != nil && not.Unit == e.Unit && o.Same(e.Unit.Lanes) {
			negated = append(negated, e.Read(not.Args[0]))
		} else {
			plain = append(plain, args[i])
		}
	}
	if len(plain) == 0 {
		plain, negated = args, nil
	}
	out := each(plain, func(words ...*code.Expr) *code.Expr { return code.All("&", words...) })
	for _, a := range negated {
		for i := range out {
			out[i] = out[i].AndNot(a[i])
		}
	}
	return out
}

// bitwise returns the operation on a word of one-bit lanes.
func (e *Evaluator) bitwise(n *plan.Node) *code.Expr {
	var a []*code.Expr
	for _, o := range n.Args {
		a = append(a, e.readBits(o))
	}
	not := func(x *code.Expr) *code.Expr {
		if e.Unit.Lanes%64 == 0 {
			return x.Not()
		}
		return x.Xor(code.Num(plan.Ones(e.Unit.Lanes)))
	}
	switch n.Code {
	case ir.Not:
		return not(a[0])
	case ir.And, ir.Mul:
		return code.All("&", a...)
	case ir.Or:
		return code.All("|", a...)
	case ir.Xor, ir.Ne, ir.Add, ir.Sub:
		return code.All("^", a...)
	case ir.Eq:
		return not(a[0].Xor(a[1]))
	case ir.LtU:
		return a[1].AndNot(a[0])
	case ir.LeU:
		return not(a[0].AndNot(a[1]))
	case ir.Mux:
		return choice(a[0], a[1], a[2])
	}
	return a[0] // one bit is its own reduction and extension
}

// choice returns the bits of a where a bit of c is set, else of b.
func choice(c, a, b *code.Expr) *code.Expr {
	switch {
	case b.IsZero():
		return a.And(c)
	case a.IsZero():
		return b.AndNot(c)
	}
	return b.Xor(a.Xor(b).And(c))
}

// mux chooses without a branch if the value is one word, because lanes differ too much for a
// processor to predict.
func (e *Evaluator) mux(n *plan.Node, args [][]*code.Expr) []*code.Expr {
	c, a, b := args[0][0], args[1], args[2]
	if len(a) == 1 {
		switch {
		case n.Width == 1 && (b[0].IsZero() || a[0].IsZero()):
			return []*code.Expr{choice(c, a[0], b[0])}
		case b[0].IsZero():
			return []*code.Expr{a[0].And(e.Variable(c).Neg())}
		case a[0].IsZero():
			return []*code.Expr{b[0].And(e.Variable(c).Sub(code.Int(1)))}
		case e.Unit.Kind == plan.Loop:
			y := e.Variable(b[0])
			return []*code.Expr{choice(e.Variable(c).Neg(), e.Variable(a[0]), y)}
		}
		a = e.Variables(a)
	}
	if none(b) && !none(a) {
		all := e.Set(e.Variable(c).Neg())
		return each([][]*code.Expr{a}, func(w ...*code.Expr) *code.Expr { return w[0].And(all) })
	}
	out := make([]*code.Expr, len(a))
	for i := range out {
		out[i] = e.Set(b[i])
	}
	e.When(c.Differs(code.Zero), func() {
		for i := range out {
			e.Put(out[i], a[i])
		}
	})
	return out
}

// none reports whether words are all zero.
func none(words []*code.Expr) bool {
	for _, w := range words {
		if !w.IsZero() {
			return false
		}
	}
	return true
}

// narrow returns an operation on values of at most 64 bits.
func (e *Evaluator) narrow(n *plan.Node, a, b *code.Expr) *code.Expr {
	w, v := n.Width, n.Args[0].Width
	signed := func(x *code.Expr, width int) *code.Expr {
		return code.Call("int64", code.Word(e.Variable(x)).Up(64-width))
	}
	switch n.Code {
	case ir.Not:
		if w < 32 {
			return a.Xor(code.Num(plan.Ones(w)))
		}
		return a.Not().Low(w)
	case ir.RedAnd:
		return code.Bit(a.Equal(code.Num(plan.Ones(v))))
	case ir.RedXor:
		return code.Word(code.Call("bits.OnesCount64", a)).Low(1)
	case ir.Add:
		return code.Op("+", a, b).Low(w)
	case ir.Sub:
		return a.Sub(b).Low(w)
	case ir.Mul:
		return code.Op("*", a, b).Low(w)
	case ir.DivU:
		return code.Call("quotient", a, b, code.Num(plan.Ones(w)))
	case ir.ModU:
		return code.Call("remainder", a, b)
	case ir.Eq, ir.Ne, ir.LtU, ir.LeU:
		return code.Bit(code.Op(symbols[n.Code], e.Variable(a), b))
	case ir.LtS:
		return code.Bit(code.Op("<", signed(a, v), signed(b, v)))
	case ir.Shl:
		return shift("<<", code.Word(e.Variable(a)), b, n).Low(w)
	case ir.ShrU:
		x := shift(">>", code.Word(e.Variable(a)), b, n)
		if w < v {
			return x.Low(w)
		}
		return x
	case ir.ShrS:
		b = code.Call("min", b, code.Int(63)).And(code.Int(63))
		if k := n.Args[1].K; k != nil {
			b = code.Num(min(k[0], 63))
		}
		return code.Word(code.Op(">>", signed(a, w).Down(64-w), b)).Low(w)
	case ir.SExt:
		return code.Word(signed(a, v).Down(64 - v)).Low(w)
	case ir.Lowest:
		x := e.Variable(a)
		return x.And(x.Neg())
	case ir.Encode:
		if v > 16 {
			return code.Call("encode", a)
		}
		return encodeFew(e.Variable(a), v)
	case ir.PopCount:
		return code.Word(code.Call("bits.OnesCount64", a))
	}
	panic(fmt.Sprintf("gosim: operator %s", n.Code))
}

// encodeFew returns the OR of the numbers of the set bits of x. It serves short values, for which
// it avoids a loop whose length a processor cannot predict.
func encodeFew(x *code.Expr, width int) *code.Expr {
	var terms []*code.Expr
	for k := 0; 1<<k < width; k++ {
		var mask uint64
		for i := range width {
			mask |= uint64(i>>k&1) << i
		}
		terms = append(terms, code.Bit(x.And(code.Num(mask)).Differs(code.Zero)).Up(k))
	}
	return code.All("|", terms...)
}

// shift returns x << amount or x >> amount for operation n. It never prints a shift of Go whose
// amount may be 64 or more. On amd64, Go 1.26 compiles such a shift to a comparison with 64 and a
// SBB instruction, which overwrites the flags. A later amount == 64 may read these flags. Go also
// evaluates a signed shift to 0 if it determines that the amount is 1<<63 or more.
func shift(op string, x, amount *code.Expr, n *plan.Node) *code.Expr {
	switch {
	case n.Args[1].K != nil:
		return code.Op(op, x, amount)
	case n.Args[1].Width <= 6:
		return code.Op(op, x, amount.And(code.Int(63)))
	case op == "<<":
		return code.Call("left", x, amount)
	}
	return code.Call("right", x, amount)
}

func (e *Evaluator) memRead(n *plan.Node, addr []*code.Expr) []*code.Expr {
	m := n.Mem
	out := e.Zeros(ir.Words(m.Width))
	word := storage.MemoryWord(m, storage.LaneOf(n.MemAt, e.Lane), e.Address(addr, m.Room))
	e.When(Below(n.Args[0].Width, m.Room, addr), func() {
		for i := range out {
			if len(out) > 1 {
				e.Put(out[i], word.At(i))
			} else {
				e.Put(out[i], code.Word(word))
			}
		}
	})
	return out
}

// Address returns an address as an index of an array of n elements. The address must be below n.
func (e *Evaluator) Address(addr []*code.Expr, n int) *code.Expr {
	return storage.Masked(e.Variable(addr[0]), n)
}

// Below returns the condition that an index is below n, or nil if it always is.
func Below(width, n int, addr []*code.Expr) *code.Expr {
	if plan.Bounded(width, n) {
		return nil
	}
	var c []*code.Expr
	for _, w := range addr[1:] {
		c = append(c, w.Equal(code.Zero))
	}
	return code.All("&&", append(c, code.Op("<", code.Word(addr[0]), code.Int(n)))...)
}
