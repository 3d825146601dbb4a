package external

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// buildsDir is the build directory that all tests of this process share.
var buildsDir string

func TestMain(m *testing.M) {
	var err error
	if buildsDir, err = os.MkdirTemp("", "cosim"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(buildsDir)
	os.Exit(code)
}

func design[P any](t testing.TB, g hw.Generator[P]) *ir.Design {
	t.Helper()
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}

// verify compares p with the interpreter and closes p.
func verify(t testing.TB, d *ir.Design, name string, p Engine, cycles uint64) sim.Report {
	t.Helper()
	s, err := interp.New(d)
	require.NoError(t, err)
	sim.PowerUp(s, 1)
	sim.PowerUp(p, 1)
	v := sim.Verification{Design: d, A: sim.NamedBatch{Name: "interp", Batch: sim.NewBlocks(s)}, B: sim.NamedBatch{Name: name, Batch: p},
		Stimulus: sim.Random(sim.NewFormat(s.Ports()), 1), Cycles: cycles}
	r, err := v.Run()
	require.NoError(t, err)
	require.NoError(t, p.Close())
	return r
}

// programs lists the programs that an engine requires.
var programs = map[string][]string{"icarus": {"iverilog", "vvp"}, "verilator": {"verilator", "make", "g++"}}

// need skips a test with -short if one of the engines requires external programs.
func need(t *testing.T, engines ...string) {
	t.Helper()
	for _, name := range engines {
		if p := programs[name]; p != nil {
			tools.Need(t, p...)
		}
	}
}

// agrees checks that an engine and the interpreter have the same outputs for the given number of
// cycles.
func agrees[E Engine](t *testing.T, d *ir.Design, name string, start func(*ir.Design, string) (E, error), cycles uint64) {
	t.Helper()
	need(t, name)
	p, err := start(d, buildsDir)
	require.NoError(t, err)
	r := verify(t, d, name, p, cycles)
	if r.First != nil {
		t.Fatal(r.First)
	}
	require.Equal(t, cycles, r.Cycles)
}

func TestIcarus(t *testing.T) {
	designs := map[string]*ir.Design{
		"fifos":  design(t, simtest.FIFOArray{Lanes: 5, Width: 70, Depth: 4}),
		"memory": design(t, simtest.Memory{Depth: 5, Width: 33}),
		"alu":    design(t, simtest.ALU{Width: 130}),
		"bundle": design(t, bundle{}),
		"resets": design(t, simtest.Resets{Lanes: 70}),
	}
	for _, w := range []int{1, 7, 64, 65, 130} {
		designs[fmt.Sprint("operators", w)] = design(t, simtest.Operators{Width: w, Len: 5, Amount: 8})
	}
	for seed := range uint64(6) {
		designs[fmt.Sprint("random", seed)] = random.Random(seed, random.Options{Size: 5, Levels: 1})
	}
	for name, d := range designs {
		t.Run(name, func(t *testing.T) { agrees(t, d, "icarus", Icarus, 300) })
	}
}

// bundle instantiates several designs, because each Verilator build takes seconds.
type bundle struct{}

func (bundle) Build(m *hw.Module) struct{} {
	in := func(name string, pin hw.Bits) { pin.Set(m.In("of_"+name, pin.Width())) }
	inVec := func(name string, pin hw.Vec) { pin.Set(m.InVec("of_"+name, pin.Len(), pin.Width())) }
	out := func(name string, pin hw.Bits) { m.Out("of_"+name, pin.Width()).Set(pin) }
	outVec := func(name string, pin hw.Vec) { m.OutVec("of_"+name, pin.Len(), pin.Width()).Set(pin) }

	f := hw.Inst(m, "fifos", simtest.FIFOArray{Lanes: 5, Width: 70, Depth: 4})
	in("push_valid", f.PushValid)
	inVec("push_data", f.PushData)
	in("pop_ready", f.PopReady)
	out("push_ready", f.PushReady)
	out("pop_valid", f.PopValid)
	outVec("pop_data", f.PopData)
	outVec("level", f.Level)

	a := hw.Inst(m, "alu", simtest.ALU{Width: 130})
	in("op", a.Op)
	in("alu_a", a.A)
	in("alu_b", a.B)
	in("alu_valid", a.Valid)
	out("alu_ready", a.Ready)
	out("result", a.Result)
	out("acc", a.Acc)

	mem := hw.Inst(m, "memory", simtest.Memory{Depth: 5, Width: 33})
	for i, pin := range []hw.Bits{mem.WriteA, mem.WriteB, mem.AddrA, mem.AddrB, mem.DataA, mem.DataB, mem.ReadAddr} {
		in(fmt.Sprint("memory", i), pin)
	}
	out("now", mem.Now)
	out("later", mem.Later)

	r := hw.Inst(m, "resets", simtest.Resets{Lanes: 5})
	for i, pin := range []hw.Bits{r.Whole, r.Half, r.Each} {
		in(fmt.Sprint("reset", i), pin)
	}
	for i, pin := range []hw.Vec{r.Count, r.Kept, r.Flags, r.Free, r.Word} {
		outVec(fmt.Sprint("counters", i), pin)
	}

	o := hw.Inst(m, "operators", simtest.Operators{Width: 65, Len: 5, Amount: 8})
	for i, pin := range []hw.Bits{o.A, o.B, o.C, o.Amount, o.Index, o.Lanes} {
		in(fmt.Sprint("operand", i), pin)
	}
	inVec("v", o.V)
	inVec("d", o.D)
	for i, pin := range o.Out {
		out(fmt.Sprint("out", i), pin)
	}
	for i, pin := range o.Vecs {
		outVec(fmt.Sprint("outs", i), pin)
	}
	return struct{}{}
}

func TestVerilator(t *testing.T) { agrees(t, design(t, bundle{}), "verilator", Verilator, 10000) }

func TestUnoptimized(t *testing.T) {
	need(t, "verilator")
	u, err := NewUnoptimized(buildsDir)
	require.NoError(t, err)
	agrees(t, design(t, simtest.ALU{Width: 130}), "verilator", u.Verilator, 1000)
}

// TestKeptDesigns runs designs of gen/verilog in Verilator that Verilog tools once misread.
func TestKeptDesigns(t *testing.T) {
	need(t, "verilator")
	paths, err := filepath.Glob("../../gen/verilog/testdata/kept/*.ir")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	u, err := NewUnoptimized(buildsDir)
	require.NoError(t, err)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			d, err := ir.Parse(path, string(text))
			require.NoError(t, err)
			agrees(t, d, "verilator", u.Verilator, 300)
		})
	}
}

