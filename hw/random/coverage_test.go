package random_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
)

// classes are ranges of widths, by the machine words that hold them.
var classes = []string{"1", "2-31", "32", "33-63", "64", "65-127", "128", "129-"}

func class(width int) string {
	switch {
	case width == 1:
		return "1"
	case width < 32:
		return "2-31"
	case width == 32:
		return "32"
	case width < 64:
		return "33-63"
	case width == 64:
		return "64"
	case width < 128:
		return "65-127"
	case width == 128:
		return "128"
	}
	return "129-"
}

// seen counts occurrences.
type seen map[string]int

func (s seen) note(format string, args ...any) { s[fmt.Sprintf(format, args...)]++ }

// TestRandomCoversTheLanguage: every construct of the language occurs.
func TestRandomCoversTheLanguage(t *testing.T) {
	s := seen{}
	for seed := range uint64(1000) {
		for _, m := range random.Random(seed, random.Varied(seed)).Modules {
			s.module(m)
		}
	}
	var want []string
	for op := ir.Const; op <= ir.Route; op++ {
		want = append(want, op.String())
		for _, c := range classes {
			if occurs(op, c) {
				want = append(want, fmt.Sprintf("%s of %s bits", op, c))
			}
		}
	}
	for _, c := range classes {
		for _, kind := range []string{"input", "output", "wire", "reg", "vector", "memory"} {
			want = append(want, fmt.Sprintf("%s of %s bits", kind, c))
		}
	}
	for _, style := range []string{"none", "block", "ultra", "distributed", "registers"} {
		want = append(want, "memory style "+style)
	}
	want = append(want, "memory of one word", "memory of a power of two", "memory of another depth", "memory in a loop", "memory without a write",
		"memory with contents, with writes", "memory with contents, without a write", "memory with several writes", "memory of any word", "new lane past a memory", "synchronous read", "synchronous read with an enable", "combinational read",
		"reset", "no reset", "states", "shared operation",
		"loop", "nested loop", "loop of one", "loop over 64", "instance", "instance in a loop", "module used twice",
		"number of several loops", "wide number to a pin", "long name", "shift of a bit by a wide amount",
		"reset of an instance", "reset in a loop", "nested reset", "reset by a constant", "reset by itself",
		"path from an instance to another", "path from an instance to itself",
		"bits of a reg", "bits of a wire", "bits of a output", "bits of a element", "bits of a dynamic element",
		"whole", "element", "element by loop variable", "dynamic element",
		"when", "else", "when 3 deep", "constant condition", "switch", "complete switch", "several values", "default", "memory write", "memory write with a mask", "assert", "assume", "cover",
		"Verilog parameter", "Verilog parameter, asynchronous reset", "foreign logic", "foreign state", "foreign state with a reset", "foreign with a reset by a condition", "foreign in a loop", "foreign with a clock of a domain")
	for _, shape := range shapes {
		want = append(want, "shape "+shape)
	}
	want = append(want, "wider than 257 bits", "wider than 520 bits", "deeper than 300 words", "deeper than 5000 words", "more than 130 lanes")
	var missing []string
	for _, w := range want {
		if s[w] == 0 {
			missing = append(missing, w)
		}
	}
	require.Empty(t, missing)
}

// shapes are the prefixes of names in structures.
var shapes = []string{"crc", "zeros", "chosen", "rotated", "sticky", "alike_out", "rows", "product"}

// size records extreme sizes, and structures by their names.
func (s seen) size(name string, width, lanes, depth int) {
	for limit, text := range map[int]string{257: "wider than 257 bits", 520: "wider than 520 bits"} {
		if width > limit {
			s.note("%s", text)
		}
	}
	for limit, text := range map[int]string{300: "deeper than 300 words", 5000: "deeper than 5000 words"} {
		if depth > limit {
			s.note("%s", text)
		}
	}
	if lanes > 130 {
		s.note("more than 130 lanes")
	}
	for _, shape := range shapes {
		if rest, ok := strings.CutPrefix(name, shape); ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
			s.note("shape %s", shape)
		}
	}
}

// occurs reports whether an operator can have operands or a result of a width class. Some
// operators apply only to short vectors or to few bits.
func occurs(op ir.Op, class string) bool {
	switch op {
	case ir.LoopConst:
		return class != "128"
	case ir.RedAnd, ir.RedXor: // not defined for one bit
		return class != "1"
	case ir.ZExt, ir.SExt, ir.Concat, ir.Pack:
		return class != "1"
	case ir.Route, ir.PopCount, ir.Encode:
		return slices.Contains([]string{"1", "2-31"}, class)
	}
	return true
}

