package formal

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// bit is a net of a netlist, or a constant. Yosys numbers nets from 2 on.
type bit int

const (
	zero    bit = 0
	one     bit = 1
	unknown bit = -1
)

// UnmarshalJSON reads a bit as Yosys writes it.
func (b *bit) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"0"`:
		*b = zero
	case `"1"`:
		*b = one
	case `"x"`, `"z"`:
		*b = unknown
	default:
		n, err := strconv.Atoi(string(text))
		*b = bit(n)
		return err
	}
	return nil
}

// netlist is a flat module of gates and flip-flops, as Yosys writes it.
type netlist struct {
	Ports map[string]struct {
		Direction string
		Bits      []bit
	}
	Cells map[string]*cell
	Nets  map[string]struct {
		Hidden     int `json:"hide_name"`
		Bits       []bit
		Attributes map[string]string
	} `json:"netnames"`
}

type cell struct {
	Type       string
	Attributes map[string]string
	Pins       map[string][]bit `json:"connections"`
}

// readNetlist reads the module of a file.
func readNetlist(file, top string) (*netlist, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var design struct{ Modules map[string]*netlist }
	if err := json.Unmarshal(text, &design); err != nil {
		return nil, err
	}
	n := design.Modules[top]
	if n == nil {
		return nil, fmt.Errorf("yosys has lost module %s", top)
	}
	return n, nil
}

// sorted are the keys of a map, in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// initial are the values that nets have at first.
func (n *netlist) initial() map[bit]bool {
	out := map[bit]bool{}
	for _, net := range n.Nets {
		text := net.Attributes["init"]
		for i, b := range net.Bits {
			if k := len(text) - 1 - i; k >= 0 && strings.ContainsRune("01", rune(text[k])) {
				out[b] = text[k] == '1'
			}
		}
	}
	return out
}
