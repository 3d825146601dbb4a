package verilog

// constancy tells which expressions a tool may find to be constant, in some
// iteration of a loop at least: then it also sees what is never read because of
// it, and comparisons with one outcome.
type constancy struct {
	value map[*object]expr // of nets with one plain assignment
	known map[*object]bool
}

func newConstancy(m *module) *constancy {
	c := &constancy{value: map[*object]expr{}, known: map[*object]bool{}}
	c.collect(m.items)
	return c
}

func (c *constancy) collect(list []item) {
	for _, it := range list {
		switch it := it.(type) {
		case *declItem:
			if it.init != nil {
				c.value[it.obj] = it.init
			}
		case *assignItem:
			if id, ok := it.lhs.(*ident); ok {
				c.value[id.obj] = it.rhs
			}
		case *generateItem:
			c.collect(it.body)
		}
	}
}

// may tells whether x may be constant.
func (c *constancy) may(x expr) bool {
	switch x := x.(type) {
	case *number, *loopBits, *loopValue:
		return true
	case *ident:
		return c.object(x.obj)
	case *part:
		return c.object(x.obj)
	case *dynPart:
		return c.object(x.obj) && c.may(x.index)
	case *unary:
		return c.may(x.x)
	case *signed:
		return c.may(x.x)
	case *repeat:
		return c.may(x.x)
	case *binary:
		return c.may(x.x) && c.may(x.y) ||
			absorbing(x.op) && (c.varying(x.x) || c.varying(x.y)) ||
			isOrder(x.op) && c.oneSided(x)
	case *ternary:
		yes, no := c.may(x.yes), c.may(x.no)
		return yes && no || c.may(x.c) && (yes || no)
	case *concat:
		for _, p := range x.parts {
			if !c.may(p) {
				return false
			}
		}
		return true
	}
	return false
}

// varying tells whether x may be constant but is no number: it may be any
// constant.
func (c *constancy) varying(x expr) bool {
	if s, ok := x.(*signed); ok {
		x = s.x
	}
	_, fixed := x.(*number)
	return !fixed && c.may(x)
}

func (c *constancy) object(o *object) bool {
	switch {
	case o.kept:
		return false
	case o.kind == paramObject:
		return true
	}
	if known, ok := c.known[o]; ok {
		return known
	}
	c.known[o] = false // for vectors that depend on themselves
	v := c.value[o]
	c.known[o] = v != nil && c.may(v)
	return c.known[o]
}

// absorbing tells whether one operand of op can make the other irrelevant.
func absorbing(op string) bool {
	switch op {
	case "&", "|", "&&", "||", "*", "<<", ">>", ">>>", "%":
		return true
	}
	return false
}

// loopIndex gives the greatest value of what is only a loop constant, and its
// width.
func loopIndex(x expr) (greatest, width int, ok bool) {
	switch x := x.(type) {
	case *ident:
		return x.obj.greatest, x.obj.width, x.obj.kind == paramObject
	case *part:
		return x.obj.greatest, x.width, x.obj.kind == paramObject
	}
	return 0, 0, false
}

// oneSided tells whether a comparison may be with 0 or with the greatest
// number.
func (c *constancy) oneSided(b *binary) bool {
	return c.sided(b.x, b.op == "<") || c.sided(b.y, b.op == ">")
}

// sided is oneSided for a side of a comparison, which says that x is less or something
// else. A loop constant that is never the greatest number may be less.
func (c *constancy) sided(x expr, less bool) bool {
	if greatest, width, ok := loopIndex(x); ok && less && greatest < 1<<width-1 {
		return false
	}
	return c.varying(x)
}
