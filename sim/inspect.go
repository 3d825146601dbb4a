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
	Depth int  // number of words of a memory; 0 for a register
	Fixed bool // a memory with initial contents, restored at every power-up
	Pos   ir.Pos
}

// Inspector is a Simulator with readable state.
type Inspector interface {
	Simulator
	// State lists registers and memories in an engine-specific order. An engine may omit state that
	// no output, memory or assertion depends on.
	State() []State
	// Read returns the current value of State()[i], or of the given word if it is a memory. The
	// result is valid until the next Step.
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
	if len(e.Pos.Frames()) == 0 { // a generated model contains no source positions
		return text
	}
	return e.Pos.String() + ": " + text
}

// FlatPorts returns the ports of d, with the ports of external-module models at the end.
func FlatPorts(d *netlist.Design) []Port {
	out := make([]Port, len(d.Ports))
	for i, p := range d.Ports {
		out[i] = Port{Name: p.Sig.Name, Input: p.Sig.Kind == ir.Input, Type: p.Sig.Type}
	}
	return out
}

// PortsOf returns the ports of the top module of d.
func PortsOf(d *ir.Design) []Port {
	out := make([]Port, len(d.Top.Ports))
	for i, p := range d.Top.Ports {
		out[i] = Port{Name: p.Name, Input: p.Kind == ir.Input, Type: p.Type}
	}
	return out
}
