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
