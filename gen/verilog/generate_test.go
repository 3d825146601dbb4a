package verilog_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestDeterministic: the text depends only on the design, not on the order of maps or on earlier
// runs.
func TestDeterministic(t *testing.T) {
	for _, d := range designs {
		_, first := generate(t, d)
		for range 4 {
			_, again := generate(t, d)
			require.Equal(t, texts(first), texts(again), d.name)
		}
	}
}

func texts(files []verilog.File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Name, f.Text)
	}
	return out
}

// tall is a module that grows at its end.
type tall struct{ More bool }

func (tall) ModuleName() string { return "tall" }

func (p tall) Build(m *hw.Module) ports {
	a, b := m.In("a", 8), m.In("b", 8)
	var io ports
	x := a.Mul(b).Xor(a)
	io.out(m, "first", x.Add(x.Shl(b)).Sub(hw.Mux(a.Lt(b), x, b)))
	if p.More {
		y := a.Add(b).Mul(a)
		io.out(m, "second", y.Xor(y.Shr(b)).Add(y))
	}
	return io
}

// TestStableNames: additions to a module do not change existing names.
func TestStableNames(t *testing.T) {
	_, before := generate(t, of("tall", tall{}))
	_, after := generate(t, of("tall", tall{More: true}))
	for _, line := range strings.Split(before[0].Text, "\n") {
		if strings.HasPrefix(line, "  wire") {
			require.Contains(t, after[0].Text, line)
		}
	}
}

// TestSource: with option Source, every statement shows its position in the source.
func TestSource(t *testing.T) {
	for _, d := range designs[:4] {
		x, plain := generate(t, d)
		files, err := verilog.Options{Source: true}.Generate(x)
		require.NoError(t, err)
		lint(t, x, files)
		require.NotContains(t, plain[0].Text, "_test.go:")
		here, err := os.Getwd()
		require.NoError(t, err)
		for _, f := range files {
			for _, line := range strings.Split(f.Text, "\n") {
				s := strings.TrimSpace(line)
				if strings.Contains(s, " <= ") && strings.HasSuffix(s, ";") || strings.HasPrefix(s, "always @* begin :") {
					require.Contains(t, line, " // verilog_test/designs_test.go:", f.Name)
				}
				require.NotContains(t, line, here, "the path of this machine")
			}
		}
	}
}

// TestFormal: yosys reads assertions for formal verification, and Icarus reads them as
// SystemVerilog.
func TestFormal(t *testing.T) {
	for _, d := range designs {
		if d.name == "fifo" || d.name == "leftovers" {
			x, files := generate(t, d)
			lintFormal(t, x, files)
		}
	}
}

func TestErrors(t *testing.T) {
	_, err := verilog.Generate(&ir.Design{})
	require.ErrorContains(t, err, "no top module")

	m := &ir.Module{Name: "bad"}
	m.Body = &ir.Scope{Module: m}
	y := &ir.Signal{Name: "y", Kind: ir.Output, Type: ir.Type{Width: 1}, Scope: m.Body}
	m.Body.Signals, m.Ports = []*ir.Signal{y}, []*ir.Signal{y}
	_, err = verilog.Generate(&ir.Design{Top: m, Modules: []*ir.Module{m}})
	require.ErrorContains(t, err, `"y" has no driver`)
}
