package simplify

import "github.com/hotline-rtl/hotline/hw/ir"

// rewriteConcat flattens nested concatenations, and joins adjacent constants and adjacent
// slices of one value. Repeated operands stay.
func rewriteConcat(e *ir.Expr) *ir.Expr {
	flat := operands(nil, e)
	copied := func(i int) bool {
		return i > 0 && flat[i-1] == flat[i] || i+1 < len(flat) && flat[i+1] == flat[i]
	}
	var parts []*ir.Expr
	for i, p := range flat {
		if n := len(parts); n > 0 && (p.Op == ir.Const || !copied(i) && !copied(i-1)) {
			if j := join(e, parts[n-1], p); j != nil {
				parts[n-1] = j
				continue
			}
		}
		parts = append(parts, p)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	if len(parts) == 2 && IsZero(parts[0]) && parts[0].Label == "" {
		return Node(e, ir.ZExt, e.Type.Width, parts[1])
	}
	return &ir.Expr{Op: ir.Concat, Type: e.Type, Args: parts, Pos: e.Pos}
}

// operands appends the operands of a concatenation, and of those in it.
func operands(list []*ir.Expr, e *ir.Expr) []*ir.Expr {
	for _, p := range e.Args {
		if p.Op == ir.Concat {
			list = operands(list, p)
		} else {
			list = append(list, p)
		}
	}
	return list
}

// join returns {hi, lo} as one simpler value, or nil.
func join(from, hi, lo *ir.Expr) *ir.Expr {
	w := hi.Type.Width + lo.Type.Width
	switch {
	case hi.Op == ir.Const && lo.Op == ir.Const && hi.Label == "" && lo.Label == "":
		return constant(from, w, concatWords(hi, lo))
	case hi.Op == ir.Slice && lo.Op == ir.Slice && hi.Args[0] == lo.Args[0] && hi.Lo == lo.Lo+lo.Type.Width:
		return slice(from, lo.Args[0], lo.Lo, w)
	}
	return nil
}

// concatWords returns the words of {hi, lo}.
func concatWords(hi, lo *ir.Expr) []uint64 {
	v := toBig(hi)
	v.Lsh(v, uint(lo.Type.Width))
	v.Or(v, toBig(lo))
	t := &ir.Expr{Type: ir.Type{Width: hi.Type.Width + lo.Type.Width}}
	return fromBig(t, v).Val
}
