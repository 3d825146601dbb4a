package verilog

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hotline-rtl/hotline/hw/ir"
)

const longestHint = 28

// name gives e a signal of its own, declared in the outermost scope that can
// compute it. Equal expressions share one.
func (b *builder) name(e *ir.Expr) *object {
	if o := b.named[e]; o != nil {
		return o
	}
	where := b.where
	b.where = continuous
	defer func() { b.where = where }()
	hint := b.hint(e)
	if !needsBlock(e) {
		o := b.wire(e, hint, b.inline(e, nil))
		b.named[e] = o
		return o
	}
	s := b.scopeOf(e)
	o := &object{kind: regObject, width: e.Type.Bits(), loops: s.loops(), pos: e.Pos}
	it := b.block(e, o)
	key := fmt.Sprint(s.name(), o.width, " ", bodyText(it.body))
	if same := b.equal[key]; same != nil {
		b.named[e] = same
		return same
	}
	o.name = b.names.fresh(hint)
	b.equal[key], b.named[e] = o, o
	s.out = append(s.out, &declItem{obj: o, src: b.src(e.Pos), local: true}, b.labelled(it, o))
	return o
}

// labelled gives a block that declares variables a label.
func (b *builder) labelled(it *alwaysItem, dest *object) *alwaysItem {
	if len(it.vars) > 0 {
		it.label = b.names.fresh(dest.name + "_loop")
	}
	return it
}

// wire declares a wire of e's type with a value, or finds one with the same value.
func (b *builder) wire(e *ir.Expr, hint string, init expr) *object {
	s, width := b.scopeOf(e), e.Type.Bits()
	key := fmt.Sprint(s.name(), width, " ", exprText(init))
	if o := b.equal[key]; o != nil {
		return o
	}
	o := &object{name: b.names.fresh(hint), kind: wireObject, width: width, loops: s.loops(), pos: e.Pos}
	b.equal[key] = o
	s.out = append(s.out, &declItem{obj: o, init: init})
	return o
}

// scopeOf is the outermost scope that knows all that e reads.
func (b *builder) scopeOf(e *ir.Expr) *frame {
	s := b.body
	ir.WalkExpr(e, map[*ir.Expr]bool{}, func(x *ir.Expr) {
		switch x.Op {
		case ir.Ref:
			s = deeper(s, b.scopes[x.Sig.Scope])
		case ir.MemRead:
			s = deeper(s, b.scopes[x.Mem.Scope])
		case ir.ElemAt, ir.LoopConst:
			for _, t := range x.Index.Terms {
				s = deeper(s, b.scopes[t.Loop.Body])
			}
		}
	})
	return s
}

// hint is a name for e, from its operands or, where that gets long, from what
// it is for.
func (b *builder) hint(e *ir.Expr) string {
	if s := b.spell(e); isName(s) {
		return s
	}
	return b.hintFor(nil, spoken(e))
}

// isName tells whether the words s can be a name: they may begin with a number.
func isName(s string) bool { return s != "" && !unicode.IsDigit(rune(s[0])) }

// hintFor is the name of x, or of the current target, with a word behind.
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

// spoken says what e does. No operator is without one, and so no signal without a name.
func spoken(e *ir.Expr) string {
	switch {
	case anyOf(e) != nil:
		return "any"
	case decodes(e):
		return "onehot"
	}
	if w := words[e.Op]; w != "" {
		return w
	}
	return e.Op.String()
}

// words are those of operators that go by another name than their own.
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

// infix are the operators that are spoken between their operands.
var infix = map[ir.Op]string{
	ir.Add: "plus", ir.Sub: "minus", ir.Mul: "times", ir.DivU: "by", ir.ModU: "mod", ir.And: "and", ir.Or: "or", ir.Xor: "xor",
	ir.Eq: "is", ir.Ne: "is_not", ir.LtU: "below", ir.LeU: "up_to", ir.LtS: "below",
	ir.Elem: "at", ir.EqLanes: "is", ir.Select: "of",
}

// spell puts e in words, or is "" if that needs too many.
func (b *builder) spell(e *ir.Expr) string {
	if o := b.named[e]; o != nil {
		return o.name
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

func (b *builder) spellNew(e *ir.Expr) string {
	if e.Op == ir.And && e.Type.Width == 1 {
		if s := handshake(e); s != "" {
			return s
		}
	}
	if x := anyOf(e); x != nil {
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
		if decodes(e) {
			return args[1] + "_" + spoken(e)
		}
		return args[0] + "_" + spoken(e)
	case ir.Route:
		return args[1] + "_" + spoken(e)
	}
	return ""
}

// spellSlice is x_low and x_high for the bits at an end of x, x_bits for others, x_msb for
// the highest bit, wherever it is, and x_3 for another.
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

func (b *builder) spellConst(e *ir.Expr) string {
	if e.Label != "" {
		return strings.ToLower(e.Label)
	}
	if ir.Words(e.Type.Width) == 1 && e.Uint() < 1000 {
		return fmt.Sprint(e.Uint())
	}
	return ""
}

// handshake is x_fire for x_valid and x_ready.
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

// findLoopConsts finds how wide each function of loop variables is needed.
func (b *builder) findLoopConsts() {
	for e := range b.uses {
		if e.Op == ir.LoopConst {
			k := e.Index.String()
			b.widest[k] = max(b.widest[k], min(e.Type.Width, loopVarWidth))
		}
	}
}

// loopConst is a function of loop variables: the low bits of a localparam.
func (b *builder) loopConst(e *ir.Expr) expr {
	key, w := e.Index.String(), e.Type.Width
	o := b.consts[key]
	if o == nil {
		s, a := b.scopeOf(e), b.affine(e.Index)
		o = &object{name: b.names.fresh(loopConstName(e.Index)), kind: paramObject, width: b.widest[key], loops: s.loops(), pos: e.Pos}
		_, o.greatest = e.Index.Range()
		b.consts[key] = o
		var value expr = &loopValue{a}
		if len(a.terms) == 1 && a.terms[0].mul == 1 && a.konst == 0 {
			value = &loopBits{a.terms[0].v, o.width}
		} else {
			o.integer, o.width = true, max(o.width, numberWidth(a))
		}
		s.params = append(s.params, &declItem{obj: o, init: value})
	}
	if w > loopVarWidth {
		return &concat{[]expr{zeros(w - loopVarWidth), &ident{o}}}
	}
	return selectBits(&ident{o}, 0, w)
}

// loopConstName is LANE, LANE_PLUS_1, LANE_X4_PLUS_COLUMN.
func loopConstName(a ir.Affine) string {
	var parts []string
	for _, t := range a.Terms {
		s := strings.ToUpper(t.Loop.Name)
		if t.Mul != 1 {
			s += fmt.Sprintf("_X%d", t.Mul)
		}
		parts = append(parts, strings.ReplaceAll(s, "-", "M"))
	}
	if a.Const > 0 {
		parts = append(parts, fmt.Sprint(a.Const))
	}
	s := strings.Join(parts, "_PLUS_")
	if a.Const < 0 {
		s += fmt.Sprintf("_MINUS_%d", -a.Const)
	}
	return s
}
