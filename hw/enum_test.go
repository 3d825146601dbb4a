package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/enum"
	"github.com/hotline-rtl/hotline/hw/ir"
)

type colour uint8

const (
	red   colour = 1
	green colour = 2
	blue  colour = 4
)

var colours = enum.New("colour", map[colour]string{red: "red", green: "green", blue: "dark_blue"}, enum.Width(4), enum.Hex)

func (colour) Enum() enum.Set { return colours }

// painter uses named values.
type painter struct{}

func (painter) Build(m *hw.Module) (io struct{ Mix, Is, Full hw.Bits }) {
	io.Mix, io.Is, io.Full = m.In("mix", 4), m.Out("is", 1), m.Out("full", 1)
	mix := hw.EnumOf[colour](io.Mix).As("mixed")
	last := hw.EnumOf[colour](m.Reg("last", 4, 1))
	m.When(mix.Is(red, blue), func() { last.Set(hw.Value(m, green)) }).Else(func() { last.Set(mix) })
	io.Is.Set(last.Is(blue).And(mix.Eq(last).Not()))
	count := m.Reg("count", 7, 0)
	m.When(count.Eq(hw.Named("window", 64)), func() { count.Set(hw.Hex(7, 10)) }).Else(func() { count.Set(count.Inc()) })
	io.Full.Set(count.Ext(8).Eq(hw.Named("window", 64)).Or(count.Eq(hw.NamedHex("end", 80))))
	return io
}

func TestNamesOfNumbers(t *testing.T) {
	d, err := hw.Elaborate(painter{})
	require.NoError(t, err)
	require.Equal(t, []*ir.Enum{{Name: "colour", Width: 4, Hex: true, Values: []ir.EnumValue{{Value: 1, Name: "red"}, {Value: 2, Name: "green"}, {Value: 4, Name: "dark_blue"}}}}, d.Top.Enums)
	text := d.String()
	for _, line := range []string{
		"when or(eq(mixed, 4'h1\"COLOUR_RED\"), eq(mixed, 4'h4\"COLOUR_DARK_BLUE\")) {",
		"last = 4'h2\"COLOUR_GREEN\"",
		"when eq(count, 7'd64\"WINDOW\") {",
		"count = 7'ha",
		"full = or(eq(zext:8(count), 8'd64\"WINDOW\"), eq(count, 7'h50\"END\"))",
	} {
		require.Contains(t, text, line)
	}
	require.NoError(t, ir.Verify(d))
	again, err := ir.Parse("painter.ir", text)
	require.NoError(t, err)
	require.Equal(t, text, again.String())
}

type shade uint8

func (shade) Enum() enum.Set { return shades }

var shades = enum.Sequence[shade]("colour", "light", "dark")

func TestMistakesWithNames(t *testing.T) {
	run(t, []mistake{
		{"no such value", func(m *hw.Module) {
			x := hw.EnumOf[colour](m.Reg("x", 4, 0))
			x.Put(3)                                         // enb
			m.Out("q", 1).Set(x.Is(5))                       // enc
			m.Out("r", 4).Set(hw.Value[colour](m, 6).Bits()) // enj
		}, []string{
			"{enb} < {build}: bad: [enum] 3 is not a value of colour; expected one of red, green, dark_blue",
			"{enc} < {build}: bad: [enum] 5 is not a value of colour; expected one of red, green, dark_blue",
			"{enj} < {build}: bad: [enum] 6 is not a value of colour; expected one of red, green, dark_blue",
		}},
		{"other width", func(m *hw.Module) {
			hw.EnumOf[colour](m.In("x", 3)) // end
		}, []string{"{end} < {build}: bad: [width] the value of colour has 3 bits, expected 4; use Ext, SExt or Trunc"}},
		{"no values", func(m *hw.Module) {
			hw.EnumOf[colour](m.In("x", 4)).Is() // ene
		}, []string{"{ene} < {build}: bad: [enum] a comparison without values; expected at least one"}},
		{"one name for two", func(m *hw.Module) {
			x, y := hw.EnumOf[colour](m.In("x", 4)), hw.EnumOf[shade](m.In("y", 1))
			m.Out("q", 1).Set(x.Is(red))
			m.Out("r", 1).Set(y.Is(0)) // enf
		}, []string{"{enf} < {build}: bad: [name] two enums are called colour in this module: of red, green, dark_blue, and of light, dark"}},
		{"one name for two numbers", func(m *hw.Module) {
			x := m.In("x", 8)
			m.Out("q", 1).Set(x.Eq(hw.Named("window", 4))) // eng
			m.Out("r", 1).Set(x.Eq(hw.Named("window", 5))) // enh
		}, []string{"{enh} < {build}: bad: [name] constant WINDOW is 5 here and 4 at {eng} < {build}"}},
		{"nothing to set", func(m *hw.Module) {
			hw.EnumOf[colour](hw.Lit(4, 1)).Put(red) // eni
		}, []string{"{eni} < {build}: bad: [direction] only a signal, an element of a vector or bits of these can be set"}},
	})
}
