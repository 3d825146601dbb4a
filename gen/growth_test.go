package gen_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/bits"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// Big is a design of N equal pieces of one kind.
type Big struct {
	N    int
	Kind string
}

// BigPorts are the ports of Big.
type BigPorts struct{ A, Q hw.Bits }

// ModuleName returns the same name for all sizes.
func (Big) ModuleName() string { return "big" }

// Build describes the pieces as a chain: the output of each is the input of the next.
func (p Big) Build(m *hw.Module) BigPorts {
	io := BigPorts{A: m.In("a", 8), Q: m.Out("q", 8)}
	x := io.A
	if p.Kind == "constants" {
		words := make([]hw.Bits, p.N)
		for i := range words {
			words[i] = hw.Lit(8, uint64(i*i+i/256)&255)
		}
		x = hw.VecOf(words...).Index(hw.Cat(io.A, io.A).Trunc(bits.Len(uint(p.N - 1))))
	} else {
		for i := range p.N {
			x = pieces[p.Kind](m, fmt.Sprintf("p%d", i), io.A, x)
		}
	}
	io.Q.Set(x)
	return io
}

// pieces maps a kind to a function that describes one piece.
var pieces = map[string]func(m *hw.Module, name string, a, x hw.Bits) hw.Bits{
	"chain": func(m *hw.Module, name string, a, x hw.Bits) hw.Bits {
		r := m.Reg(name, 8, 0)
		r.Set(x)
		return r
	},
	"enabled": func(m *hw.Module, name string, a, x hw.Bits) hw.Bits {
		r := m.Reg(name, 8, 0)
		m.When(a.Bit(0), func() { r.Set(x) })
		return r
	},
	"sums": func(m *hw.Module, name string, a, x hw.Bits) hw.Bits { return x.Add(a).Xor(x).As(name) },
	"choices": func(m *hw.Module, name string, a, x hw.Bits) hw.Bits {
		w := m.Wire(name, 8)
		m.When(a.Bit(0), func() { w.Set(x.Inc()) }).Else(func() { w.Set(x) })
		return w
	},
	"instances": func(m *hw.Module, name string, a, x hw.Bits) hw.Bits {
		c := hw.Inst(m, name, Big{2, "chain"}.named("stage"))
		c.A.Set(x)
		return c.Q
	},
}

// stage is a Big with another name.
type stage struct {
	Big
	Name string
}

func (p Big) named(name string) stage { return stage{p, name} }

func (p stage) ModuleName() string { return p.Name }

var kinds = []string{"chain", "enabled", "sums", "choices", "instances", "constants"}

// build performs all steps that precede the simulation of a design.
func build(tb testing.TB, p Big) (v []verilog.File, model []gosim.File) {
	d, err := hw.Elaborate(p)
	require.NoError(tb, err)
	ir.Hash(d)
	v, err = verilog.Generate(d)
	require.NoError(tb, err)
	model, err = gosim.Generate(d, "model")
	require.NoError(tb, err)
	_, err = interp.New(d)
	require.NoError(tb, err)
	return v, model
}

// allocated returns the memory that f allocates, in bytes.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// TestGrowthIsLinear: four times the design takes about four times the memory. The test measures
// memory instead of time, which is not reproducible.
func TestGrowthIsLinear(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			const n = 1024         // designs of up to 2,000 nodes are compiled in another way
			build(t, Big{n, kind}) // fills caches
			small := allocated(func() { build(t, Big{n, kind}) })
			large := allocated(func() { build(t, Big{4 * n, kind}) })
			require.Less(t, large/small, 5.5, "bytes for 4 times %d", n)
		})
	}
}

// TestExpressionsAreShort: no expression is deeply nested, because gofmt's time is quadratic in the
// length of an expression.
func TestExpressionsAreShort(t *testing.T) {
	for _, kind := range kinds {
		_, model := build(t, Big{1000, kind})
		for _, f := range model {
			file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Text, 0)
			require.NoError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				deep := 0
				for x, ok := n.(*ast.BinaryExpr); ok; x, ok = x.X.(*ast.BinaryExpr) {
					deep++
				}
				require.LessOrEqual(t, deep, 200, "%s of %s", f.Name, kind)
				return deep == 0
			})
		}
	}
}

// BenchmarkBuild measures the times in docs/evidence/performance.md.
func BenchmarkBuild(b *testing.B) {
	for _, p := range []Big{{16000, "chain"}, {16000, "enabled"}, {65536, "constants"}} {
		b.Run(p.Kind, func(b *testing.B) {
			d, err := hw.Elaborate(p)
			require.NoError(b, err)
			b.Run("elaborate", func(b *testing.B) {
				for b.Loop() {
					hw.Elaborate(p)
				}
			})
			b.Run("verilog", func(b *testing.B) {
				for b.Loop() {
					verilog.Generate(d)
				}
			})
			b.Run("model", func(b *testing.B) {
				for b.Loop() {
					gosim.Generate(d, "model")
				}
			})
		})
	}
}
