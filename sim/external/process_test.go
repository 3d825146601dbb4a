package external

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// TestUnknown checks which bits are reported as X.
func TestUnknown(t *testing.T) {
	need(t, "icarus")
	s := handmade()
	p, err := startIcarus(s, buildsDir)
	require.NoError(t, err)
	defer p.Close()
	f := s.format
	in := make([]uint64, 3*f.InWords)
	few := f.In[4]
	few.Of(in[f.InWords:])[0] = 100 // pick is X in cycle 1
	out := make([]uint64, 3*f.OutWords)
	require.NoError(t, p.RunBlock(in, out))
	want := make([]uint64, 3*f.OutWords)
	f.Out[4].Of(want[f.OutWords:])[0] = 0x7f
	require.Equal(t, want, p.Unknown())
	require.NoError(t, p.RunBlock(in[:f.InWords], out))
	require.Nil(t, p.Unknown(), "of the last block only")
}

// TestSimulator drives a child cycle by cycle and reads its outputs before and after a change of
// the inputs.
func TestSimulator(t *testing.T) {
	for name, start := range map[string]func(*source, string) (*Process, error){"verilator": startVerilator, "icarus": startIcarus} {
		t.Run(name, func(t *testing.T) {
			need(t, name)
			p, err := start(handmade(), buildsDir)
			require.NoError(t, err)
			get := func(port int) []uint64 {
				v := make([]uint64, 3)
				p.Get(port, v)
				return v
			}
			p.Set(0, []uint64{1})
			p.Set(1, []uint64{5, 6, ^uint64(0)})
			require.Equal(t, []uint64{5, 6, 3}, get(5), "r is 0, and bits above the width do no harm")
			require.NoError(t, p.Step())
			require.Equal(t, []uint64{0, 0, 0}, get(5))
			require.NoError(t, p.Step())
			p.Set(1, []uint64{0, 0, 0})
			require.Equal(t, []uint64{10, 12, 2}, get(5))
			p.SetReset(true)
			require.NoError(t, p.Step())
			require.Equal(t, []uint64{0, 0, 0}, get(5))
			require.Equal(t, uint64(3), p.Cycle())
			require.False(t, p.Quiet())
			require.NoError(t, p.Close())
		})
	}
}

// TestConstantLogic: a block that nothing triggers after the start is evaluated.
func TestConstantLogic(t *testing.T) {
	s := &source{design: &ir.Design{}, top: "constant", format: sim.NewFormat([]sim.Port{port("turned", false, 3)}), files: []verilog.File{{Name: "constant.v", Text: `
module constant(output reg [2:0] turned);
  wire [2:0] bits = 3'd6;
  integer k;
  always @* for (k = 0; k < 3; k = k + 1) turned[k] = bits[2 - k];
endmodule
`}}}
	for name, start := range map[string]func(*source, string) (*Process, error){"verilator": startVerilator, "icarus": startIcarus} {
		t.Run(name, func(t *testing.T) {
			need(t, name)
			p, err := start(s, buildsDir)
			require.NoError(t, err)
			turned := make([]uint64, 1)
			p.Get(0, turned)
			require.Equal(t, uint64(3), turned[0])
			require.NoError(t, p.Close())
		})
	}
}

func TestBadVerilog(t *testing.T) {
	need(t, "verilator", "icarus")
	for name, start := range map[string]func(*source, string) (*Process, error){"verilator": startVerilator, "iverilog": startIcarus} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := handmade()
			s.files = []verilog.File{{Name: "accumulate.v", Text: strings.Replace(accumulate, "assign sum", "asign sum", 1)}}
			_, err := start(s, dir)
			require.ErrorContains(t, err, "external: "+name+": exit status")
			require.ErrorContains(t, err, "accumulate.v:11")
			left, err := filepath.Glob(filepath.Join(dir, "*"))
			require.NoError(t, err)
			require.Empty(t, left, "nothing half-built stays")
		})
	}
}

// TestCache: a build is reused unless the Verilog changes.
func TestCache(t *testing.T) {
	need(t, "icarus")
	dir := t.TempDir()
	p, err := startIcarus(handmade(), dir)
	require.NoError(t, err)
	require.NoError(t, p.Close())
	built, err := filepath.Glob(filepath.Join(dir, "icarus-*", "cosim.vvp"))
	require.NoError(t, err)
	require.Len(t, built, 1)
	before, err := os.Stat(built[0])
	require.NoError(t, err)
	p, err = startIcarus(handmade(), dir)
	require.NoError(t, err)
	require.NoError(t, p.Close())
	after, err := os.Stat(built[0])
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime())

	other := handmade()
	other.files[0].Text += "\n// changed\n"
	p, err = startIcarus(other, dir)
	require.NoError(t, err)
	require.NoError(t, p.Close())
	built, err = filepath.Glob(filepath.Join(dir, "icarus-*", "cosim.vvp"))
	require.NoError(t, err)
	require.Len(t, built, 2)
}

func TestMissingProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := startVerilator(handmade(), t.TempDir())
	require.EqualError(t, err, `program "verilator" not found; install it or add it to PATH`)
	_, err = startIcarus(handmade(), t.TempDir())
	require.EqualError(t, err, `program "iverilog" not found; install it or add it to PATH`)
}

// TestDeadChild: requests fail after the simulator was killed.
func TestDeadChild(t *testing.T) {
	need(t, "icarus")
	p, err := startIcarus(handmade(), buildsDir)
	require.NoError(t, err)
	require.NoError(t, p.Step())
	require.NoError(t, p.cmd.Process.Kill())
	for range 2 {
		require.ErrorContains(t, p.Step(), "external: icarus stopped: signal: killed")
	}
	require.NoError(t, p.Close())
}

// TestNonsense: an invalid response is an error.
func TestNonsense(t *testing.T) {
	p, err := start("parrot", handmade(), textCodec{}, "echo", "Segmentation fault")
	require.NoError(t, err)
	require.ErrorContains(t, p.Step(), `external: parrot stopped: expected a value, found "Segmentation fault\n"`)
}
