package cells

import (
	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// operands contains the operands of a cell. Operations extend them to the widest operand and the
// result, like Verilog.
type operands struct {
	a, b, s *ir.Expr
	signed  bool
	back    bool // B is a shift amount that may be negative
	width   int  // of the result
}

// binary maps cells with two extended operands to operators of the IR.
var binary = map[string]ir.Op{
	"$and": ir.And, "$or": ir.Or, "$xor": ir.Xor, "$add": ir.Add, "$sub": ir.Sub, "$mul": ir.Mul,
	"$_AND_": ir.And, "$_OR_": ir.Or, "$_XOR_": ir.Xor,
}

// inverted maps cells to cells with the complemented result.
var inverted = map[string]string{
	"$xnor": "$xor", "$reduce_xnor": "$reduce_xor", "$logic_not": "$reduce_bool", "$ne": "$eq", "$nex": "$eqx", "$ge": "$lt", "$gt": "$le",
	"$_NAND_": "$_AND_", "$_NOR_": "$_OR_", "$_XNOR_": "$_XOR_",
}

// Operation returns the value of a cell without state.
func (v *Values) Operation(c *eda.Cell) *ir.Expr {
	o := operands{signed: c.Number("A_SIGNED") == 1, back: c.Number("B_SIGNED") == 1, width: len(c.Pins["Y"])}
	for _, x := range []struct { // in this order, because it decides the order of wires
		pin string
		e   **ir.Expr
	}{{"A", &o.a}, {"B", &o.b}, {"S", &o.s}} {
		if bits, ok := c.Pins[x.pin]; ok {
			*x.e = v.operand(bits)
		}
	}
	if e := o.compute(c.Type); e != nil {
		return resize(e, o.width, false)
	}
	Fail(c, "cell %s of type %s", c.Name, c.Type)
	return nil
}

// operand returns the value of nets. Yosys has operands without bits, whose value is 0.
func (v *Values) operand(bits []eda.Bit) *ir.Expr {
	if len(bits) == 0 {
		return Number(1, 0)
	}
	return v.Word(bits)
}

// compute returns the result of a cell of the given type, possibly of another width. It returns nil
// for an unknown type.
func (o operands) compute(kind string) *ir.Expr {
	if base := inverted[kind]; base != "" {
		e := o.compute(base)
		return not(e)
	}
	if op, ok := binary[kind]; ok {
		return node(op, o.width, resize(o.a, o.width, o.signed), resize(o.b, o.width, o.signed))
	}
	switch kind {
	case "$mux", "$_MUX_":
		return Mux(o.s, o.b, o.a)
	case "$pmux":
		return o.choose()
	case "$not", "$_NOT_":
		return not(resize(o.a, o.width, o.signed))
	case "$pos", "$_BUF_":
		return resize(o.a, o.width, o.signed)
	case "$neg":
		return node(ir.Sub, o.width, Number(o.width, 0), resize(o.a, o.width, o.signed))
	case "$_ANDNOT_":
		return node(ir.And, 1, o.a, not(o.b))
	case "$_ORNOT_":
		return node(ir.Or, 1, o.a, not(o.b))
	case "$reduce_and":
		return node(ir.RedAnd, 1, o.a)
	case "$reduce_xor":
		return node(ir.RedXor, 1, o.a)
	case "$reduce_or", "$reduce_bool":
		return nonzero(o.a)
	case "$logic_and":
		return node(ir.And, 1, nonzero(o.a), nonzero(o.b))
	case "$logic_or":
		return node(ir.Or, 1, nonzero(o.a), nonzero(o.b))
	case "$eq", "$eqx", "$lt", "$le":
		return o.compare(kind)
	case "$shl", "$sshl", "$shr", "$sshr", "$shift", "$shiftx":
		return o.shift(kind)
	case "$div", "$mod", "$divfloor", "$modfloor":
		return o.divide(kind)
	case "$bmux":
		return o.pick()
	}
	return nil
}

// choose returns the part of B that S selects, one-hot, or A if S is 0.
func (o operands) choose() *ir.Expr {
	e := o.a
	for i, part := range split(o.b, o.width) {
		e = Mux(slice(o.s, i, 1), part, e)
	}
	return e
}

func (o operands) compare(kind string) *ir.Expr {
	width := max(o.a.Type.Width, o.b.Type.Width)
	a, b := resize(o.a, width, o.signed), resize(o.b, width, o.signed)
	switch {
	case kind == "$eq" || kind == "$eqx":
		return node(ir.Eq, 1, a, b)
	case !o.signed && kind == "$lt":
		return node(ir.LtU, 1, a, b)
	case !o.signed:
		return node(ir.LeU, 1, a, b)
	case kind == "$lt":
		return node(ir.LtS, 1, a, b)
	}
	return not(node(ir.LtS, 1, b, a))
}

// shift shifts by B; a negative B reverses the direction.
func (o operands) shift(kind string) *ir.Expr {
	width := max(o.a.Type.Width, o.width)
	a := resize(o.a, width, o.signed && kind != "$shiftx")
	left, right := node(ir.Shl, width, a, o.b), node(ir.ShrU, width, a, o.b)
	switch {
	case kind == "$shl" || kind == "$sshl":
		right = left
	case kind == "$sshr" && o.signed:
		right = node(ir.ShrS, width, a, o.b)
	case o.back:
		n := o.b.Type.Width
		away := node(ir.Shl, width, a, node(ir.Sub, n, Number(n, 0), o.b))
		right = Mux(slice(o.b, n-1, 1), away, right)
	}
	return resize(right, o.width, false)
}

// divide divides by magnitudes, because the IR divides unsigned values only.
func (o operands) divide(kind string) *ir.Expr {
	width := max(o.a.Type.Width, o.b.Type.Width, o.width)
	a, b := resize(o.a, width, o.signed), resize(o.b, width, o.signed)
	negative, divisor := sign(a, o.signed), sign(b, o.signed)
	differ := node(ir.Xor, 1, negative, divisor)
	quotient := node(ir.DivU, width, negate(negative, a), negate(divisor, b))
	rest := node(ir.ModU, width, negate(negative, a), negate(divisor, b))
	inexact := node(ir.And, 1, differ, nonzero(rest))
	var e *ir.Expr
	switch rest := negate(negative, rest); kind {
	case "$div":
		e = negate(differ, quotient)
	case "$divfloor":
		e = node(ir.Sub, width, negate(differ, quotient), resize(inexact, width, false))
	case "$mod":
		e = rest
	case "$modfloor":
		e = Mux(inexact, node(ir.Add, width, rest, b), rest)
	}
	return resize(Mux(nonzero(b), e, Number(width, 0)), o.width, false)
}

// sign returns a bit that is 1 if e is negative.
func sign(e *ir.Expr, signed bool) *ir.Expr {
	if !signed {
		return Number(1, 0)
	}
	return slice(e, e.Type.Width-1, 1)
}

// negate returns -e if cond is 1, otherwise e.
func negate(cond, e *ir.Expr) *ir.Expr {
	return Mux(cond, node(ir.Sub, e.Type.Width, Number(e.Type.Width, 0), e), e)
}

// pick returns the part of A with index S.
func (o operands) pick() *ir.Expr {
	parts := split(o.a, o.width)
	vec := &ir.Expr{Op: ir.VecOf, Type: ir.Type{Width: o.width, Len: len(parts)}, Args: parts}
	return node(ir.Elem, o.width, vec, resize(o.s, ir.IndexWidth(len(parts)), false))
}
