package verilog

import (
	"strconv"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// names hands out identifiers that are new in a module.
type names struct {
	taken map[string]bool
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