// wide divides numbers of both widths.
type wide struct{ Least, More int }

func (p wide) Build(m *hw.Module) struct{} {
	for _, w := range []int{p.Least, p.More} {
		x, y := m.In(fmt.Sprint("x", w), w), m.In(fmt.Sprint("y", w), w/2).Resize(w)
		m.Out(fmt.Sprint("quotient", w), w).Set(x.Div(y))
		m.Out(fmt.Sprint("remainder", w), w).Set(x.Mod(y))
	}
	return struct{}{}
}

// TestWideDivision divides numbers of widths at which Verilator 5.006 overruns its buffers, unless
// the generated Verilog avoids it.
func TestWideDivision(t *testing.T) {
	need(t, "verilator", "icarus")
	u, err := NewUnoptimized(buildsDir)
	require.NoError(t, err)
	d := design(t, wide{Least: 512, More: 897})
	agrees(t, d, "verilator", u.Verilator, 60)
	agrees(t, d, "icarus", Icarus, 20)
}

// TestOptimized runs kept designs that only an optimizing build of Verilator 5.006 got wrong. The
// runtime does not matter, so the builds share one that is already compiled.
func TestOptimized(t *testing.T) {
	need(t, "verilator")
	u, err := NewUnoptimized(buildsDir)
	require.NoError(t, err)
	optimized := func(d *ir.Design, dir string) (*Process, error) {
		s, err := newSource(d)
		require.NoError(t, err)
		built, err := s.verilate(dir, "verilator", "-MAKEFLAGS", "VM_GLOBAL_FAST=", "-LDFLAGS", strings.Join(u.objects, " "))
		require.NoError(t, err)
		return s.startVerilated(built)
	}
	for _, name := range []string{"signed_across_instances", "equal_concats", "equal_concats_across_instances"} {
		path := "../../gen/verilog/testdata/kept/" + name + ".ir"
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		d, err := ir.Parse(path, string(text))
		require.NoError(t, err)
		agrees(t, d, "verilator", optimized, 300)
	}
}

// TestWrongOperator checks the report for Verilog that differs from the design in one operator.
func TestWrongOperator(t *testing.T) {
	need(t, "icarus")
	d := design(t, simtest.ALU{Width: 100})
	s, err := newSource(d)
	require.NoError(t, err)
	require.Contains(t, s.files[0].Text, "a + b")
	s.files[0].Text = strings.Replace(s.files[0].Text, "a + b", "a - b", 1)
	p, err := startIcarus(s, buildsDir)
	require.NoError(t, err)
	r := verify(t, d, "icarus", p, 5000)
	require.NotNil(t, r.First)
	require.Equal(t, `cycle 9: output result (../simtest/alu.go:N < lockstep_test.go:N): interp has 7b3af6112b9a097665c274d10, icarus has 84c509eed465f6899a3d8b2fa
cycle         |2            3            4            5            6            7            8            9
rst           |------------\__________________________________________________________________________________________
op            |1           |5           |7           |4                        |5           |0
a             |5
b             |..665c274d0a                                       |..665c274d0b
valid         |-------------------------------------------------------------------------------------------------------
ready         |-------------------------------------------------------------------------------------------------------
result interp |..e08bfafb56|..99a3d8b2fb|1           |28          |0                        |1           |..665c274d10
result icarus |..e08bfafb56|..99a3d8b2fb|1           |28          |0                        |1           |..99a3d8b2fa
acc interp    |1                        |0           |28                                    |29          |..665c274d39
acc icarus    |1                        |0           |28                                    |29          |..99a3d8b2d3
`, regexp.MustCompile(`\.go:\d+`).ReplaceAllString(r.First.Error(), ".go:N"))
}

// TestLockstep drives the same engines cycle by cycle.
func TestLockstep(t *testing.T) {
	need(t, "icarus")
	d := design(t, simtest.FIFOArray{Lanes: 5, Width: 70, Depth: 4})
	s, err := interp.New(d)
	require.NoError(t, err)
	p, err := Icarus(d, buildsDir)
	require.NoError(t, err)
	l, err := sim.NewLockstep(d, sim.Engine{Name: "interp", Simulator: s}, sim.Engine{Name: "icarus", Simulator: p})
	require.NoError(t, err)
	require.NoError(t, sim.Drive(l, sim.Random(sim.NewFormat(l.Ports()), 2), 300))
	require.Equal(t, uint64(300), p.Cycle())
	require.NoError(t, l.Close())
}
