package passes

import "github.com/hotline-rtl/hotline/gen/verilog/syntax"

// constancy tells which expressions a tool may find to be constant, in some
// iteration of a loop at least: then it also sees what is never read because of
// it, and comparisons with one outcome.
type constancy struct {
	value map[*syntax.Object]syntax.Expr // of nets with one plain assignment
	known map[*syntax.Object]bool
}

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

// may tells whether x may be constant.
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

// varying tells whether x may be constant but is no number: it may be any
// constant.
func (c *constancy) varying(x syntax.Expr) bool {
	if s, ok := x.(*syntax.Signed); ok {
		x = s.X
	}
	_, fixed := x.(*syntax.Number)
	return !fixed && c.may(x)
}

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
func loopIndex(x syntax.Expr) (greatest, width int, ok bool) {
	switch x := x.(type) {
	case *syntax.Ident:
		return x.Obj.Greatest, x.Obj.Width, x.Obj.Kind == syntax.Localparam
	case *syntax.Part:
		return x.Obj.Greatest, x.Width, x.Obj.Kind == syntax.Localparam
	}
	return 0, 0, false
}

// oneSided tells whether a comparison may be with 0 or with the greatest
// number.
func (c *constancy) oneSided(b *syntax.Binary) bool {
	return c.sided(b.X, b.Op == "<") || c.sided(b.Y, b.Op == ">")
}

// sided is oneSided for a side of a comparison, which says that x is less or something
// else. A loop constant that is never the greatest number may be less.
func (c *constancy) sided(x syntax.Expr, less bool) bool {
	if greatest, width, ok := loopIndex(x); ok && less && greatest < 1<<width-1 {
		return false
	}
	return c.varying(x)
}
