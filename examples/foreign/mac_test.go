package foreign_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/foreign"
	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// TestDot runs the design in all engines and thereby compares the model with the Verilog.
func TestDot(t *testing.T) {
	hwtest.Run(t, foreign.Dot{Lanes: 3, Width: 4}, hwtest.Random(2000))
}

// TestForeignLint checks that the shipped Verilog meets the requirements for generated files.
func TestForeignLint(t *testing.T) { verilogtest.SilentFiles(t, ".", "MAC", []string{"MAC.v"}) }

func TestResets(t *testing.T) { hwtest.Resets(t, foreign.Dot{Lanes: 1, Width: 2}, hwtest.Random(20)) }

func TestSums(t *testing.T) {
	p := foreign.Dot{Lanes: 2, Width: 4}
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	io := sim.Bind[foreign.DotPorts](s, p)
	io.Enable.Poke(1)
	for k, v := range []uint64{9, 15} {
		io.A.At(hw.At(k)).Poke(v)
		io.B.At(hw.At(k)).Poke(v)
	}
	require.EqualValues(t, 225, io.Greatest.Peek())
	for range 2 {
		require.NoError(t, s.Step())
	}
	require.EqualValues(t, 162, io.Sums.At(hw.At(0)).Peek())
	require.EqualValues(t, 255, io.Sums.At(hw.At(1)).Peek(), "it stays at the greatest")
	s.SetReset(true)
	require.NoError(t, s.Step())
	require.Zero(t, io.Sums.At(hw.At(1)).Peek())
}
