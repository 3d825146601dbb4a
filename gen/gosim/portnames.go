package gosim

import (
	"slices"
	"strings"
)

// name finds a Go name for each port.
func (p *plan) name() {
	for _, port := range p.d.Ports {
		name := ""
		for _, s := range strings.Split(port.Sig.Name, "_") {
			if s != "" {
				name += strings.ToUpper(s[:1]) + s[1:]
			}
		}
		for slices.Contains(p.names, name) {
			name += "_"
		}
		p.names = append(p.names, name)
	}
}
