package fromverilog

import (
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/fromverilog/cells"
)

func latch(c *eda.Cell) bool {
	return strings.HasPrefix(c.Type, "$dlatch") || strings.HasPrefix(c.Type, "$adlatch")
}

// latches refuses latches whose value is used. Others stem from variables that a procedure leaves
// unassigned on some path, and does not read there. Nets that depend on them get no names.
func (x *module) latches() {
	readers := map[eda.Bit][]*eda.Cell{}
	outputs := map[eda.Bit]bool{}
	for _, c := range x.m.Cells {
		for pin, bits := range c.Pins {
			for _, b := range bits {
				if c.Directions[pin] == "input" {
					readers[b] = append(readers[b], c)
				}
			}
		}
	}
	for _, p := range x.m.Ports {
		for _, b := range p.Bits {
			outputs[b] = p.Direction == "output"
		}
	}
	for _, c := range x.cells() {
		if latch(c) && x.reaches(c, readers, outputs) {
			cells.Fail(c, "a latch; assign the signal on every path")
		}
	}
}

// reaches reports whether outputs of the module, state or instances depend on a latch, and records
// the nets that do.
func (x *module) reaches(c *eda.Cell, readers map[eda.Bit][]*eda.Cell, outputs map[eda.Bit]bool) bool {
	seen := map[*eda.Cell]bool{c: true}
	for todo := []*eda.Cell{c}; len(todo) > 0; todo = todo[1:] {
		for pin, bits := range todo[0].Pins {
			if todo[0].Directions[pin] != "output" {
				continue
			}
			for _, b := range bits {
				if outputs[b] {
					return true
				}
				x.latched[b] = true
				for _, r := range readers[b] {
					if flipFlop(r) || r.Type == "$mem_v2" || x.im.modules[r.Type] != nil {
						return true
					}
					if !seen[r] {
						seen[r] = true
						todo = append(todo, r)
					}
				}
			}
		}
	}
	return false
}
