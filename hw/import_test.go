package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// sumText is a design with a clock of another name and an inner module.
const sumText = `
module stage clk tick rst tick_rst clock {
  input d : 8
  output q : 8
  reg held : 8
  held = d
  q = held
}
module sum clk tick rst tick_rst clock {
  input d : 8
  output q : 8
  inst first : stage
  pin first_d : 8 -> first.d
  pin first_q : 8 <- first.q
  reg total : 8
  first_d = d
  total = add(total, first_q)
  q = total
}
`

// sum is an imported module.
type sum struct{}

type sumPorts struct {
	D hw.Bits `hw:"in,8"`
	Q hw.Bits `hw:"out,8"`
}

func (sum) ModuleName() string { return "running_sum" }

func (sum) Build(m *hw.Module) sumPorts {
	m.Import("sum.ir", sumText)
	return hw.Ports[sumPorts](m)
}

// sums uses two instances and adds their outputs.
type sums struct{}

func (sums) Build(m *hw.Module) sumPorts {
	io := hw.Ports[sumPorts](m)
	a, b := hw.Inst(m, "a", sum{}), hw.Inst(m, "b", sum{})
	a.D.Set(io.D)
	b.D.Set(io.D.Not())
	io.Q.Set(a.Q.Sub(b.Q))
	return io
}

// TestImport: instances of an imported design behave like the design.
func TestImport(t *testing.T) {
	d, err := hw.Elaborate(sums{})
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	var a, b, heldA, heldB uint8
	got := []uint64{0}
	for i := range 50 {
		x := uint8(i * 37)
		s.Set(0, []uint64{uint64(x)})
		s.Get(1, got)
		require.Equal(t, uint64(a-b), got[0], "cycle %d", i)
		require.NoError(t, s.Step())
		a, b, heldA, heldB = a+heldA, b+heldB, x, ^x
	}
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"stage.v", "sum.v", "running_sum.v", "sums.v"}, names)
}

// wrapped is a module that a function describes.
type wrapped struct{ f *func(m *hw.Module) }

func (w wrapped) Build(m *hw.Module) (none struct{}) {
	(*w.f)(m) // wrappedbuild
	return none
}

func TestImportMistakes(t *testing.T) {
	check := func(name string, f func(m *hw.Module), want string) {
		run(t, []mistake{{name, func(m *hw.Module) { hw.Inst(m, "x", wrapped{&f}) }, []string{want}}})
	}
	check("syntax", func(m *hw.Module) {
		m.Import("a.ir", "modul") // importsyntax
	}, `{importsyntax} < {wrappedbuild}: wrapped: [extern] a.ir:1: found "modul", expected "module"`)
	check("port", func(m *hw.Module) {
		m.Out("q", 9) // importport
		m.Import("sum.ir", sumText)
	}, `{importport} < {wrappedbuild}: wrapped: [extern] the design has no output "q" of 9 bits`)
	check("missing", func(m *hw.Module) {
		m.Out("q", 8)
		m.Import("sum.ir", sumText) // importmissing
	}, `{importmissing} < {wrappedbuild}: wrapped: [extern] the module lacks input "d" of 8 bits, which the design has`)
	check("more", func(m *hw.Module) {
		m.Import("sum.ir", sumText) // importmore
		m.Reg("r", 1, 0)
	}, `{importmore} < {wrappedbuild}: wrapped: [extern] module wrapped is imported and describes reg "r"; describe it in the module around it`)
	check("twice", func(m *hw.Module) {
		const text = "module zero {\n  output q : 1\n  q = 1'd0\n}\n"
		m.Out("q", 1)
		m.Import("zero.ir", text) // importfirst
		m.Import("zero.ir", text) // importtwice
	}, `{importtwice} < {wrappedbuild}: wrapped: [extern] Import is called twice, here and at {importfirst} < {wrappedbuild}`)
}