// widthOf returns the width that an operator works on.
func widthOf(e *ir.Expr) int {
	switch e.Op {
	case ir.RedAnd, ir.RedXor, ir.Eq, ir.Ne, ir.LtU, ir.LeU, ir.LtS, ir.EqLanes:
		return e.Args[0].Type.Width
	case ir.Select:
		return e.Args[1].Type.Width
	}
	return e.Type.Width
}

// foreign records an instance of an external module.
func (s seen) foreign(in *ir.Instance, sc *ir.Scope) {
	switch {
	case in.Of.Extern == nil:
		return
	case in.Reset != nil:
		s.note("foreign with a reset by a condition")
	case in.Of.Reset:
		s.note("foreign state with a reset")
	case in.Of.Clock:
		s.note("foreign state")
	default:
		s.note("foreign logic")
	}
	if sc.Loop != nil {
		s.note("foreign in a loop")
	}
	if in.Domain != nil {
		s.note("foreign with a clock of a domain")
	}
}

func (s seen) module(m *ir.Module) {
	if m.Generic != nil {
		s.note("Verilog parameter")
		if m.Own.Async {
			s.note("Verilog parameter, asynchronous reset")
		}
	}
	uses, reads, writes, of := map[*ir.Expr]int{}, map[*ir.Mem]bool{}, map[*ir.Mem]int{}, map[*ir.Module]int{}
	m.Body.Walk(func(sc *ir.Scope) {
		s.scope(sc)
		for _, in := range sc.Insts {
			of[in.Of]++
			s.foreign(in, sc)
		}
		visited := map[*ir.Expr]bool{}
		ir.WalkStmts(sc.Stmts, func(st ir.Stmt) {
			for _, e := range st.Exprs() {
				uses[e]++
				ir.WalkExpr(e, visited, func(e *ir.Expr) {
					s.note("%s", e.Op)
					s.note("%s of %s bits", e.Op, class(widthOf(e)))
					s.operator(e)
					for _, a := range e.Args {
						uses[a]++
					}
					if e.Op == ir.MemRead {
						reads[e.Mem] = true
					}
				})
			}
			if w, ok := st.(*ir.MemWrite); ok {
				if w.Mask != nil {
					s.note("memory write with a mask")
				}
				writes[w.Mem]++
			}
		})
		s.stmts(sc.Stmts, 0)
		for _, mem := range sc.Mems {
			s.note("memory with%s", map[bool]string{true: "out a write", false: " writes"}[writes[mem] == 0])
			if mem.Any {
				s.note("memory of any word")
			}
			if mem.Init != nil {
				s.note("memory with contents, with%s", map[bool]string{true: "out a write", false: " writes"}[writes[mem] == 0])
			}
			if writes[mem] > 1 {
				s.note("memory with several writes")
			}
		}
	})
	for e, n := range uses {
		if n > 1 && len(e.Args) > 1 {
			s.note("shared operation")
		}
	}
	for _, n := range of {
		if n > 1 {
			s.note("module used twice")
		}
	}
}

// operator records constructs that have hidden printer mistakes in the past.
func (s seen) operator(e *ir.Expr) {
	switch e.Op {
	case ir.LoopConst:
		if len(e.Index.Terms) > 1 {
			s.note("number of several loops")
		}
	case ir.Shl, ir.ShrU, ir.ShrS:
		if e.Type.Width == 1 && e.Args[1].Type.Width > 32 {
			s.note("shift of a bit by a wide amount")
		}
	}
}

func (s seen) scope(sc *ir.Scope) {
	inLoop := sc.Loop != nil
	if inLoop {
		s.note("loop")
		if sc.Parent.Loop != nil {
			s.note("nested loop")
		}
		if sc.Loop.N == 1 {
			s.note("loop of one")
		}
		if sc.Loop.N > 64 {
			s.note("loop over 64")
		}
	}
	for _, in := range sc.Insts {
		s.note("instance")
		if inLoop {
			s.note("instance in a loop")
		}
		if in.Reset != nil {
			s.resets(in, sc)
		}
	}
	for _, m := range sc.Mems {
		s.note("memory of %s bits", class(m.Width))
		s.size(m.Name, m.Width, 0, m.Depth)
		s.note("memory style %s", map[bool]string{true: "none", false: m.Style}[m.Style == ""])
		switch {
		case m.Depth == 1:
			s.note("memory of one word")
		case m.Depth&(m.Depth-1) == 0:
			s.note("memory of a power of two")
		default:
			s.note("memory of another depth")
		}
		if inLoop {
			s.note("memory in a loop")
		}
	}
	for _, g := range sc.Signals {
		s.note("%s of %s bits", g.Kind, class(g.Type.Width))
		s.size(g.Name, g.Type.Width, g.Type.Len, 0)
		if strings.HasSuffix(g.Name, "_hit") && g.Type.Width > 1 {
			s.note("new lane past a memory")
		}
		if len(g.Name) > 20 {
			s.note("long name")
		}
		if g.Type.IsVec() {
			s.note("vector of %s bits", class(g.Type.Width))
		}
		switch {
		case g.Enum != nil:
			s.note("states")
		case g.HasReset:
			s.note("reset")
		case g.Kind == ir.Reg:
			s.note("no reset")
		}
	}
}

