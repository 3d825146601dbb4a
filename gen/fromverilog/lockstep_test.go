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
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/external"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func load(t *testing.T, top string, files ...string) *ir.Design {
	t.Helper()
	d, err := fromverilog.Import(context.Background(), fromverilog.Options{Top: top, Files: files})
	require.NoError(t, err)
	return d
}

// original returns a design with the ports of d that contains the Verilog of d as a black box.
func original(t *testing.T, d *ir.Design, verilog, file string) *ir.Design {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	ports := func(name string) *ir.Module {
		m := &ir.Module{Name: name, Own: d.Top.Own, Clock: d.Top.Clock}
		m.Body = &ir.Scope{Module: m}
		for _, p := range d.Top.Ports {
			m.Ports = append(m.Ports, &ir.Signal{Name: p.Name, Kind: p.Kind, Type: p.Type, Scope: m.Body})
		}
		for _, x := range d.Top.Domains {
			y := &ir.Domain{Clock: m.Port(x.Clock.Name), Low: x.Low, Async: x.Async}
			if x.Reset != nil {
				y.Reset = m.Port(x.Reset.Name)
			}
			m.Domains = append(m.Domains, y)
		}
		m.Body.Signals = append(m.Body.Signals, m.Ports...)
		return m
	}
	box, top := ports("box"), ports("wrapper")
	box.Extern = &ir.Extern{Module: verilog, Sources: []ir.Source{{Name: filepath.Base(file), Text: string(text)}}}
	ir.StandIn(box, nil, box.Clock, false)
	in := &ir.Instance{Name: "dut", Of: box}
	for i, p := range box.Ports {
		pin := &ir.Signal{Name: "dut_" + p.Name, Kind: ir.Wire, Type: p.Type, Scope: top.Body, Pin: &ir.Pin{Inst: in, Port: p}}
		in.Pins = append(in.Pins, pin)
		to, from := pin, top.Ports[i]
		if p.Kind == ir.Output {
			to, from = from, to
		}
		top.Body.Stmts = append(top.Body.Stmts, &ir.Assign{LHS: ir.LValue{Sig: to}, RHS: &ir.Expr{Op: ir.Ref, Type: p.Type, Sig: from}})
	}
	top.Body.Signals = append(top.Body.Signals, in.Pins...)
	top.Body.Insts = []*ir.Instance{in}
	out := &ir.Design{Top: top, Modules: []*ir.Module{box, top}}
	require.NoError(t, ir.Verify(out))
	return out
}

// compare runs d in an engine of Go against Verilator on the original file, built in dir.
func compare(t *testing.T, d *ir.Design, engine sim.NamedBatch, top, file, dir string) sim.Report {
	t.Helper()
	v, err := external.Verilator(original(t, d, top, file), dir)
	require.NoError(t, err)
	report, err := sim.Verification{Design: d, A: engine, B: sim.NamedBatch{Name: "verilator", Batch: v},
		Stimulus: sim.Random(sim.NewFormat(sim.PortsOf(d)), 7), Cycles: 20000}.Run()
	require.NoError(t, err)
	require.NoError(t, v.Close())
	return report
}

func interpreted(t *testing.T, d *ir.Design) sim.NamedBatch {
	t.Helper()
	s, err := interp.New(d)
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
	for _, top := range []string{"counter", "fifo", "fsm", "alu", "pair", "bytes", "clocks"} {
		t.Run(top, func(t *testing.T) {
			file := filepath.Join("testdata", top+".v")
			d := load(t, top, file)
			m, err := external.Model(d, "")
			dir := t.TempDir() // both engines use one build
			require.NoError(t, err)
			for _, engine := range []sim.NamedBatch{interpreted(t, d), {Name: "model", Batch: m}} {
				r := compare(t, d, engine, top, file, dir)
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
	} {
		file := filepath.Join("testdata", c.top+".v")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), c.right)
		wrong := filepath.Join(t.TempDir(), c.top+".v")
		require.NoError(t, os.WriteFile(wrong, []byte(strings.ReplaceAll(string(text), c.right, c.wrong)), 0o600))
		d := load(t, c.top, wrong)
		require.NotNil(t, compare(t, d, interpreted(t, d), c.top, file, t.TempDir()).First, c.top)
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
	text := printed(t, d)
	require.Contains(t, text, "reg last : 8")
	require.Contains(t, text, "wire middle : 8")
	back, err := ir.Parse("pair.ir", text)
	require.NoError(t, err)
	require.Equal(t, text, printed(t, back))
}
