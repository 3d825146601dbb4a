package gosim

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// ports prints the port structures and the code that connects them to the state.
func (g *generator) ports() {
	if g.copies != nil {
		g.copiedPorts("In", "inputs", ir.Input)
		g.copiedPorts("Out", "outputs", ir.Output)
	} else {
		g.portStruct("In", "inputs", true)
		g.portStruct("Out", "outputs", false)
	}
	if !g.Immediate {
		g.funcs.PrintApply()
	}
	g.funcs.PrintOutputs()
	g.simulator()
}

func (g *generator) portStruct(name, what string, input bool) {
	g.f("// %s are the %s, little-endian words where a port is wider than 64 bits. Unused high\n// bits %s zero.\ntype %s struct {\n", name, what, map[bool]string{true: "must be", false: "are"}[input], name)
	for i, x := range g.D.Ports {
		p := x.Sig
		if (p.Kind == ir.Input) != input {
			continue
		}
		doc := ""
		if p.Doc != "" {
			doc = ", " + strings.ReplaceAll(p.Doc, "\n", " ")
		}
		g.f("%s %s // %s: %s%s\n", g.Names[i], storage.PortType(p.Type), p.Name, bitsText(p.Type), doc)
	}
	g.f("}\n\n")
}

func bitsText(t ir.Type) string {
	s := fmt.Sprintf("%d bits", t.Width)
	if t.Width == 1 {
		s = "1 bit"
	}
	if t.IsVec() {
		s = fmt.Sprintf("%d elements of %s", t.Len, s)
	}
	return s
}