// resets records an instance of sc with a reset.
func (s seen) resets(in *ir.Instance, sc *ir.Scope) {
	s.note("reset of an instance")
	if sc.Loop != nil {
		s.note("reset in a loop")
	}
	in.Of.Body.Walk(func(sc *ir.Scope) {
		for _, inner := range sc.Insts {
			if inner.Reset != nil {
				s.note("nested reset")
			}
		}
	})
	for _, cond := range given(sc, in.Reset) {
		switch cond.Op {
		case ir.Const:
			s.note("reset by a constant")
		case ir.Ref:
			for _, e := range given(sc, cond.Sig) {
				ir.WalkExpr(e, map[*ir.Expr]bool{}, func(e *ir.Expr) {
					if e.Op == ir.Ref && e.Sig.Pin != nil && e.Sig.Pin.Inst == in {
						s.note("reset by itself")
					}
				})
			}
		}
	}
}

// given returns the values that sc assigns to g.
func given(sc *ir.Scope, g *ir.Signal) (values []*ir.Expr) {
	ir.WalkStmts(sc.Stmts, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok && a.LHS.Sig == g {
			values = append(values, a.RHS)
		}
	})
	return values
}

// stmts records statements nested in depth conditions.
func (s seen) stmts(list []ir.Stmt, depth int) {
	for _, st := range list {
		switch st := st.(type) {
		case *ir.Assign:
			s.assign(st, depth)
		case *ir.When:
			s.note("when")
			s.note("when %d deep", depth+1)
			if st.Cond.Op == ir.Const {
				s.note("constant condition")
			}
			if len(st.Else) > 0 {
				s.note("else")
			}
		case *ir.Switch:
			s.choose(st)
		case *ir.MemWrite:
			s.note("memory write")
			s.reads(st.Data, false)
		case *ir.Assert:
			s.note("%s", st.Kind)
		}
		for _, b := range st.Blocks() {
			s.stmts(b, depth+1)
		}
	}
}

func (s seen) choose(st *ir.Switch) {
	s.note("switch")
	n := 0
	for _, c := range st.Cases {
		if n += len(c.Values); len(c.Values) > 1 {
			s.note("several values")
		}
	}
	if st.Of.Type.Width < 10 && n == 1<<st.Of.Type.Width {
		s.note("complete switch")
	}
	if len(st.Default) > 0 {
		s.note("default")
	}
}

func (s seen) assign(st *ir.Assign, depth int) {
	if l := st.LHS; l.Bits > 0 {
		s.note("bits of a %s", map[bool]string{true: "dynamic element", false: map[bool]string{true: "element", false: l.Sig.Kind.String()}[l.Part]}[l.Dyn != nil])
	}
	switch l := st.LHS; {
	case l.Dyn != nil:
		s.note("dynamic element")
	case l.Part && len(l.Index.Terms) > 0:
		s.note("element by loop variable")
	case l.Part:
		s.note("element")
	default:
		s.note("whole")
	}
	g := st.LHS.Sig
	if g.Kind == ir.Reg && st.RHS.Op == ir.MemRead {
		s.note("synchronous read%s", map[bool]string{true: " with an enable"}[depth > 0])
		return
	}
	s.reads(st.RHS, g.Kind == ir.Reg)
	if g.Pin == nil {
		return
	}
	if x := st.RHS; x.Op == ir.Slice && x.Args[0].Op == ir.LoopConst && x.Args[0].Type.Width > 32 {
		s.note("wide number to a pin")
	}
	ir.WalkExpr(st.RHS, map[*ir.Expr]bool{}, func(e *ir.Expr) {
		switch {
		case e.Op != ir.Ref || e.Sig.Pin == nil:
		case e.Sig.Pin.Inst == g.Pin.Inst:
			s.note("path from an instance to itself")
		default:
			s.note("path from an instance to another")
		}
	})
}

func (s seen) reads(e *ir.Expr, register bool) {
	ir.WalkExpr(e, map[*ir.Expr]bool{}, func(e *ir.Expr) {
		if e.Op == ir.MemRead && !register {
			s.note("combinational read")
		}
	})
}
