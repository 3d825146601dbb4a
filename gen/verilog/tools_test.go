package verilog_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// save writes files to a new directory and returns their paths.
func save(t *testing.T, files []verilog.File) []string {
	dir := t.TempDir()
	var paths []string
	for _, f := range files {
		p := filepath.Join(dir, f.Name)
		require.NoError(t, os.WriteFile(p, []byte(f.Text), 0o644))
		paths = append(paths, p)
	}
	return paths
}

// silent runs a tool that must succeed and print nothing.
func silent(t *testing.T, name string, args ...string) {
	t.Helper()
	tools.Need(t, "verilator", "iverilog", "yosys", "vvp")
	out, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(t, err, "%s: %s", name, out)
	require.Empty(t, string(out), name)
}

// lint checks that three tools accept the design without messages.
func lint(t *testing.T, d *ir.Design, files []verilog.File) {
	t.Helper()
	paths := save(t, files)
	top := verilog.Top(d, files)
	silent(t, "verilator", append([]string{"--lint-only", "-Wall", "--top-module", top}, paths...)...)
	for _, standard := range []string{"-g2005", "-g2012"} {
		silent(t, "iverilog", append([]string{standard, "-Wall", "-o", os.DevNull, "-s", top}, paths...)...)
	}
	script := fmt.Sprintf("read_verilog %s; hierarchy -check -top %s; proc; check -assert", strings.Join(paths, " "), top)
	silent(t, "yosys", "-q", "-p", script)
}

// lintFormal checks that formal tools accept the assertions without messages.
func lintFormal(t *testing.T, d *ir.Design, files []verilog.File) {
	t.Helper()
	paths := save(t, files)
	silent(t, "iverilog", append([]string{"-g2012", "-Wall", "-DFORMAL", "-o", os.DevNull, "-s", verilog.Top(d, files)}, paths...)...)
	script := fmt.Sprintf("read_verilog -formal %s; hierarchy -check -top %s; proc; check -assert; select -assert-min 1 t:$assert", strings.Join(paths, " "), verilog.Top(d, files))
	silent(t, "yosys", "-q", "-p", script)
}

// bench runs a design in Icarus on random inputs, together with the oracle.
type bench struct {
	d       *ir.Design
	files   []verilog.File
	o       *oracle
	in, out []*ir.Signal
}

// compare runs cycles of random inputs and requires equal outputs in each.
func compare(t *testing.T, d *ir.Design, files []verilog.File, cycles int, seed uint64) {
	t.Helper()
	b := &bench{d: d, files: files, o: newOracle(t, d)}
	for _, p := range d.Top.Ports {
		if p.Kind == ir.Input {
			b.in = append(b.in, p)
		} else {
			b.out = append(b.out, p)
		}
	}
	stimulus, want := b.expect(rand.New(rand.NewPCG(seed, 1)), cycles)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stimulus.hex"), []byte(strings.Join(stimulus, "\n")), 0o644))
	paths := save(t, append(files, verilog.File{Name: "tb.v", Text: b.text(cycles)}))
	exe := filepath.Join(dir, "tb")
	silent(t, "iverilog", append([]string{"-g2005", "-DSYNTHESIS", "-s", "tb", "-o", exe}, paths...)...) // assertions may fail
	limit, cancel := context.WithTimeout(context.Background(), time.Minute)                              // a simulation that oscillates never ends
	defer cancel()
	run := exec.CommandContext(limit, "vvp", "-n", exe)
	run.Dir = dir
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, got, cycles, "%s", out)
	for n := range want {
		if got[n] != want[n] {
			require.Failf(t, "outputs differ", "cycle %d: %s", n, b.difference(got[n], want[n]))
		}
	}
}

func width(ports []*ir.Signal) int {
	w := 0
	for _, p := range ports {
		w += p.Type.Bits()
	}
	return w
}

// expect returns the stimulus, a line for each cycle with rst as the lowest bit, and the outputs of
// the oracle.
func (b *bench) expect(r *rand.Rand, cycles int) (stimulus, want []string) {
	for n := range cycles {
		rst := n == 0 || r.IntN(20) == 0
		line := new(big.Int)
		for _, v := range b.o.d.Ports {
			if v.Sig.Kind != ir.Input {
				continue
			}
			for _, net := range v.Nets {
				b.o.value[net] = randomValue(r, v.Sig.Type.Width)
			}
			line.Or(line.Lsh(line, uint(v.Sig.Type.Bits())), b.packed(v.Sig))
		}
		line.Or(line.Lsh(line, 1), truth(rst))
		b.o.settle()
		out := new(big.Int)
		for _, p := range b.out {
			out.Or(out.Lsh(out, uint(p.Type.Bits())), b.packed(p))
		}
		b.o.edge(rst)
		stimulus = append(stimulus, line.Text(16))
		want = append(want, fmt.Sprintf("%0*x", (width(b.out)+3)/4, out))
	}
	return stimulus, want
}

