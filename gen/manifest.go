package gen

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Manifest describes the generated files to programs.
type Manifest struct {
	Top         string   `json:"top"`
	List        string   `json:"list"`                  // the file list
	Core        string   `json:"core"`                  // for FuseSoC
	Constraints string   `json:"constraints,omitempty"` // in SDC
	Parameters  any      `json:"parameters,omitempty"`
	Modules     []Module `json:"modules"` // callees first
	Sources     []Source `json:"sources,omitempty"`
	Memories    []Memory `json:"memories"`
}

// Module is a generated module.
type Module struct {
	Name       string            `json:"name"`
	File       string            `json:"file"`
	SHA256     string            `json:"sha256"` // of the file, in hexadecimal
	Doc        string            `json:"doc,omitempty"`
	Parameters map[string]string `json:"parameters,omitempty"` // those that are not of the Verilog module
	Instances  int               `json:"instances"`            // in the whole design
	Ports      []Port            `json:"ports"`
	// Parameter is the parameter of the Verilog module, nil if it has none. Ports and memories are
	// listed for its default value.
	Parameter *Parameter `json:"parameter,omitempty"`
}

// Parameter is a parameter of a Verilog module.
type Parameter struct {
	Name    string  `json:"name"`
	Default int     `json:"default"`
	Values  []Value `json:"values"` // values that the design uses
}

// Value is a value of a parameter.
type Value struct {
	Value     int `json:"value"`
	Instances int `json:"instances"` // in the whole design
}

// Source is a file of external Verilog.
type Source struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"` // in hexadecimal
}

// Port is a port of a module.
type Port struct {
	Name      string `json:"name"`
	Direction string `json:"direction"` // input, output or inout
	Width     int    `json:"width"`     // total number of bits
	Elements  int    `json:"elements,omitempty"`
}

// Memory is a memory of a module, which a macro may replace.
type Memory struct {
	Module    string `json:"module"`
	Name      string `json:"name"`
	Depth     int    `json:"depth"` // words
	Width     int    `json:"width"` // bits
	Style     string `json:"style,omitempty"`
	Instances int    `json:"instances"` // in the whole design
}

// newManifest describes d and its files: one per module, and the files of external Verilog.
func newManifest(d *ir.Design, sources []verilog.File, opt Options) Manifest {
	m := Manifest{Top: verilog.Top(d, sources), List: opt.List, Core: opt.name(".core"), Parameters: opt.Parameters, Modules: []Module{}, Memories: []Memory{}}
	count := instances(d)
	for _, s := range sources {
		if len(s.Modules) == 0 {
			sum := sha256.Sum256([]byte(s.Text))
			m.Sources = append(m.Sources, Source{s.Name, hex.EncodeToString(sum[:])})
			continue
		}
		mod := newModule(s, count)
		m.Modules = append(m.Modules, mod)
		for _, mem := range s.Memories {
			m.Memories = append(m.Memories, Memory{
				Module: mod.Name, Name: mem.Name, Depth: mem.Depth, Width: mem.Width, Style: mem.Style,
				Instances: mod.Instances * mem.Scope.Copies(),
			})
		}
	}
	return m
}

// newModule describes the module of a file.
func newModule(s verilog.File, count map[*ir.Module]int) Module {
	first := s.Modules[0]
	sum := sha256.Sum256([]byte(s.Text))
	m := Module{Name: strings.TrimSuffix(s.Name, ".v"), File: s.Name, SHA256: hex.EncodeToString(sum[:]),
		Doc: first.Doc, Parameters: map[string]string{}, Instances: count[first], Ports: ports(first)}
	list := first.Parameters
	if s.Generic != nil {
		list = first.Fixed()
	}
	for _, p := range list {
		m.Parameters[p.Name] = p.Value
	}
	if s.Generic == nil {
		return m
	}
	m.Instances = 0
	m.Parameter = &Parameter{Name: s.Generic.Param, Default: s.Generic.Value}
	for _, mod := range s.Modules {
		m.Parameter.Values = append(m.Parameter.Values, Value{mod.Generic.Value, count[mod]})
		m.Instances += count[mod]
	}
	return m
}

func ports(mod *ir.Module) []Port {
	out := []Port{}
	if mod.Clock {
		out = append(out, Port{Name: mod.Own.ClockName(), Direction: "input", Width: 1})
	}
	if mod.Reset {
		out = append(out, Port{Name: mod.Own.ResetName(), Direction: "input", Width: 1})
	}
	for _, p := range mod.Ports {
		out = append(out, Port{Name: p.Name, Direction: p.Kind.String(), Width: p.Type.Bits(), Elements: p.Type.Len})
	}
	for _, p := range mod.Pads {
		out = append(out, Port{Name: p.Name, Direction: "inout", Width: p.Width})
	}
	return out
}

// instances returns how often each module occurs in the design.
func instances(d *ir.Design) map[*ir.Module]int {
	count := map[*ir.Module]int{d.Top: 1}
	for i := len(d.Modules) - 1; i >= 0; i-- { // callers first
		mod := d.Modules[i]
		mod.Body.Walk(func(s *ir.Scope) {
			for _, in := range s.Insts {
				count[in.Of] += count[mod] * s.Copies()
			}
		})
	}
	return count
}
