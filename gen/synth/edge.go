package synth

import (
	"maps"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// all returns all cells of m.
func (m *mapped) all() map[string]bool {
	out := map[string]bool{}
	for name := range m.Cells {
		out[name] = true
	}
	return out
}

// edge returns the boundary cells of m: the cells on paths through its ports, up to a register or
// memory, and the cells that load them. An analysis of the block around m needs only these.
func (m *mapped) edge() map[string]bool {
	drivers, sinks := map[eda.Bit][]string{}, map[eda.Bit][]string{}
	for _, name := range m.names {
		c := m.Cells[name]
		for _, b := range m.outputs(c) {
			drivers[b] = append(drivers[b], name)
		}
		for _, b := range m.inputs(c) {
			sinks[b] = append(sinks[b], name)
		}
	}
	var in, out []eda.Bit
	for name, p := range m.Ports {
		switch {
		case p.Direction == "output":
			out = append(out, p.Bits...)
		case !m.clocks[name]:
			in = append(in, p.Bits...)
		}
	}
	cells := m.reach(in, sinks, m.outputs)
	maps.Copy(cells, m.reach(out, drivers, m.inputs))
	loads := map[string]bool{}
	for name := range cells {
		for _, b := range m.outputs(m.Cells[name]) {
			for _, load := range sinks[b] {
				loads[load] = true
			}
		}
	}
	maps.Copy(cells, loads)
	return cells
}

// driven returns the given cells that have inputs: all but constants.
func (m *mapped) driven(cells map[string]bool) map[string]bool {
	out := map[string]bool{}
	for name := range cells {
		if len(m.inputs(m.Cells[name])) > 0 {
			out[name] = true
		}
	}
	return out
}

// reach returns the cells that are reachable from nets. Cells without state are traversed.
func (m *mapped) reach(from []eda.Bit, at map[eda.Bit][]string, on func(*eda.Cell) []eda.Bit) map[string]bool {
	cells, seen := map[string]bool{}, map[eda.Bit]bool{}
	for len(from) > 0 {
		b := from[len(from)-1]
		from = from[:len(from)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		for _, name := range at[b] {
			cells[name] = true
			if c := m.Cells[name]; !m.keeps(c) {
				from = append(from, on(c)...)
			}
		}
	}
	return cells
}

// keeps reports whether a cell is a register or memory. An inner block is neither, because paths
// may pass through it.
func (m *mapped) keeps(c *eda.Cell) bool {
	if l, ok := m.lib.cells[c.Type]; ok {
		return l.sequential
	}
	return m.inside[c.Type] == nil
}
