package eda_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/gen/tools"
)

const inverter = "module top(input a, output [2:0] y);\n  assign y = {1'bx, 1'b1, ~a};\nendmodule\n"

func write(t *testing.T, name, text string) (dir string) {
	dir = t.TempDir()
	require.NoError(t, outfile.Scratch(filepath.Join(dir, name), []byte(text)))
	return dir
}

// TestNetlist: a netlist is the same after it was written and read back, directly and through
// Yosys.
func TestNetlist(t *testing.T) {
	tools.Need(t, "yosys")
	dir := write(t, "top.v", inverter)
	require.NoError(t, eda.Yosys(t.Context(), dir, "read_verilog top.v\nproc\nwrite_json a.json\n"))
	a, err := eda.Read(filepath.Join(dir, "a.json"))
	require.NoError(t, err)
	top := a.Modules["top"]
	require.Equal(t, []eda.Bit{eda.One, eda.Unknown}, top.Ports["y"].Bits[1:])
	require.NoError(t, a.Write(filepath.Join(dir, "b.json")))
	require.NoError(t, eda.Yosys(t.Context(), dir, "read_json b.json\nwrite_json c.json\n"))
	c, err := eda.ReadModule(filepath.Join(dir, "c.json"), "top")
	require.NoError(t, err)
	require.Equal(t, top.Ports, c.Ports)
	require.Equal(t, eda.Sorted(top.Cells), eda.Sorted(c.Cells))
	for name, x := range c.Cells {
		require.Equal(t, name, x.Name)
		require.Equal(t, 1, x.Number("Y_WIDTH"))
	}
	c.Ground()
	require.Equal(t, []eda.Bit{eda.One, eda.Zero}, c.Ports["y"].Bits[1:])
	require.Equal(t, max(c.Ports["a"].Bits[0], c.Ports["y"].Bits[0]), c.Last())
	_, err = eda.ReadModule(filepath.Join(dir, "c.json"), "other")
	require.EqualError(t, err, "module other is missing in the output of Yosys")
}

// TestErrors: errors name the line of the Verilog, or the missing program.
func TestErrors(t *testing.T) {
	tools.Need(t, "yosys")
	dir := write(t, "top.v", "module top(input a);\n  assign = a;\nendmodule\n")
	require.ErrorContains(t, eda.Yosys(t.Context(), dir, "read_verilog top.v\n"), "top.v:2: ERROR: syntax error")
	t.Setenv("PATH", t.TempDir())
	require.EqualError(t, eda.Yosys(t.Context(), dir, ""), "program \"yosys\" not found; install it or add it to PATH")
}

// TestABC: ABC stops when its processor time is used up, and not before.
func TestABC(t *testing.T) {
	tools.Need(t, "yosys")
	out, err := eda.ABC(t.TempDir(), 10, "gen -N 8 -m a.blif; read a.blif; print_stats")
	require.NoError(t, err)
	require.Contains(t, out, "i/o =   16/   16")
	_, err = eda.ABC(t.TempDir(), 1, "gen -N 40 -m a.blif; read a.blif; collapse -B 1000000000")
	require.ErrorIs(t, err, eda.ErrOutOfTime)
}
