package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// planned returns a line for each item of the top of a design.
func planned(t *testing.T, text string) (*plan.Module, []string) {
	d, err := ir.Parse("planned", text)
	require.NoError(t, err)
	paths := map[*ir.Module]plan.Paths{}
	var m *plan.Module
	for _, x := range d.Modules {
		m = plan.New(x, paths, false)
		paths[x] = m.CombPaths()
	}
	var out []string
	m.Body.Walk(func(s *plan.Scope) {
		for _, it := range s.Items {
			line := map[plan.Kind]string{plan.Assign: "assign", plan.Block: "block", plan.Mux: "mux", plan.Clocked: "clocked", plan.Comb: "comb",
				plan.Instance: "instance", plan.Loop: "loop", plan.Formal: "formal"}[it.Kind]
			for _, l := range it.Drives {
				line += " " + l.Sig.Name
			}
			out = append(out, line)
		}
	})
	return m, out
}

// TestGroups checks the groups of wires that share a condition and depend on each other, an unread
// wire, registers without conditions, and an operator that needs a loop.
func TestGroups(t *testing.T) {
	_, items := planned(t, `module groups clock {
  input a : 4
  input c : 1
  reg first : 4
  reg second : 4
  wire low : 4
  wire high : 4
  wire later : 4
  wire dead : 4
  output q : 4
  output at : 2
  dead = not(a)
  low = 4'd1
  high = 4'd2
  later = 4'd3
  when c {
    low = a
    high = not(a)
    later = add(low, high)
  }
  first = add(low, later)
  second = add(first, high)
  q = second
  at = encode(a)
}
`)
	require.Equal(t, []string{"comb low high", "comb later", "clocked first second", "assign q", "block at"}, items)
}

// TestPlaces checks that an instance and a loop precede their readers, and that a pin is connected
// without a wire.
func TestPlaces(t *testing.T) {
	m, items := planned(t, `module inverter {
  input a : 4
  output y : 4
  y = not(a)
}

module places {
  input a : 4
  output q : 4
  output r : 2x4
  inst inverter : inverter
  pin inverter_a : 4 -> inverter.a
  pin inverter_y : 4 <- inverter.y
  wire each : 2x4
  q = add(inverter_y, each[0])
  inverter_a = a
  for lane 2 {
    each[lane] = xor(a, loop:4(lane))
  }
  r = each
}
`)
	require.Equal(t, []string{"instance", "loop", "assign q", "assign r", "assign each"}, items)
	var pins []string
	for pin, e := range m.InputPins {
		pins = append(pins, fmt.Sprint(pin.Name, " ", e.Sig.Name))
	}
	require.Equal(t, "inverter_a a", strings.Join(pins, ", "))
}
