package formal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// toggles has a bit for each of two clocks. The bit toggles while its input is 1, and has a reset.
type toggles struct {
	reset    eda.Bit // reset value of the second bit
	inverted bool    // the second bit is stored inverted
	unreset  bool    // the second bit has no reset
}

func (x toggles) netlist() *eda.Module {
	m := &eda.Module{Ports: map[string]eda.Port{}, Cells: map[string]*eda.Cell{}}
	next := eda.One
	port := func(name, direction string) eda.Bit {
		next++
		m.Ports[name] = eda.Port{Direction: direction, Bits: []eda.Bit{next}}
		return next
	}
	cell := func(name, kind, out string, width string, pins map[string]eda.Bit, y eda.Bit) {
		c := &eda.Cell{Name: name, Type: kind, Parameters: map[string]string{width: "1"}, Directions: map[string]string{out: "output"}, Pins: map[string][]eda.Bit{out: {y}}}
		for pin, b := range pins {
			c.Directions[pin], c.Pins[pin] = "input", []eda.Bit{b}
			if kind != "$mux" && kind != "$dff" {
				c.Parameters[pin+"_WIDTH"], c.Parameters[pin+"_SIGNED"] = "1", "0"
			}
		}
		if kind == "$dff" {
			c.Parameters["CLK_POLARITY"] = "1"
		}
		m.Cells[name] = c
	}
	for i, name := range []string{"p", "q"} {
		clock, reset, in, out := port(name+"_clk", "input"), port(name+"_rst", "input"), port(name+"_in", "input"), port(name+"_out", "output")
		state, toggled, after := next+1, next+2, next+3
		next += 3
		value := eda.Zero
		if i == 1 {
			value = x.reset
		}
		cell(name+"_toggled", "$xor", "Y", "Y_WIDTH", map[string]eda.Bit{"A": state, "B": in}, toggled)
		if i == 1 && x.unreset {
			after = toggled
		} else {
			cell(name+"_after", "$mux", "Y", "WIDTH", map[string]eda.Bit{"A": toggled, "B": value, "S": reset}, after)
		}
		cell(name, "$dff", "Q", "WIDTH", map[string]eda.Bit{"CLK": clock, "D": after}, state)
		kind := "$pos"
		if i == 1 && x.inverted {
			kind = "$not"
		}
		cell(name+"_shown", kind, "Y", "Y_WIDTH", map[string]eda.Bit{"A": state}, out)
	}
	return m
}

// TestEqual: netlists with different encodings of the same states are equal. Netlists with
// different behaviour at a reset are not, regardless of the step.
func TestEqual(t *testing.T) {
	tools.Need(t, "yosys")
	top := &ir.Module{Name: "toggles"}
	for _, name := range []string{"p", "q"} {
		signal := func(suffix string) *ir.Signal {
			return &ir.Signal{Name: name + suffix, Kind: ir.Input, Type: ir.Type{Width: 1}}
		}
		top.Domains = append(top.Domains, &ir.Domain{Clock: signal("_clk"), Reset: signal("_rst")})
	}
	gold := toggles{}.netlist()
	for other, want := range map[toggles]bool{
		{}:                               true,
		{reset: eda.One, inverted: true}: true,
		{reset: eda.One}:                 false,
		{inverted: true}:                 false,
		{unreset: true}:                  false,
	} {
		same, err := formal.Equal(gold, other.netlist(), top, nil)
		require.NoError(t, err)
		require.Equal(t, want, same, "%+v", other)
	}
	q := gold.Ports["q_out"].Bits[0]
	same, err := formal.Equal(gold, toggles{reset: eda.One}.netlist(), top, map[eda.Bit]eda.Bit{q: eda.Zero})
	require.NoError(t, err)
	require.True(t, same, "an output that never counts")
}
