package plan

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// name sets the Go name of each port.
func (p *Plan) name() { p.Names = PortNames(p.D) }

// PortNames returns the Go names of the ports of a design.
func PortNames(d *netlist.Design) (names []string) {
	for _, port := range d.Ports {
		name := ""
		for _, s := range strings.Split(port.Sig.Name, "_") {
			if s != "" {
				name += strings.ToUpper(s[:1]) + s[1:]
			}
		}
		for slices.Contains(names, name) {
			name += "_"
		}
		names = append(names, name)
	}
	return names
}
