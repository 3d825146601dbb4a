package syntax

import (
	"strconv"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Names hands out identifiers that are new in a module.
type Names struct{ taken map[string]bool }

// NewNames returns Names without any that are taken.
func NewNames() *Names { return &Names{map[string]bool{}} }

// Take marks a name as taken.
func (n *Names) Take(name string) { n.taken[name] = true }

// Fresh takes and returns base, or the first of base_2, base_3 and so on that is neither
// taken nor a keyword.
func (n *Names) Fresh(base string) string {
	name := base
	for i := 2; n.taken[name] || ir.Keyword(name); i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	n.Take(name)
	return name
}
