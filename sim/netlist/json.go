package netlist

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
)

// bit is a net of a module, or a constant. Yosys numbers nets from 2 on.
type bit int

const (
	zero bit = 0
	one  bit = 1
)

// UnmarshalJSON reads a bit as Yosys writes it; those that do not matter are 0.
func (b *bit) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"1"`:
		*b = one
		return nil
	case `"0"`, `"x"`, `"z"`:
		*b = zero
		return nil
	}
	n, err := strconv.Atoi(string(text))
	*b = bit(n)
	return err
}

// MarshalJSON writes a bit as Yosys reads it.
func (b bit) MarshalJSON() ([]byte, error) {
	if b <= one {
		return fmt.Appendf(nil, `"%d"`, int(b)), nil
	}
	return fmt.Append(nil, int(b)), nil
}

// module is a module as Yosys writes it.
type module struct {
	Ports map[string]port  `json:"ports"`
	Cells map[string]*cell `json:"cells"`
	Nets  map[string]net   `json:"netnames,omitempty"`
}

type port struct {
	Direction string `json:"direction"`
	Bits      []bit  `json:"bits"`
}

type net struct {
	Hidden int   `json:"hide_name"`
	Bits   []bit `json:"bits"`
}

type cell struct {
	name       string
	Type       string            `json:"type"`
	Parameters map[string]string `json:"parameters"`
	Directions map[string]string `json:"port_directions"`
	Pins       map[string][]bit  `json:"connections"`
}

// load reads the only module of a file.
func load(path string) (*module, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("netlist: %w", err)
	}
	var file struct {
		Modules map[string]*module `json:"modules"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("netlist: %w", err)
	}
	if len(file.Modules) != 1 {
		return nil, fmt.Errorf("netlist: %d modules, want 1", len(file.Modules))
	}
	for _, m := range file.Modules {
		for name, c := range m.Cells {
			c.name = name
		}
		return m, nil
	}
	return nil, nil
}

// number is a parameter, which Yosys writes in binary.
func (c *cell) number(name string) int {
	n, _ := strconv.ParseInt(c.Parameters[name], 2, 64)
	return int(n)
}

// sorted are the keys of a map, in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
