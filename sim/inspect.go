package sim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// State is a register element or a memory of a running design.
type State struct {
	Path  string // hierarchy below the top: lane[3].fifo.count; elements of a vector as name[i]
	Width int
	Depth int  // words of a memory; 0 for a register
	Fixed bool // a memory with contents, which it has again whenever power comes
	Pos   ir.Pos
}

// Inspector is a Simulator whose state can be read.
type Inspector interface {
	Simulator
	// State lists registers and memories in an order of the engine's own. An
	// engine may leave out what no output, memory or assertion depends on.
	State() []State
	// Read is the present value of State()[i], of the given word if it is a
	// memory; valid until the next Step.
	Read(i, word int) []uint64
}

// AssertionError is a failed assertion of a design.
type AssertionError struct {
	Cycle uint64
	Path  string // of the instance below the top; empty for the top itself
	Text  string
	Pos   ir.Pos
}

func (e *AssertionError) Error() string {
	path := e.Path
	if path == "" {
		path = "top"
	}
	text := fmt.Sprintf("%s: assertion failed in cycle %d: %s", path, e.Cycle, e.Text)
	if len(e.Pos.Frames()) == 0 { // a model by itself does not know the source
		return text
	}
	return e.Pos.String() + ": " + text
}

// FlatPorts are the ports of d, those of models of foreign Verilog last.
func FlatPorts(d *netlist.Design) []Port {
	out := make([]Port, len(d.Ports))
	for i, p := range d.Ports {
		out[i] = Port{Name: p.Sig.Name, Input: p.Sig.Kind == ir.Input, Type: p.Sig.Type}
	}
	return out
}

// PortsOf are the ports of the top module of d.
func PortsOf(d *ir.Design) []Port {
	out := make([]Port, len(d.Top.Ports))
	for i, p := range d.Top.Ports {
		out[i] = Port{Name: p.Name, Input: p.Kind == ir.Input, Type: p.Type}
	}
	return out
}
