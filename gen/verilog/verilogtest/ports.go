package verilogtest

import (
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Unexplained returns the ports of modules that have no comment in the Verilog: neither their own,
// nor the comment of the group that they belong to.
func Unexplained(modules ...*ir.Module) (list []string) {
	for _, m := range modules {
		for _, p := range m.Ports {
			if p.Doc == "" && !strings.Contains(p.Group, ": ") {
				list = append(list, m.Name+"."+p.Name)
			}
		}
		for _, p := range m.Pads {
			if p.Doc == "" {
				list = append(list, m.Name+"."+p.Name)
			}
		}
	}
	return list
}
