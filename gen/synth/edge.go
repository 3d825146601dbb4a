package synth

import (
	"maps"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// all are the cells of m.
func (m *mapped) all() map[string]bool {
	out := map[string]bool{}
	for name := range m.Cells {
		out[name] = true
	}
	return out
}

// edge are the cells of m that paths through its ports meet, up to a register or memory, and
// those that load them: what an analysis of that around m needs of it.
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

// driven are those of some cells that have inputs: all but constants.
func (m *mapped) driven(cells map[string]bool) map[string]bool {
	out := map[string]bool{}
	for name := range cells {
		if len(m.inputs(m.Cells[name])) > 0 {
			out[name] = true
		}
	}
	return out
}

// reach are the cells that are met from nets on; through those without a state it goes on to
// other nets.
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

// keeps tells whether a cell is a register or memory; a block inside is neither, as paths may
// go through it.
func (m *mapped) keeps(c *eda.Cell) bool {
	if l, ok := m.lib.cells[c.Type]; ok {
		return l.sequential
	}
	return m.inside[c.Type] == nil
}
