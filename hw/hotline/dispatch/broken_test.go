package dispatch

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

// Faults are put into the units one after the other; their checks must notice
// each that changes what a unit does.
func TestBrokenUnitsAreNoticed(t *testing.T) {
	full := sizes[2].Params
	for name, survivors := range map[string]func() []string{
		"registers":  func() []string { return survivors(t, describeRegisters, checkRegisters, tiny) },
		"edram":      func() []string { return survivors(t, describeEDRAM, checkEDRAM, tiny) },
		"loader":     func() []string { return survivors(t, describeLoader, checkLoader, tiny) },
		"classifier": func() []string { return survivors(t, describeClassifier, checkClassifier, many) },
		"walker":     func() []string { return survivors(t, describeWalker, checkWalker, tiny) },
		"controller": func() []string {
			return survivors(t, describeController, func(d *ir.Design, p arch.Params, seed uint64) error {
				return errors.Join(checkController(d, p, seed), checkOrder(d, p, seed))
			}, tiny)
		},
		"hot set": func() []string { return survivors(t, describeHotSet, checkHotSet, full) },
		"packer":  func() []string { return survivors(t, describePacker, checkPacker, tiny) },
		"bitmap":  func() []string { return survivors(t, describeBitmapWriter, checkBitmapWriter, long) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, survivors())
		})
	}
}

// Some faults by name.
func TestNamedFaultsAreNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		module, signal string
		spoil          func(*ir.Assign)
	}{
		"inputs that end with a row go on":  {"input_classifier", "ends_0", func(a *ir.Assign) { a.RHS.Op = ir.LtU }},
		"all hot rows come from GPU 0":      {"emitter", "hot_gpu", func(a *ir.Assign) { a.RHS = zero(a) }},
		"gradients are added, not scaled":   {"emitter", "step_kind", func(a *ir.Assign) { a.RHS.Args[2] = zero(a) }},
		"the target of an input stays":      {"emitter", "target_gpu", func(a *ir.Assign) { a.RHS = zero(a) }},
		"popular inputs are gathered again": {"walker", "inputs_present", func(a *ir.Assign) { a.RHS = &ir.Expr{Op: ir.Not, Type: a.RHS.Type, Args: []*ir.Expr{a.RHS}} }},
	} {
		d, err := hw.Elaborate(Dispatch{tiny})
		require.NoError(t, err)
		require.NoError(t, checkDispatch(d, tiny, 1))
		n := 0
		for _, m := range d.Modules {
			ir.WalkStmts(m.Body.Stmts, func(s ir.Stmt) {
				if a, ok := s.(*ir.Assign); ok && m.Name == c.module && a.LHS.Sig.Name == c.signal {
					c.spoil(a)
					n++
				}
			})
		}
		require.Positive(t, n, name)
		require.Error(t, caught(func() error {
			return errors.Join(checkDispatch(d, tiny, 1), checkDispatch(d, tiny, 2), checkDispatch(d, tiny, 3))
		}), name)
	}
}

// zero is 0 in place of what is assigned.
func zero(a *ir.Assign) *ir.Expr {
	return &ir.Expr{Op: ir.Const, Type: a.RHS.Type, Val: make([]uint64, ir.Words(a.RHS.Type.Width)), Pos: a.Pos}
}

// blank has nothing in it.
type blank struct{}

func (blank) Build(*hw.Module) struct{} { return struct{}{} }

// Likewise, faults of the dispatcher outside its units.
func TestBrokenDispatchIsNoticed(t *testing.T) {
	t.Parallel()
	d, err := hw.Elaborate(Dispatch{tiny})
	require.NoError(t, err)
	only, err := hw.Elaborate(blank{})
	require.NoError(t, err)
	for _, m := range d.Modules {
		if m == d.Top {
			only.Modules = append(only.Modules, m)
		}
	}
	all, tried := bench.Survivors(only, func() error {
		return caught(func() error {
			if err := checkDispatch(d, tiny, 1); err != nil {
				return err
			}
			if err := checkStanding(d); err != nil {
				return err
			}
			return checkRanges(d, tiny, 1)
		})
	})
	t.Logf("%d faults", tried)
	require.Empty(t, withoutHarmless(t, all))
}

// harmless are faults, by the source line that has them, that change nothing.
var harmless = []struct{ fault, line string }{
	// The lesser of two equal numbers.
	{"constant off by one", "left.Ge(hw.K(chunkWords)), hw.K(chunkWords), left"},
	{"ltu for leu", "left.Ge(hw.K(chunkWords)), hw.K(chunkWords), left"},
	{"constant off by one", "c.left.Ge(hw.K(most)), hw.K(most), c.left"},
	{"ltu for leu", "c.left.Ge(hw.K(most)), hw.K(most), c.left"},
	// Looks at one more word of the bitmap, which has no inputs.
	{"constant off by one", "ElseWhen(w.left.Le(hw.K(wordBits))"},
	{"ltu for leu", "ElseWhen(w.left.Le(hw.K(wordBits))"},
	// The last state gets a number that no other has.
	{"constant off by one", "hw.FSM[controlStates]"},
	// No lookups per input are refused for the size of nothing.
	{"constant off by one", "among := func(v hw.Bits, least, most int)"},
	// Counts down to the same number, modulo twice it.
	{"sub for add", "have.Set(have.Inc())"},
	// Nothing is asked of them before s_wr of registers 220 and 222 clears them.
	{"reset value of vector_held", "vector: m.Reg(\"vector_held\", 1, 0)"},
	{"reset value of inputs_held", "m.RegVec(\"inputs_held\", 2, inputsBits(p), 0)"},
	// No input is under way that the row could belong to.
	{"reset value", "m.Reg(\"cut_valid\", 1, 0)"},
	{"reset value", "m.Reg(\"judged_valid\", 1, 0)"},
}

// survivors are the faults of a unit that its check does not notice, without
// those of parts that have tests of their own.
func survivors[P any](t *testing.T, describe func(arch.Params) hw.Generator[P], check func(*ir.Design, arch.Params, uint64) error, p arch.Params) []string {
	d, err := hw.Elaborate(describe(p))
	require.NoError(t, err)
	all, tried := bench.Survivors(d, func() error { return caught(func() error { return check(d, p, 1) }) })
	t.Logf("%d faults", tried)
	return withoutHarmless(t, all)
}

// withoutHarmless leaves faults in this package that change something.
func withoutHarmless(t *testing.T, all []string) []string {
	var own []string
	for _, s := range all {
		if line, ok := sourceLine(t, s); ok && !excused(s, line) {
			own = append(own, fmt.Sprintf("%s: %s", s, line))
		}
	}
	return own
}

// caught makes an error of a panic, as of a fault that breaks the check.
func caught(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return f()
}

var position = regexp.MustCompile(` at dispatch/(\w+\.go):(\d+)`)

// sourceLine is the line that a fault is in, if that is in this package.
func sourceLine(t *testing.T, fault string) (string, bool) {
	at := position.FindStringSubmatch(fault)
	if at == nil {
		return "", false
	}
	text, err := os.ReadFile(at[1])
	require.NoError(t, err)
	n, err := strconv.Atoi(at[2])
	require.NoError(t, err)
	return strings.TrimSpace(strings.Split(string(text), "\n")[n-1]), true
}

func excused(fault, line string) bool {
	for _, h := range harmless {
		if strings.HasPrefix(fault, h.fault) && strings.Contains(line, h.line) {
			return true
		}
	}
	return false
}
