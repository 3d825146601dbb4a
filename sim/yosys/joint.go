package yosys

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// joint is a module that contains combinational logic of a netlist: registers become inputs.
type joint struct {
	drivers map[eda.Bit]*eda.Cell // of the nets of the netlist
	cells   map[string]*eda.Cell
	leaves  map[eda.Bit]bool
	next    eda.Bit // first free net
}

// newJoint returns an empty joint for a netlist.
func newJoint(m *eda.Module) *joint {
	j := &joint{drivers: map[eda.Bit]*eda.Cell{}, cells: map[string]*eda.Cell{}, leaves: map[eda.Bit]bool{}, next: m.Last() + 1}
	for _, c := range m.Cells {
		for pin, bits := range c.Pins {
			if c.Directions[pin] == "output" {
				for _, b := range bits {
					j.drivers[b] = c
				}
			}
		}
	}
	return j
}

// need adds the cell that drives net b and all cells that it depends on.
func (j *joint) need(b eda.Bit) {
	if b <= eda.One || j.leaves[b] {
		return
	}
	c := j.drivers[b]
	if c == nil || keeps(c) {
		j.leaves[b] = true
		return
	}
	if j.cells[c.Name] != nil {
		return
	}
	j.cells[c.Name] = c
	for pin, bits := range c.Pins {
		if c.Directions[pin] != "output" {
			for _, b := range bits {
				j.need(b)
			}
		}
	}
}

// or adds the bitwise OR of two words and returns it.
func (j *joint) or(a, b []eda.Bit) []eda.Bit {
	width := fmt.Sprintf("%032b", len(a))
	y := j.fresh(len(a))
	j.cells[fmt.Sprintf("added_%d", y[0])] = &eda.Cell{Type: "$or", Pins: map[string][]eda.Bit{"A": a, "B": b, "Y": y},
		Parameters: map[string]string{"A_SIGNED": "0", "B_SIGNED": "0", "A_WIDTH": width, "B_WIDTH": width, "Y_WIDTH": width},
		Directions: map[string]string{"A": "input", "B": "input", "Y": "output"}}
	return y
}

// fresh returns n unused nets.
func (j *joint) fresh(n int) []eda.Bit {
	out := make([]eda.Bit, n)
	for i := range out {
		out[i] = j.next
		j.next++
	}
	return out
}

// keeps reports whether a cell has state.
func keeps(c *eda.Cell) bool { return c.Type == "$dff" || c.Type == "$_DFF_P_" || c.Type == "$mem_v2" }
