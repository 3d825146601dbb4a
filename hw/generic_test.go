package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// hold stores words whose width is a Verilog parameter.
type hold[T any] struct {
	Of    hw.Shape[T] `hw:"parameter" doc:"word to hold"`
	Words int
}

func (p hold[T]) Build(m *hw.Module) (out struct{}) {
	if p.Of.Bits() == 53 && p.Words == 9 {
		m.Errorf("9 words of 53 bits")
	}
	m.Out("q", p.Of.Bits()).Set(hw.Inst(m, "keep", keep{p.Of.Bits() + 1, p.Words}).Trunc(p.Of.Bits()))
	return out
}

type keep struct {
	WordBits int `hw:"parameter"`
	Words    int
}

func (p keep) Build(m *hw.Module) hw.Bits {
	q := m.Out("q", p.WordBits)
	q.Set(hw.Zeros(p.WordBits))
	return q
}

func TestGenericModules(t *testing.T) {
	d, err := hw.Elaborate(hold[hw.Bits]{hw.Width(12), 2})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	require.Equal(t, &ir.Generic{Name: "hold", Param: "WIDTH", Value: 12}, d.Top.Generic)
	require.Equal(t, "hold", d.Top.Name)
	require.Equal(t, []ir.Parameter{{Name: "words", Value: "2"}}, d.Top.Fixed())
	require.Equal(t, ir.Parameter{Name: "of", Value: "w12", Generic: true, Doc: "bits of the word to hold"}, d.Top.Parameters[0])
	require.Equal(t, &ir.Generic{Name: "keep", Param: "WORD_BITS", Value: 13}, d.Modules[0].Generic)
	var probes []string
	for _, m := range d.Probes {
		probes = append(probes, m.Name)
	}
	require.ElementsMatch(t, []string{"hold_w16_probe", "hold_w32_probe", "hold_w53_probe", "keep_word_bits16_probe", "keep_word_bits32_probe",
		"keep_word_bits53_probe", "keep_word_bits17_probe", "keep_word_bits33_probe", "keep_word_bits54_probe"}, probes)

	again, err := ir.Parse("probes", d.String())
	require.NoError(t, err)
	require.Equal(t, d.String(), again.String())
	d.Plain()
	require.NotContains(t, d.String(), "generic")
	require.Equal(t, d.Top.Parameters, d.Top.Fixed())
}

// deep has a part whose other parameter depends on the width.
type deep struct {
	Width int `hw:"parameter"`
}

func (p deep) Build(m *hw.Module) (out struct{}) {
	m.Out("q", p.Width).Set(hw.Inst(m, "keep", keep{p.Width, p.Width}))
	return out
}

// TestProbesKeepTheNameOfTheFamily: parameters of probes do not distinguish modules of the design.
func TestProbesKeepTheNameOfTheFamily(t *testing.T) {
	d, err := hw.Elaborate(deep{12})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	families := map[string]int{}
	for _, m := range append(d.Probes, d.Modules...) {
		families[m.Generic.Name]++
	}
	require.Equal(t, 4, families["keep"])
	require.Equal(t, 4, families["deep"])
}

// TestRecordsAreNotGeneric: a payload with fields cannot be a Verilog parameter, because its
// fields appear in port names.
func TestRecordsAreNotGeneric(t *testing.T) {
	type pair struct{ A, B hw.Bits }
	d, err := hw.Elaborate(hold[pair]{hw.Of[pair](nil), 2})
	require.NoError(t, err)
	require.Nil(t, d.Top.Generic)
}

type (
	misspelt struct {
		Width int `hw:"parametre"`
	}
	unfit struct {
		Style string `hw:"parameter"`
	}
	both struct {
		A, B int `hw:"parameter"`
	}
	saysAll struct {
		Width int `hw:"parameter"`
	}
)

func (misspelt) Build(*hw.Module) (out struct{}) { return }
func (unfit) Build(*hw.Module) (out struct{})    { return }
func (both) Build(*hw.Module) (out struct{})     { return }
func (saysAll) Build(*hw.Module) (out struct{})  { return }
func (p saysAll) ModuleName() string             { return "says_" + string(rune('a'+p.Width)) }

type keepWords2 struct{}

func (keepWords2) Build(m *hw.Module) (out struct{}) { return }

type alienWidth struct {
	Width int `hw:"parameter"`
}

func (alienWidth) Build(m *hw.Module) (out struct{}) {
	m.Extern("ALIEN")
	return
}

type clash struct{}

func (clash) Build(m *hw.Module) (out struct{}) {
	hw.Inst(m, "first", keep{4, 2})
	hw.Inst(m, "other", keep{4, 3})
	hw.Inst(m, "second", keepWords2{})
	return
}

func TestMistakesOfParameters(t *testing.T) {
	for _, c := range []struct {
		err  func() error
		want string
	}{
		{elaborated(misspelt{}), `misspelt: [param] the tag of Width is "parametre"; the only one of a parameter is "parameter"`},
		{elaborated(unfit{}), `unfit: [param] Style is a Verilog parameter, and no int or hw.Shape`},
		{elaborated(both{}), `both: [param] A and B are both a Verilog parameter; one can be`},
		{elaborated(saysAll{}), `says_a: [param] ModuleName depends on Width, which is a parameter of one Verilog module`},
		{elaborated(&keep{4, 1}), `[param] WordBits is a Verilog parameter, so the generator must be no pointer`},
		{elaborated(hold[hw.Bits]{hw.Width(4), 9}), `hold_w53_probe: [param] 9 words of 53 bits (for Of 53: it is a Verilog parameter and must allow any value)`},
		{elaborated(alienWidth{}), `alien_width: [param] Width is a Verilog parameter of a black box; give it a value with Param`},
		{elaborated(clash{}), `keep_words2: [name] two modules have this name`},
	} {
		require.ErrorContains(t, c.err(), c.want)
	}
}

func elaborated[P any](g hw.Generator[P]) func() error {
	return func() error {
		_, err := hw.Elaborate(g)
		return err
	}
}