// packed returns the value of a port with element 0 least significant.
func (b *bench) packed(s *ir.Signal) *big.Int {
	v := new(big.Int)
	for _, p := range b.o.d.Ports {
		if p.Sig == s {
			for k := len(p.Nets) - 1; k >= 0; k-- {
				v.Or(v.Lsh(v, uint(s.Type.Width)), b.o.value[p.Nets[k]])
			}
		}
	}
	return v
}

// randomValue returns a random value and prefers the ends of the range: small numbers and many
// ones.
func randomValue(r *rand.Rand, w int) *big.Int {
	v := new(big.Int)
	for range (w + 63) / 64 {
		v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(r.Uint64()))
	}
	switch r.IntN(6) {
	case 0:
		v = big.NewInt(int64(r.IntN(4)))
	case 1:
		v.Not(big.NewInt(int64(r.IntN(4))))
	case 2:
		v = new(big.Int).Lsh(big.NewInt(1), uint(r.IntN(w)))
	case 3:
		v.Rsh(mask(v, w), uint(r.IntN(w)))
	}
	return mask(v, w)
}

// text returns the test bench. State starts at zero and is accessed by hierarchical names.
func (b *bench) text(cycles int) string {
	var s strings.Builder
	iw, ow := width(b.in)+1, width(b.out)
	fmt.Fprintf(&s, "module tb;\n  reg clk = 0;\n  reg [%d:0] in;\n  wire [%d:0] out;\n", iw-1, ow-1)
	fmt.Fprintf(&s, "  reg [%d:0] stimulus [0:%d];\n  integer n;\n  %s dut (", iw-1, cycles-1, verilog.Top(b.d, b.files))
	var conns []string
	if b.d.Top.Clock {
		conns = append(conns, ".clk(clk)")
	}
	if b.d.Top.Reset {
		conns = append(conns, ".rst(in[0])")
	}
	for at, i := iw, 0; i < len(b.in); i++ {
		conns = append(conns, fmt.Sprintf(".%s(in[%d:%d])", b.in[i].Name, at-1, at-b.in[i].Type.Bits()))
		at -= b.in[i].Type.Bits()
	}
	for at, i := ow, 0; i < len(b.out); i++ {
		conns = append(conns, fmt.Sprintf(".%s(out[%d:%d])", b.out[i].Name, at-1, at-b.out[i].Type.Bits()))
		at -= b.out[i].Type.Bits()
	}
	s.WriteString(strings.Join(conns, ", ") + ");\n  initial begin\n    #1;\n")
	b.clear(&s)
	fmt.Fprintf(&s, "    $readmemh(\"stimulus.hex\", stimulus);\n    for (n = 0; n < %d; n = n + 1) begin\n", cycles)
	s.WriteString("      in = stimulus[n];\n      #1 $display(\"%h\", out);\n      #1 clk = 1;\n      #1 clk = 0;\n    end\n  end\nendmodule\n")
	return s.String()
}

// clear sets the registers and memories that the Verilog has to zero.
func (b *bench) clear(s *strings.Builder) {
	seen := map[string]bool{}
	for _, r := range b.o.d.Regs {
		path := r.Path
		if r.Sig.Type.IsVec() {
			path = path[:strings.LastIndexByte(path, '[')]
		}
		if !seen[path] && b.declares(r.Sig.Scope.Module, r.Sig.Name) {
			seen[path] = true
			fmt.Fprintf(s, "    dut.%s = 0;\n", path)
		}
	}
	for _, m := range b.o.d.Mems {
		if m.IR.Init == nil && b.declares(m.IR.Scope.Module, m.IR.Name) {
			fmt.Fprintf(s, "    for (n = 0; n < %d; n = n + 1) dut.%s[n] = 0;\n", m.IR.Depth, m.Path)
		}
	}
}

// declares reports whether a module has a variable of that name.
func (b *bench) declares(module *ir.Module, name string) bool {
	for _, f := range b.files {
		if slices.Contains(f.Modules, module) {
			return regexp.MustCompile(`(?m)^ *(\(\*.*\*\) )?reg .*\b` + name + `\b`).MatchString(f.Text)
		}
	}
	return false
}

// difference returns the name of the first port that differs.
func (b *bench) difference(got, want string) string {
	if strings.ContainsAny(got, "xXzZ") {
		return fmt.Sprintf("undefined: %s, want %s", got, want)
	}
	g, _ := new(big.Int).SetString(got, 16)
	w, _ := new(big.Int).SetString(want, 16)
	at := width(b.out)
	for _, p := range b.out {
		at -= p.Type.Bits()
		x, y := mask(new(big.Int).Rsh(g, uint(at)), p.Type.Bits()), mask(new(big.Int).Rsh(w, uint(at)), p.Type.Bits())
		if x.Cmp(y) != 0 {
			return fmt.Sprintf("%s is %x, want %x", p.Name, x, y)
		}
	}
	return "?"
}
