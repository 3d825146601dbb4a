package verilog

import (
	"strconv"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// names hands out identifiers that are new in a module.
type names struct {
	taken   map[string]bool
	genvars []string // by nesting depth
}

func newNames(m *ir.Module) *names {
	n := &names{taken: map[string]bool{m.Name: true, m.Own.ClockName(): true, m.Own.ResetName(): true}}
	if m.Generic != nil {
		n.taken[m.Generic.Name], n.taken[m.Generic.Param] = true, true
	}
	for _, p := range m.Pads {
		n.taken[p.Name] = true
	}
	m.Body.Walk(func(s *ir.Scope) {
		for _, g := range s.Signals {
			n.taken[g.Name] = true
		}
		for _, g := range s.Mems {
			n.taken[g.Name] = true
		}
		for _, g := range s.Insts {
			n.taken[g.Name] = true
		}
		for _, g := range s.Fors {
			n.taken[g.Name] = true
		}
	})
	return n
}

// fresh is base, or base_2, base_3 and so on.
func (n *names) fresh(base string) string {
	name := base
	for i := 2; n.taken[name] || ir.Keyword(name); i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	n.taken[name] = true
	return name
}

// genvar is the variable of generate loops at a nesting depth. Loops side by
// side share it.
func (n *names) genvar(depth int) string {
	for len(n.genvars) <= depth {
		n.genvars = append(n.genvars, n.fresh(string(rune('i'+len(n.genvars)))))
	}
	return n.genvars[depth]
}
