package verilog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
)

// claiming has an assertion and a register in the domain of a clock with an asynchronous reset.
type claiming struct{ Low bool }

// Build describes the module.
func (c claiming) Build(m *hw.Module) struct{} {
	kind := []hw.ResetKind{hw.Async}
	if c.Low {
		kind = append(kind, hw.Low)
	}
	clock, step := m.Clock("io_clk", "io_rst", kind...), m.In("step", 4)
	m.Clocked(clock, func() {
		digit := m.Reg("digit", 4, 0)
		digit.Set(digit.Add(step))
		m.Assert(digit.Le(hw.K(9)), "it is one")
		m.Out("count", 4).Set(digit)
	})
	return struct{}{}
}

// TestAssertionsOfAsynchronousResets: linters report no reset that is asynchronous in one place and
// synchronous in another.
func TestAssertionsOfAsynchronousResets(t *testing.T) {
	for _, low := range []bool{false, true} {
		d, err := hw.Elaborate(claiming{low})
		require.NoError(t, err)
		verilogtest.Silent(t, d)
	}
}
