package syntax

// SelectBits returns width bits from bit lo of x, which is an object or a part of one.
func SelectBits(x Expr, lo, width int) Expr {
	switch x := x.(type) {
	case *Ident:
		if width == x.Obj.Width {
			return x
		}
		return &Part{Obj: x.Obj, Size: x.Obj.Width, Lo: lo, Width: width}
	case *Part:
		n := *x
		n.Lo, n.Width = x.Lo+lo, width
		return &n
	case *DynPart:
		n := *x
		n.Lo, n.Width = x.Lo+lo, width
		return &n
	}
	panic("verilog: selection of what is not a signal")
}

// Add appends x. If it continues the last part, the two become one part.
func (c *Concat) Add(x Expr) {
	if n := len(c.Parts); n > 0 {
		if run := adjoined(c.Parts[n-1], x); run != nil {
			c.Parts[n-1] = run
			return
		}
	}
	c.Parts = append(c.Parts, x)
}

// adjoined returns {hi, lo} as one part, or nil if they are not adjacent in one object.
func adjoined(hi, lo Expr) Expr {
	x, ok := hi.(*Part)
	y, also := lo.(*Part)
	if !ok || !also || x.Obj != y.Obj || x.Obj.Split || x.Size != y.Size {
		return nil
	}
	apart := x.Elem.Plus(y.Elem.Times(-1))
	if len(apart.Terms) > 0 || apart.Const*x.Size+x.Lo != y.Lo+y.Width {
		return nil
	}
	if width := x.Width + y.Width; width < x.Obj.Width {
		return &Part{Obj: y.Obj, Elem: y.Elem, Size: y.Size, Lo: y.Lo, Width: width}
	}
	return &Ident{x.Obj}
}
