package fromverilog_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/fromverilog"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/external"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func load(t *testing.T, top string, files ...string) *fromverilog.Imported {
	t.Helper()
	d, err := fromverilog.Import(context.Background(), fromverilog.Options{Top: top, Files: files})
	require.NoError(t, err)
	return d
}

// compare runs d in an engine of Go against Verilator on the files that d names, built in dir.
func compare(t *testing.T, d *fromverilog.Imported, engine sim.NamedBatch, dir string) sim.Report {
	t.Helper()
	original, err := d.Original()
	require.NoError(t, err)
	v, err := external.Verilator(original, dir)
	require.NoError(t, err)
	report, err := sim.Verification{Design: d.Design, A: engine, B: sim.NamedBatch{Name: "verilator", Batch: v},
		Stimulus: sim.Random(sim.NewFormat(sim.PortsOf(d.Design)), 7), Cycles: 20000}.Run()
	require.NoError(t, err)
	require.NoError(t, v.Close())
	return report
}

func interpreted(t *testing.T, d *fromverilog.Imported) sim.NamedBatch {
	t.Helper()
	s, err := interp.New(d.Design)
	require.NoError(t, err)
	return sim.NamedBatch{Name: "interp", Batch: sim.NewBlocks(s)}
}

func printed(t *testing.T, d *ir.Design) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, ir.Print(&b, d))
	return b.String()
}

// TestLockstep compares imported designs with Verilator on the original files.
func TestLockstep(t *testing.T) {
	tools.Need(t, "yosys", "verilator", "make", "g++")
	for _, top := range []string{"counter", "fifo", "fsm", "alu", "pair", "bytes", "clocks", "start"} {
		t.Run(top, func(t *testing.T) {
			file := filepath.Join("testdata", top+".v")
			d := load(t, top, file)
			m, err := external.Model(d.Design, "")
			dir := t.TempDir() // both engines use one build
			require.NoError(t, err)
			for _, engine := range []sim.NamedBatch{interpreted(t, d), {Name: "model", Batch: m}} {
				r := compare(t, d, engine, dir)
				if r.First != nil {
					t.Fatal(r.First)
				}
				require.Equal(t, uint64(20000), r.Cycles)
			}
			require.NoError(t, m.Close())
		})
	}
}

// TestSeededErrorsAreFound imports wrong Verilog and compares it with the original.
func TestSeededErrorsAreFound(t *testing.T) {
	tools.Need(t, "yosys", "verilator", "make", "g++")
	for _, c := range []struct{ top, right, wrong string }{
		{"alu", "less = a < b", "less = $unsigned(a) < b"},
		{"counter", "7'd5", "7'd4"},
		{"bytes", "[15:0] <= ~d[15:0]", "[7:0] <= ~d[7:0]"},
		{"start", "4'b0110", "4'b0100"},
		{"start", "STEP = 3", "STEP = 5"},
	} {
		file := filepath.Join("testdata", c.top+".v")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), c.right)
		changed := filepath.Join(t.TempDir(), c.top+".v")
		require.NoError(t, os.WriteFile(changed, []byte(strings.ReplaceAll(string(text), c.right, c.wrong)), 0o600))
		d := load(t, c.top, changed)
		require.NoError(t, os.WriteFile(changed, text, 0o600))
		first := compare(t, d, interpreted(t, d), t.TempDir()).First
		require.NotNil(t, first, c.top)
		require.Regexp(t, c.top+`\.v:\d+\)`, first.Error(), "the place of the output")
	}
}

// TestHierarchy checks modules, instances and names.
func TestHierarchy(t *testing.T) {
	tools.Need(t, "yosys")
	d := load(t, "pair", "testdata/pair.v")
	var modules, instances []string
	for _, m := range d.Modules {
		modules = append(modules, m.Name)
	}
	for _, in := range d.Top.Body.Insts {
		instances = append(instances, in.Name+" "+in.Of.Name)
	}
	require.Equal(t, []string{"lane", "lane_2", "pair"}, modules)
	require.Equal(t, []string{"first lane", "second lane", "narrow lane_2"}, instances)
	text := printed(t, d.Design)
	require.Contains(t, text, "reg last : 8")
	require.Contains(t, text, "wire middle : 8")
	back, err := ir.Parse("pair.ir", text)
	require.NoError(t, err)
	require.Equal(t, text, printed(t, back))
}

// TestParameters: the top module gets parameters, here and in Verilator.
func TestParameters(t *testing.T) {
	tools.Need(t, "yosys", "verilator", "make", "g++")
	d, err := fromverilog.Import(t.Context(), fromverilog.Options{Top: "start", Files: []string{"testdata/start.v"}, Params: []ir.Param{{Name: "STEP", Number: 7}}})
	require.NoError(t, err)
	r := compare(t, d, interpreted(t, d), t.TempDir())
	require.Nil(t, r.First)
}

// TestPlaces: signals and statements have the lines of the Verilog.
func TestPlaces(t *testing.T) {
	tools.Need(t, "yosys")
	d := load(t, "start", "testdata/start.v")
	require.Equal(t, "testdata/start.v:9", d.Top.Port("count").Pos.String())
	files, err := verilog.Options{Source: true}.Generate(d.Design)
	require.NoError(t, err)
	require.Contains(t, files[len(files)-1].Text, "// start.v:2")
}

// TestSameText: every import of the same files gives the same text.
func TestSameText(t *testing.T) {
	tools.Need(t, "yosys")
	for _, top := range []string{"alu", "fsm", "bytes", "pair", "start"} {
		file := filepath.Join("testdata", top+".v")
		want := printed(t, load(t, top, file).Design)
		for range 8 {
			require.Equal(t, want, printed(t, load(t, top, file).Design), top)
		}
	}
}
