package external

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// accumulate is hand-written Verilog with C++ keywords as names, ports of many widths, and an
// element that is X beyond the fourth.
const accumulate = `
module accumulate(input clk, input rst, input delete, input [129:0] operator, input [31:0] w32, input [63:0] w64, input [6:0] few,
    output [129:0] sum, output template, output [31:0] q32, output [63:0] q64, output [6:0] pick);
  reg [129:0] r;
  reg [6:0] mem [0:3];
  always @(posedge clk) begin
    if (rst) r <= 0;
    else if (delete) r <= r + operator;
    mem[few[1:0]] <= few;
  end
  assign sum = r ^ operator;
  assign template = ^r;
  assign q32 = w32 + r[31:0];
  assign q64 = w64 - r[63:0];
  assign pick = few == 7'd100 ? 7'bx : mem[few[1:0]];
endmodule
`

func port(name string, input bool, width int) sim.Port {
	return sim.Port{Name: name, Input: input, Type: ir.Type{Width: width}}
}

func handmade() *source {
	return &source{design: &ir.Design{}, top: "accumulate", clock: true, reset: true,
		format: sim.NewFormat([]sim.Port{
			port("delete", true, 1), port("operator", true, 130), port("w32", true, 32), port("w64", true, 64), port("few", true, 7),
			port("sum", false, 130), port("template", false, 1), port("q32", false, 32), port("q64", false, 64), port("pick", false, 7)}),
		files: []verilog.File{{Name: "accumulate.v", Text: accumulate}}}
}

// frames returns random input frames.
func frames(f *sim.Format, seed uint64, cycles int) []uint64 {
	random := sim.Random(f, seed)
	frame := make([]uint64, f.InWords)
	var in []uint64
	for range cycles {
		if err := random.Next(frame); err != nil {
			panic(err)
		}
		in = append(in, frame...)
	}
	return in
}

// TestSimulatorsAgree drives both Verilog simulators in blocks, and one of them also cycle by
// cycle.
func TestSimulatorsAgree(t *testing.T) {
	need(t, "verilator", "icarus")
	s := handmade()
	v, err := startVerilator(s, buildsDir)
	require.NoError(t, err)
	i, err := startIcarus(s, buildsDir)
	require.NoError(t, err)
	in := frames(s.format, 1, 500)
	a, b := make([]uint64, 500*s.format.OutWords), make([]uint64, 500*s.format.OutWords)
	half := len(in) / 2
	for _, p := range []struct {
		*Process
		out []uint64
	}{{v, a}, {i, b}} {
		require.NoError(t, p.RunBlock(in[:half], p.out[:len(a)/2]))
		require.NoError(t, p.RunBlock(in[half:], p.out[len(a)/2:]))
		require.Equal(t, uint64(500), p.Cycle())
		require.NoError(t, p.Close())
		require.ErrorContains(t, p.Step(), "is closed")
	}
	require.Nil(t, v.Unknown())
	require.NotNil(t, i.Unknown())
	require.Equal(t, a, b, "Verilator takes X for 0, and so do frames")
}
