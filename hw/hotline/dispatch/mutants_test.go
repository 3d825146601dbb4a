package dispatch_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// TestNamedFaultsAreNoticed checks that a few typical design errors are detected.
func TestNamedFaultsAreNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		module, signal string
		spoil          func(*ir.Assign)
	}{
		"inputs that end with a row go on":  {"input_classifier", "ends_0", func(a *ir.Assign) { a.RHS.Op = ir.LtU }},
		"all hot rows come from GPU 0":      {"emitter", "hot_gpu", func(a *ir.Assign) { a.RHS = zero(a) }},
		"gradients are added, not scaled":   {"emitter", "place_kind", func(a *ir.Assign) { a.RHS = zero(a) }},
		"the target of an input stays":      {"emitter", "target_gpu", func(a *ir.Assign) { a.RHS = zero(a) }},
		"popular inputs are gathered again": {"walker", "inputs_present", func(a *ir.Assign) { a.RHS = &ir.Expr{Op: ir.Not, Type: a.RHS.Type, Args: []*ir.Expr{a.RHS}} }},
	} {
		d, err := hw.Elaborate(dispatch.Of(dispatchtest.Tiny))
		require.NoError(t, err)
		require.NoError(t, checkDispatch(d, dispatchtest.Tiny, 1))
		n := 0
		for _, m := range d.Modules {
			ir.WalkStmts(m.Body.Stmts, func(s ir.Stmt) {
				if a, ok := s.(*ir.Assign); ok && strings.HasPrefix(m.Name, c.module) && a.LHS.Sig.Name == c.signal {
					c.spoil(a)
					n++
				}
			})
		}
		require.Positive(t, n, name)
		require.Error(t, dispatchtest.Caught(func() error {
			return errors.Join(checkDispatch(d, dispatchtest.Tiny, 1), checkDispatch(d, dispatchtest.Tiny, 2), checkDispatch(d, dispatchtest.Tiny, 3))
		}), name)
	}
}

// zero returns a constant 0 of the type of the assignment.
func zero(a *ir.Assign) *ir.Expr {
	return &ir.Expr{Op: ir.Const, Type: a.RHS.Type, Val: make([]uint64, ir.Words(a.RHS.Type.Width)), Pos: a.Pos}
}

// blank is an empty module.
type blank struct{}

func (blank) Build(*hw.Module) struct{} { return struct{}{} }

// checkAll runs all checks until one fails.
func checkAll(d *ir.Design, seed uint64) error {
	return dispatchtest.Caught(func() error {
		if err := checkDispatch(d, dispatchtest.Tiny, seed); err != nil {
			return err
		}
		if err := checkStanding(d); err != nil {
			return err
		}
		if err := checkRanges(d, dispatchtest.Tiny, seed); err != nil {
			return err
		}
		return checkLocated(d)
	})
}

// TestBrokenDispatchIsNoticed checks that faults in the top module of the dispatcher are detected.
func TestBrokenDispatchIsNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: tries hundreds of faults")
	}
	t.Parallel()
	d, err := hw.Elaborate(dispatch.Of(dispatchtest.Tiny))
	require.NoError(t, err)
	only, err := hw.Elaborate(blank{})
	require.NoError(t, err)
	for _, m := range d.Modules {
		if m == d.Top {
			only.Modules = append(only.Modules, m)
		}
	}
	all, tried := bench.Survivors(only, func() error { return checkAll(d, 1) })
	t.Logf("%d faults", tried)
	require.Empty(t, harmless.Without(t, all))
}

// harmless lists the faults that do not change the behaviour.
var harmless = dispatchtest.Harmless{
	// The last state gets another unused number.
	{"constant off by one", "hw.FSM[controlStates]"},
	// Zero lookups per input are refused anyway, because the size is 0.
	{"constant off by one", "among := func(v hw.Bits, least, most int)"},
	// Unused until s_wr of registers 220 and 222 clears them.
	{"reset value of held_vector", "s: hw.Reg[standing](m, \"held\")"},
	{"reset value of held_inputs", "s: hw.Reg[standing](m, \"held\")"},
}
