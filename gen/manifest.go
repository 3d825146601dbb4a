package gen

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Manifest describes the generated files to programs.
type Manifest struct {
	Top        string   `json:"top"`
	List       string   `json:"list"` // the file list
	Parameters any      `json:"parameters,omitempty"`
	Modules    []Module `json:"modules"` // callees first
	Sources    []Source `json:"sources,omitempty"`
	Memories   []Memory `json:"memories"`
}

// Module is a generated module.
type Module struct {
	Name       string `json:"name"`
	File       string `json:"file"`
	SHA256     string `json:"sha256"` // of the file, in hexadecimal
	Doc        string `json:"doc,omitempty"`
	Parameters string `json:"parameters,omitempty"` // as Go prints them
	Instances  int    `json:"instances"`            // in the whole design
	Ports      []Port `json:"ports"`
}

// Source is a file of foreign Verilog.
type Source struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"` // in hexadecimal
}

// Port is a port of a module.
type Port struct {
	Name      string `json:"name"`
	Direction string `json:"direction"` // input, output or inout
	Width     int    `json:"width"`     // bits in all
	Elements  int    `json:"elements,omitempty"`
}

// Memory is a memory of a module, for replacement by a macro.
type Memory struct {
	Module    string `json:"module"`
	Name      string `json:"name"`
	Depth     int    `json:"depth"` // words
	Width     int    `json:"width"` // bits
	Style     string `json:"style,omitempty"`
	Instances int    `json:"instances"` // in the whole design
}

// newManifest describes d and its files, one for each module and those of foreign
// Verilog.
func newManifest(d *ir.Design, sources []verilog.File, opt Options) Manifest {
	m := Manifest{Top: d.Top.Name, List: opt.List, Parameters: opt.Parameters, Modules: []Module{}, Memories: []Memory{}}
	count := instances(d)
	for _, s := range sources {
		sum := sha256.Sum256([]byte(s.Text))
		hash := hex.EncodeToString(sum[:])
		mod := s.Module
		if mod == nil {
			m.Sources = append(m.Sources, Source{s.Name, hash})
			continue
		}
		m.Modules = append(m.Modules, Module{
			Name: mod.Name, File: s.Name, SHA256: hash,
			Doc: mod.Doc, Parameters: mod.Params, Instances: count[mod], Ports: ports(mod),
		})
		for _, mem := range s.Memories {
			m.Memories = append(m.Memories, Memory{
				Module: mod.Name, Name: mem.Name, Depth: mem.Depth, Width: mem.Width, Style: mem.Style,
				Instances: count[mod] * copies(mem.Scope),
			})
		}
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

// instances counts how often each module occurs in the design.
func instances(d *ir.Design) map[*ir.Module]int {
	count := map[*ir.Module]int{d.Top: 1}
	for i := len(d.Modules) - 1; i >= 0; i-- { // callers first
		mod := d.Modules[i]
		mod.Body.Walk(func(s *ir.Scope) {
			for _, in := range s.Insts {
				count[in.Of] += count[mod] * copies(s)
			}
		})
	}
	return count
}

// copies is how often s exists in its module.
func copies(s *ir.Scope) int {
	n := 1
	for ; s.Loop != nil; s = s.Parent {
		n *= s.Loop.N
	}
	return n
}
