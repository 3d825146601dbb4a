package verilog

// selectBits is width bits from bit lo of a signal or a part of one.
func selectBits(x expr, lo, width int) expr {
	switch x := x.(type) {
	case *ident:
		if width == x.obj.width {
			return x
		}
		return &part{obj: x.obj, size: x.obj.width, lo: lo, width: width}
	case *part:
		n := *x
		n.lo, n.width = x.lo+lo, width
		return &n
	case *dynPart:
		n := *x
		n.lo, n.width = x.lo+lo, width
		return &n
	}
	panic("verilog: selection of what is not a signal")
}

// add puts x behind the parts of c. What continues the part before it makes one with it.
func (c *concat) add(x expr) {
	if n := len(c.parts); n > 0 {
		if run := adjoined(c.parts[n-1], x); run != nil {
			c.parts[n-1] = run
			return
		}
	}
	c.parts = append(c.parts, x)
}

// adjoined is {hi, lo} as one part, or nil if they are no neighbours in one object.
func adjoined(hi, lo expr) expr {
	x, ok := hi.(*part)
	y, also := lo.(*part)
	if !ok || !also || x.obj != y.obj || x.obj.split || x.size != y.size {
		return nil
	}
	apart := x.elem.plus(y.elem.times(-1))
	if len(apart.terms) > 0 || apart.konst*x.size+x.lo != y.lo+y.width {
		return nil
	}
	if width := x.width + y.width; width < x.obj.width {
		return &part{obj: y.obj, elem: y.elem, size: y.size, lo: y.lo, width: width}
	}
	return &ident{x.obj}
}
