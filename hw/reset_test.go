package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

func TestInstReset(t *testing.T) {
	run(t, []mistake{
		{"condition", func(m *hw.Module) {
			two := m.In("two", 2)
			var one hw.Bits
			m.For("lane", 2, func(i hw.Index) { one = two.Eq(i.Bits(2)) })
			hw.InstReset(m, "a", Counted{}, two)       // rca
			hw.InstReset(m, "b", Held{}, two)          // rcb
			hw.InstReset(m, "c", Counted{}, hw.Bits{}) // rcc
			hw.InstReset(m, "d", Counted{}, one)       // rcd
			m.When(two.Bit(0), func() {                // rce
				hw.InstReset(m, "e", Counted{}, hw.K(0)) // rcf
			})
		}, []string{
			"{rca} < {build}: bad: [width] the condition has 2 bits, expected 1; use Ext, SExt or Trunc",
			"{rcb} < {build}: bad: [width] the condition has 2 bits, expected 1; use Ext, SExt or Trunc",
			"{rcc} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
			`{rcd} < {build}: bad: [scope] a value of loop "lane" is used outside it; carry it out in a vector`,
			`{rcf} < {rce}: bad: [scope] instance "e" is inside a condition`,
		}},
		{"name", func(m *hw.Module) {
			m.Wire("a_rst", 1).Set(hw.K(0))               // rna
			hw.InstReset(m, "a", Counted{}, hw.Lit(1, 1)) // rnb
			m.Wire("b_rst", 1).Set(hw.K(0))
			hw.Inst(m, "b", Counted{})
		}, []string{
			`{rnb} < {build}: bad: [name] wire "a_rst" is already declared at {rna} < {build}`,
		}},
	})
}

// Counted has a register with a reset.
type Counted struct{}

func (Counted) Build(m *hw.Module) (ports struct{}) {
	n := m.Reg("n", 4, 2)
	n.Set(n.Inc())
	return ports
}

// Held has a register without a reset.
type Held struct{}

func (Held) Build(m *hw.Module) (ports struct{}) {
	n := m.Data("n", 4)
	n.Set(n.Inc())
	return ports
}

// Claimed has an assertion.
type Claimed struct{}

func (Claimed) Build(m *hw.Module) (ports struct{}) {
	m.Assert(hw.Lit(1, 1), "it is sure")
	return ports
}

// resets has instances of modules with and without resettable state.
type resets struct{}

func (resets) Build(m *hw.Module) (ports struct{}) {
	x := m.In("x", 1)
	hw.InstReset(m, "counted", Counted{}, x)
	hw.InstReset(m, "claimed", Claimed{}, x)
	hw.InstReset(m, "held", Held{}, x)
	hw.Inst(m, "plain", Counted{})
	return ports
}

// TestNothingToReset: modules without resettable state ignore the condition.
func TestNothingToReset(t *testing.T) {
	d, err := hw.Elaborate(resets{})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	got := map[string]bool{}
	for _, in := range d.Top.Body.Insts {
		got[in.Name] = in.Reset != nil
	}
	require.Equal(t, map[string]bool{"counted": true, "claimed": true, "held": false, "plain": false}, got)
	require.Contains(t, d.String(), "pin counted_rst : 1 -> counted.rst\n")
	require.Contains(t, d.String(), "counted_rst = x\n")
}
