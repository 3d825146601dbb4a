package irgen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
	"github.com/hotline-rtl/hotline/hw/ir/irgen"
	"github.com/hotline-rtl/hotline/hw/ir/net"
)

// options vary with the seed from tiny to irgen.Small and beyond.
func options(seed uint64) irgen.Options {
	return irgen.Options{Size: 1 + int(seed%3), Levels: int(seed / 3 % 3)}
}

// hw.Elaborate runs inside Random, with the checks of net and flat.
func TestRandomDesignsAreSound(t *testing.T) {
	for seed := range uint64(500) {
		d := irgen.Random(seed, options(seed))
		require.NoError(t, ir.Verify(d), "seed %d", seed)
		text := d.String()
		back, err := ir.Parse("seed", text)
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, text, back.String(), "seed %d", seed)
	}
}

// The text form holds all that matters: what it gives back lowers and
// flattens to the same operations.
func TestTextFormFlattensAlike(t *testing.T) {
	for seed := range uint64(20) {
		d := irgen.Random(seed, options(seed))
		back, err := ir.Parse("seed", d.String())
		require.NoError(t, err)
		want, got := flatten(t, d), flatten(t, back)
		require.Equal(t, want.Width, got.Width, "seed %d", seed)
		require.Len(t, got.Ops, len(want.Ops))
		for i, op := range want.Ops {
			require.Equal(t, op.Code, got.Ops[i].Code)
			require.Equal(t, op.Args, got.Ops[i].Args)
		}
	}
}

func flatten(t *testing.T, d *ir.Design) *flat.Design {
	lowered, problems := net.Lower(d)
	require.Empty(t, problems)
	f, problems := flat.Flatten(lowered)
	require.Empty(t, problems)
	return f
}

func TestRandomRepeats(t *testing.T) {
	require.Equal(t, ir.Hash(irgen.Random(7, irgen.Small)), ir.Hash(irgen.Random(7, irgen.Small)))
	require.NotEqual(t, ir.Hash(irgen.Random(7, irgen.Small)), ir.Hash(irgen.Random(8, irgen.Small)))
}

// All of the language occurs.
func TestRandomCoversTheLanguage(t *testing.T) {
	ops, kinds := map[ir.Op]bool{}, map[string]bool{}
	for seed := range uint64(60) {
		for _, m := range irgen.Random(seed, irgen.Small).Modules {
			note(m, ops, kinds)
		}
	}
	for op := ir.Const; op <= ir.Route; op++ {
		require.True(t, ops[op], "no %s", op)
	}
	for _, k := range []string{"reset", "no reset", "states", "vector port", "memory", "loop", "nested loop",
		"instance", "instance in a loop", "memory in a loop", "element", "dynamic element", "when", "switch",
		"several values", "default", "memory write", "assertion"} {
		require.True(t, kinds[k], "no %s", k)
	}
}

func note(m *ir.Module, ops map[ir.Op]bool, kinds map[string]bool) {
	seen := map[*ir.Expr]bool{}
	m.Body.Walk(func(s *ir.Scope) {
		inLoop := s.Loop != nil
		kinds["loop"] = kinds["loop"] || inLoop
		kinds["nested loop"] = kinds["nested loop"] || inLoop && s.Parent.Loop != nil
		kinds["memory"] = kinds["memory"] || len(s.Mems) > 0
		kinds["memory in a loop"] = kinds["memory in a loop"] || inLoop && len(s.Mems) > 0
		kinds["instance"] = kinds["instance"] || len(s.Insts) > 0
		kinds["instance in a loop"] = kinds["instance in a loop"] || inLoop && len(s.Insts) > 0
		for _, g := range s.Signals {
			kinds["reset"] = kinds["reset"] || g.HasReset
			kinds["no reset"] = kinds["no reset"] || g.Kind == ir.Reg && !g.HasReset
			kinds["states"] = kinds["states"] || g.States != nil
			kinds["vector port"] = kinds["vector port"] || g.Kind == ir.Input && g.Type.IsVec()
		}
		ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
			noteStmt(st, kinds)
			for _, e := range st.Exprs() {
				ir.WalkExpr(e, seen, func(e *ir.Expr) { ops[e.Op] = true })
			}
		})
	})
}

func noteStmt(st ir.Stmt, kinds map[string]bool) {
	switch st := st.(type) {
	case *ir.Assign:
		kinds["element"] = kinds["element"] || st.LHS.Part
		kinds["dynamic element"] = kinds["dynamic element"] || st.LHS.Dyn != nil
	case *ir.When:
		kinds["when"] = true
	case *ir.Switch:
		kinds["switch"] = true
		kinds["default"] = kinds["default"] || len(st.Default) > 0
		for _, c := range st.Cases {
			kinds["several values"] = kinds["several values"] || len(c.Values) > 1
		}
	case *ir.MemWrite:
		kinds["memory write"] = true
	case *ir.Assert:
		kinds["assertion"] = true
	}
}
