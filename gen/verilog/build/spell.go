package build

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/hw/ir"
)

const longestHint = 28

// hint returns a name for e, from its operands or, if that gets long, from its purpose.
func (b *builder) hint(e *ir.Expr) string {
	if s := b.spell(e); isName(s) {
		return s
	}
	return b.hintFor(nil, spoken(e))
}

// isName reports whether the words s can be a name. They may begin with a digit.
func isName(s string) bool { return s != "" && !unicode.IsDigit(rune(s[0])) }

// hintFor returns the name of x, or of the current target, followed by a word.
func (b *builder) hintFor(x *ir.Expr, word string) string {
	base := ""
	if x != nil {
		base = b.spell(x)
	}
	if !isName(base) || len(base)+len(word) >= longestHint {
		base = b.target
	}
	if base == "" {
		return word
	}
	return base + "_" + word
}

// spoken returns a word for the operator of e. No operator lacks one, and so no signal lacks a
// name.
func spoken(e *ir.Expr) string {
	switch {
	case simplify.AnyOf(e) != nil:
		return "any"
	case simplify.Decodes(e):
		return "onehot"
	}
	if w := words[e.Op]; w != "" {
		return w
	}
	return e.Op.String()
}

// words holds the operators with another word than their own name.
var words = map[ir.Op]string{
	ir.Not: "inverted", ir.RedAnd: "all", ir.RedXor: "parity",
	ir.Add: "sum", ir.Sub: "difference", ir.Mul: "product", ir.DivU: "quotient", ir.ModU: "remainder",
	ir.Eq: "match", ir.Ne: "differs", ir.LtU: "less", ir.LeU: "at_most", ir.LtS: "less",
	ir.Shl: "shifted", ir.ShrU: "shifted", ir.ShrS: "shifted", ir.Const: "constant", ir.LoopConst: "number", ir.Concat: "bits",
	ir.ZExt: "extended", ir.SExt: "extended", ir.MemRead: "word", ir.VecOf: "elements", ir.Elem: "element",
	ir.Update: "updated", ir.EqLanes: "matches", ir.Select: "selected",
	ir.Lowest: "lowest", ir.Encode: "index", ir.PopCount: "count",
	ir.Route: "requests", ir.Slice: "bits", ir.ElemAt: "element", ir.Pack: "packed", ir.Unpack: "unpacked",
}

// infix holds the operators that are spoken between their operands.
var infix = map[ir.Op]string{
	ir.Add: "plus", ir.Sub: "minus", ir.Mul: "times", ir.DivU: "by", ir.ModU: "mod", ir.And: "and", ir.Or: "or", ir.Xor: "xor",
	ir.Eq: "is", ir.Ne: "is_not", ir.LtU: "below", ir.LeU: "up_to", ir.LtS: "below",
	ir.Elem: "at", ir.EqLanes: "is", ir.Select: "of",
}

// spell puts e in words, or returns "" if that takes too many.
func (b *builder) spell(e *ir.Expr) string {
	if o := b.named[e]; o != nil {
		return o.Name
	}
	if s, ok := b.spelled[e]; ok {
		return s
	}
	b.spelled[e] = ""
	s := b.spellNew(e)
	if len(s) > longestHint {
		s = ""
	}
	b.spelled[e] = s
	return s
}

// spellNew computes spell.
func (b *builder) spellNew(e *ir.Expr) string {
	if e.Op == ir.And && e.Type.Width == 1 {
		if s := handshake(e); s != "" {
			return s
		}
	}
	if x := simplify.AnyOf(e); x != nil {
		if s := b.spell(x); s != "" {
			return s + "_" + spoken(e)
		}
		return ""
	}
	var args []string
	for _, a := range e.Args {
		s := b.spell(a)
		if s == "" {
			return ""
		}
		args = append(args, s)
	}
	if op := infix[e.Op]; op != "" {
		return args[0] + "_" + op + "_" + args[1]
	}
	switch e.Op {
	case ir.Const:
		return b.spellConst(e)
	case ir.Ref:
		return e.Sig.Name
	case ir.LoopConst:
		return strings.ToLower(loopConstName(e.Index))
	case ir.Pack, ir.Unpack, ir.ZExt, ir.SExt:
		return args[0]
	case ir.Not:
		return "not_" + args[0]
	case ir.Slice:
		return spellSlice(args[0], e)
	case ir.ElemAt:
		if len(e.Index.Terms) == 0 {
			return fmt.Sprintf("%s_%d", args[0], e.Index.Const)
		}
		return args[0] + "_" + strings.ToLower(loopConstName(e.Index))
	case ir.MemRead:
		return e.Mem.Name + "_at_" + args[0]
	case ir.RedAnd, ir.RedXor, ir.Lowest, ir.Encode, ir.PopCount:
		return args[0] + "_" + spoken(e)
	case ir.Shl, ir.ShrU, ir.ShrS, ir.Update:
		if simplify.Decodes(e) {
			return args[1] + "_" + spoken(e)
		}
		return args[0] + "_" + spoken(e)
	case ir.Route:
		return args[1] + "_" + spoken(e)
	}
	return ""
}

// spellSlice returns words for a slice of x: x_low and x_high for the bits at an end of x,
// x_bits for others, x_msb for the highest bit, and x_3 for another bit.
func spellSlice(x string, e *ir.Expr) string {
	switch {
	case e.Type.Width == 1 && e.Lo > 0 && e.Lo+1 == e.Args[0].Type.Width:
		return x + "_msb"
	case e.Type.Width == 1:
		return fmt.Sprintf("%s_%d", x, e.Lo)
	case e.Lo == 0:
		return x + "_low"
	case e.Lo+e.Type.Width == e.Args[0].Type.Width:
		return x + "_high"
	}
	return x + "_bits"
}

// spellConst returns the name of a constant, or its value if that is short.
func (b *builder) spellConst(e *ir.Expr) string {
	if e.Label != "" {
		return strings.ToLower(e.Label)
	}
	if ir.Words(e.Type.Width) == 1 && e.Uint() < 1000 {
		return fmt.Sprint(e.Uint())
	}
	return ""
}

// handshake returns x_fire for x_valid and x_ready.
func handshake(e *ir.Expr) string {
	x, y := e.Args[0], e.Args[1]
	if x.Op != ir.Ref || y.Op != ir.Ref {
		return ""
	}
	p, valid := strings.CutSuffix(x.Sig.Name, "_valid")
	q, ready := strings.CutSuffix(y.Sig.Name, "_ready")
	if valid && ready && p == q {
		return p + "_fire"
	}
	return ""
}
