package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// simulator prints the methods of sim.Simulator that deal with ports.
func (g *generator) simulator() {
	g.f("var ports = []sim.Port{\n")
	for _, p := range g.design.Top.Ports {
		g.f("{Name: %q, Input: %t, Type: ir.Type{Width: %d, Len: %d}},\n", p.Name, p.Kind == ir.Input, p.Type.Width, p.Type.Len)
	}
	g.f("}\n\n// Ports implements sim.Simulator.\nfunc (s *Model) Ports() []sim.Port { return ports }\n\n")
	g.f("// SetReset implements sim.Simulator.\nfunc (s *Model) SetReset(on bool) { s.Reset = on }\n\n")
	g.f("// Close implements sim.Simulator.\nfunc (s *Model) Close() error { return nil }\n\n")
	g.f("// Set implements sim.Simulator. It panics on an output.\nfunc (s *Model) Set(port int, value []uint64) {\nswitch port {\n")
	for i, v := range g.inputs {
		if v == nil {
			continue
		}
		g.f("case %d:\n", i)
		t := g.design.Top.Ports[i].Type
		port := "s.In." + g.names[i]
		if t.IsVec() {
			g.f("for l := range %d {\n", t.Len)
			src := make([]string, ir.Words(t.Width))
			for k := range src {
				src[k] = fmt.Sprintf("bitsAt(value, l*%d+%d, %d)", t.Width, 64*k, min(64, t.Width-64*k))
			}
			g.f("%s", portStore(port+"[l]", t.Width, src))
			g.f("}\n")
			continue
		}
		src := make([]string, ir.Words(t.Width))
		for k := range src {
			src[k] = fmt.Sprintf("value[%d]", k)
			if n := t.Width - 64*k; n < 64 {
				src[k] += "&" + hex(ones(n))
			}
		}
		g.f("%s", portStore(port, t.Width, src))
	}
	g.f("default:\npanic(%q + ports[port].Name)\n}\n}\n\n", g.pkg+": Set of output ")
	g.f("// Get implements sim.Simulator.\nfunc (s *Model) Get(port int, value []uint64) {\ns.Eval()\nswitch port {\n")
	for i := range g.design.Top.Ports {
		t := g.design.Top.Ports[i].Type
		port := "s.Out." + g.names[i]
		if g.inputs[i] != nil {
			port = "s.In." + g.names[i]
		}
		g.f("case %d:\n", i)
		if !t.IsVec() {
			for k, w := range portWords(port, t.Width) {
				g.f("value[%d] = %s\n", k, w)
			}
			continue
		}
		g.f("clear(value)\nfor l := range %d {\n", t.Len)
		for k, w := range portWords(port+"[l]", t.Width) {
			g.f("putBits(value, l*%d+%d, %d, %s)\n", t.Width, 64*k, min(64, t.Width-64*k), w)
		}
		g.f("}\n")
	}
	g.f("}\n}\n")
}
