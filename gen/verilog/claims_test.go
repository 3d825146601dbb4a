package verilog_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
)

// Claims has an assertion of each kind.
type Claims struct{}

func (Claims) Build(m *hw.Module) struct{ X, Y hw.Bits } {
	x, y := m.In("x", 1), m.In("y", 4)
	m.When(y.Ne(hw.K(2)), func() { m.Assert(x, `x\y is "100%"`+"\n") })
	m.Assume(y.Ne(hw.K(3)), "y is never three")
	m.Cover(y.Eq(hw.K(5)), "y is five")
	return struct{ X, Y hw.Bits }{x, y}
}

// TestClaims: a Verilog simulator prints the message of a failed assertion. Formal tools read all
// kinds of assertions, synthesis reads none.
func TestClaims(t *testing.T) {
	d, err := hw.Elaborate(Claims{})
	require.NoError(t, err)
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	lint(t, d, files)
	lintFormal(t, d, files)
	run := func(defines ...string) string {
		paths := save(t, append(files, verilog.File{Name: "tb.v", Text: `module tb;
			reg clk = 0, rst = 1, x = 0;
			reg [3:0] y = 3;
			claims dut (.clk (clk), .rst (rst), .x (x), .y (y));
			always #1 clk = !clk;
			initial begin
				#2 rst = 0; y = 2;
				#2 y = 7;
				#2 x = 1; y = 3;
				#2 y = 5;
				#2 $finish;
			end
		endmodule`}))
		exe := filepath.Join(t.TempDir(), "tb")
		silent(t, "iverilog", append(append([]string{"-g2005", "-s", "tb", "-o", exe}, defines...), paths...)...)
		out, err := exec.Command("vvp", "-n", exe).CombinedOutput()
		require.NoError(t, err)
		return string(out)
	}
	out := run()
	require.Regexp(t, `^ERROR: .*: x\\y is "100%"\n\n +Time: 5 .*\nERROR: .*: y is never three\n +Time: 7 .*\n$`, out)
	require.Empty(t, run("-DSYNTHESIS"))
	paths := save(t, files)
	silent(t, "yosys", "-q", "-p", "read_verilog -formal "+paths[0]+"; proc; select -assert-count 1 t:$assert; select -assert-count 1 t:$assume; select -assert-count 1 t:$cover")
}
