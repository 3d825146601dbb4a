package passes

import "github.com/hotline-rtl/hotline/gen/verilog/syntax"

// constancy finds expressions that a tool may find to be constant in some iteration of a loop.
// The tool then also sees what is never read because of it, and comparisons with one outcome.
type constancy struct {
	value map[*syntax.Object]syntax.Expr // of nets with one plain assignment
	known map[*syntax.Object]bool
}

// newConstancy returns the constancy of the expressions of m.
func newConstancy(m *syntax.Module) *constancy {
	c := &constancy{value: map[*syntax.Object]syntax.Expr{}, known: map[*syntax.Object]bool{}}
	c.collect(m.Items)
	return c
}

func (c *constancy) collect(list []syntax.Item) {
	for _, it := range list {
		switch it := it.(type) {
		case *syntax.DeclItem:
			if it.Init != nil {
				c.value[it.Obj] = it.Init
			}
		case *syntax.AssignItem:
			if id, ok := it.Lhs.(*syntax.Ident); ok {
				c.value[id.Obj] = it.Rhs
			}
		case *syntax.GenerateItem:
			c.collect(it.Body)
		}
	}
}

// may reports whether x may be constant.
func (c *constancy) may(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Number, *syntax.LoopBits, *syntax.LoopValue:
		return true
	case *syntax.Ident:
		return c.object(x.Obj)
	case *syntax.Part:
		return c.object(x.Obj)
	case *syntax.DynPart:
		return c.object(x.Obj) && c.may(x.Index)
	case *syntax.Unary:
		return c.may(x.X)
	case *syntax.Signed:
		return c.may(x.X)
	case *syntax.Repeat:
		return c.may(x.X)
	case *syntax.Binary:
		return c.may(x.X) && c.may(x.Y) ||
			absorbing(x.Op) && (c.varying(x.X) || c.varying(x.Y)) ||
			syntax.IsOrder(x.Op) && c.oneSided(x)
	case *syntax.Ternary:
		yes, no := c.may(x.Yes), c.may(x.No)
		return yes && no || c.may(x.Cond) && (yes || no)
	case *syntax.Concat:
		for _, p := range x.Parts {
			if !c.may(p) {
				return false
			}
		}
		return true
	}
	return false
}

// varying reports whether x is no number but may be constant, with any value.
func (c *constancy) varying(x syntax.Expr) bool {
	if s, ok := x.(*syntax.Signed); ok {
		x = s.X
	}
	return !c.fixed(x) && c.may(x)
}

// fixed reports whether x is a number, or the name of one.
func (c *constancy) fixed(x syntax.Expr) bool {
	if id, ok := x.(*syntax.Ident); ok && id.Obj.Kind == syntax.Localparam {
		x = c.value[id.Obj]
	}
	_, ok := x.(*syntax.Number)
	return ok
}

// object reports whether the value of o may be constant.
func (c *constancy) object(o *syntax.Object) bool {
	switch {
	case o.Opaque:
		return false
	case o.Kind == syntax.Localparam:
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

// absorbing reports whether one operand of op can make the other irrelevant.
func absorbing(op string) bool {
	switch op {
	case "&", "|", "&&", "||", "*", "<<", ">>", ">>>", "%":
		return true
	}
	return false
}

// loopIndex returns the greatest value and the width of an expression that is only a loop
// constant.
func loopIndex(x syntax.Expr) (greatest, width int, ok bool) {
	switch x := x.(type) {
	case *syntax.Ident:
		return x.Obj.Greatest, x.Obj.Width, x.Obj.Kind == syntax.Localparam
	case *syntax.Part:
		return x.Obj.Greatest, x.Width, x.Obj.Kind == syntax.Localparam
	}
	return 0, 0, false
}

// oneSided reports whether a comparison may be with 0 or with the greatest number.
func (c *constancy) oneSided(b *syntax.Binary) bool {
	return c.sided(b.X, b.Op == "<") || c.sided(b.Y, b.Op == ">")
}

// sided reports whether x may be 0 or the greatest number in a comparison. Less says that x is
// on the smaller side, where a loop constant below the greatest number is harmless.
func (c *constancy) sided(x syntax.Expr, less bool) bool {
	if greatest, width, ok := loopIndex(x); ok && less && greatest < 1<<width-1 {
		return false
	}
	return c.varying(x)
}
