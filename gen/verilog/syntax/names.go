package syntax

import (
	"strconv"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Names hands out identifiers that are new in a module.
type Names struct {
	Taken map[string]bool
}

// Fresh is base, or base_2, base_3 and so on.
func (n *Names) Fresh(base string) string {
	name := base
	for i := 2; n.Taken[name] || ir.Keyword(name); i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	n.Taken[name] = true
	return name
}
