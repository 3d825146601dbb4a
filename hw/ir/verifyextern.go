package ir

import (
	"regexp"
	"slices"
)

var foreignName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// extern checks the description of an external module.
func (v *verifier) extern() {
	m := v.mod
	x := m.Extern
	if !foreignName.MatchString(x.Module) || Keyword(x.Module) {
		v.errorf(m.Pos, "%q is not a name of a Verilog module", x.Module)
	}
	seen := map[string]bool{}
	for _, p := range x.Params {
		if !foreignName.MatchString(p.Name) || Keyword(p.Name) || seen[p.Name] {
			v.errorf(m.Pos, "%q is not a name of a parameter, or is given twice", p.Name)
		}
		seen[p.Name] = true
	}
	for _, s := range x.Sources {
		if s.Name == "" || s.Text == "" {
			v.errorf(m.Pos, "source %q has no name or no text", s.Name)
		}
		if before, ok := v.sources[s.Name]; ok && before != s.Text {
			v.errorf(m.Pos, "two texts of source %q", s.Name)
		}
		v.sources[s.Name] = s.Text
	}
	if len(m.Body.Insts)+len(m.Body.Mems)+len(m.Body.Fors) > 0 {
		v.errorf(m.Pos, "a black box with instances, memories or loops")
	}
	v.foreign[x.Module] = true
}

// pads checks that each pad of the module is connected to exactly one instance.
func (v *verifier) pads() {
	m := v.mod
	inside := map[*Pad]int{}
	m.Body.Walk(func(s *Scope) {
		for _, in := range s.Insts {
			if len(in.Pads) != len(in.Of.Pads) || len(in.Pads) > 0 && s.Loop != nil {
				v.errorf(in.Pos, "instance %q connects %d pads of %d, or is in a loop", in.Name, len(in.Pads), len(in.Of.Pads))
				continue
			}
			for i, p := range in.Pads {
				if !slices.Contains(m.Pads, p) || p.Width != in.Of.Pads[i].Width {
					v.errorf(in.Pos, "pad %q of instance %q is connected to no pad of its width", in.Of.Pads[i].Name, in.Name)
				}
				inside[p]++
			}
		}
	})
	for _, p := range m.Pads {
		v.name("pad", p.Name, p.Pos)
		if p.Width < 1 || p.Width > MaxWidth {
			v.errorf(p.Pos, "pad %q has %d bits", p.Name, p.Width)
		}
		if m.Extern == nil && inside[p] != 1 {
			v.errorf(p.Pos, "pad %q leads to %d instances", p.Name, inside[p])
		}
	}
}
