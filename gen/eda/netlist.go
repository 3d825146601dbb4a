package eda

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Bit is a net of a module, or a constant. Yosys numbers nets from 2 on.
type Bit int

// The constants.
const (
	Unknown Bit = -1
	Zero    Bit = 0
	One     Bit = 1
)

// UnmarshalJSON reads a bit in the format of Yosys.
func (b *Bit) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"0"`:
		*b = Zero
	case `"1"`:
		*b = One
	case `"x"`, `"z"`:
		*b = Unknown
	default:
		n, err := strconv.Atoi(string(text))
		*b = Bit(n)
		return err
	}
	return nil
}

// MarshalJSON writes a bit in the format of Yosys.
func (b Bit) MarshalJSON() ([]byte, error) {
	switch {
	case b == Unknown:
		return []byte(`"x"`), nil
	case b <= One:
		return fmt.Appendf(nil, `"%d"`, int(b)), nil
	}
	return fmt.Append(nil, int(b)), nil
}

// Netlist is a file of modules.
type Netlist struct {
	Modules map[string]*Module `json:"modules"`
}

// Module is a module of a netlist.
type Module struct {
	Attributes map[string]string `json:"attributes,omitempty"`
	Ports      map[string]Port   `json:"ports,omitempty"`
	Cells      map[string]*Cell  `json:"cells,omitempty"`
	Nets       map[string]Net    `json:"netnames,omitempty"`
}

// Port is a port of a module, lowest bit first.
type Port struct {
	Direction string `json:"direction"`
	Bits      []Bit  `json:"bits"`
}

// Cell is an operation, a gate, a register, a memory or an instance.
type Cell struct {
	Name       string            `json:"-"` // its key in the module
	Type       string            `json:"type"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Attributes map[string]string `json:"attributes,omitempty"`
	Directions map[string]string `json:"port_directions,omitempty"`
	Pins       map[string][]Bit  `json:"connections"`
}

// Net is a name for some nets, lowest bit first.
type Net struct {
	Hidden     int               `json:"hide_name"`
	Bits       []Bit             `json:"bits"`
	Attributes map[string]string `json:"attributes,omitempty"`
}

// Read reads a netlist from a file.
func Read(file string) (*Netlist, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	n := &Netlist{}
	if err := json.Unmarshal(text, n); err != nil {
		return nil, fmt.Errorf("%s of Yosys: %w", file, err)
	}
	for _, m := range n.Modules {
		for name, c := range m.Cells {
			c.Name = name
		}
	}
	return n, nil
}

// ReadModule reads one module of a file.
func ReadModule(file, name string) (*Module, error) {
	n, err := Read(file)
	if err != nil {
		return nil, err
	}
	if m := n.Modules[name]; m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("module %s is missing in the output of Yosys", name)
}

// Write writes the netlist to a file that Yosys can read.
func (n *Netlist) Write(file string) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return outfile.Scratch(file, text)
}

// Ground replaces all bits without a value by 0.
func (m *Module) Ground() {
	ground := func(bits []Bit) {
		for i, b := range bits {
			bits[i] = max(b, Zero)
		}
	}
	for _, p := range m.Ports {
		ground(p.Bits)
	}
	for _, n := range m.Nets {
		ground(n.Bits)
	}
	for _, c := range m.Cells {
		for _, bits := range c.Pins {
			ground(bits)
		}
	}
}

// Last returns the highest net number.
func (m *Module) Last() Bit {
	top := One
	for _, p := range m.Ports {
		top = max(top, slices.Max(append(p.Bits, One)))
	}
	for _, n := range m.Nets {
		top = max(top, slices.Max(append(n.Bits, One)))
	}
	for _, c := range m.Cells {
		for _, bits := range c.Pins {
			top = max(top, slices.Max(append(bits, One)))
		}
	}
	return top
}

// Number returns the value of a parameter, which Yosys writes in binary.
func (c *Cell) Number(name string) int {
	n, _ := strconv.ParseInt(c.Parameters[name], 2, 64)
	return int(n)
}

// Sorted returns the keys of a map in order. Processing names in this order makes results
// reproducible.
func Sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
