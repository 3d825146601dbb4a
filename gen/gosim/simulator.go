package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// simulator prints the methods of sim.Simulator that deal with ports.
func (g *generator) simulator() {
	g.f("var ports = []sim.Port{\n")
	for _, x := range g.d.Ports {
		p := x.Sig
		g.f("{Name: %q, Input: %t, Type: ir.Type{Width: %d, Len: %d}},\n", p.Name, p.Kind == ir.Input, p.Type.Width, p.Type.Len)
	}
	g.f("}\n\n// Ports implements sim.Simulator.\nfunc (s *Model) Ports() []sim.Port { return ports }\n\n")
	g.f("// SetReset implements sim.Simulator.\nfunc (s *Model) SetReset(on bool) { s.Reset = on }\n\n")
	g.f("// Close implements sim.Simulator.\nfunc (s *Model) Close() error { return nil }\n\n")
	g.f("// Set implements sim.Simulator. It panics on an output.\nfunc (s *Model) Set(port int, value []uint64) {\nswitch port {\n")
	for i, v := range g.inputs {
		if v != nil {
			g.f("case %d:\n", i)
			g.setPort(i, "value", 0)
		}
	}
	g.f("default:\npanic(%q + ports[port].Name)\n}\n}\n\n", g.pkg+": Set of output ")
	g.f("// Get implements sim.Simulator.\nfunc (s *Model) Get(port int, value []uint64) {\ns.Eval()\nswitch port {\n")
	for i := range g.d.Ports {
		g.f("case %d:\n", i)
		g.getPort(i, "value", 0)
	}
	g.f("}\n}\n\n")
	g.frames()
}

// frames prints the methods of sim.Framed.
func (g *generator) frames() {
	format := sim.NewFormat(sim.FlatPorts(g.d))
	g.f("// SetFrame implements sim.Framed.\nfunc (s *Model) SetFrame(in []uint64) {\n_ = in[%d]\ns.Reset = in[0]&1 != 0\n", format.InWords-1)
	for _, x := range format.In {
		g.setPort(x.Port, "in", x.Word)
	}
	g.f("}\n\n// GetFrame implements sim.Framed.\nfunc (s *Model) GetFrame(out []uint64) {\ns.Eval()\n")
	if format.OutWords > 0 {
		g.f("_ = out[%d]\n", format.OutWords-1)
	}
	for _, x := range format.Out {
		g.getPort(x.Port, "out", x.Word)
	}
	g.f("}\n")
}

// setPort prints how input i takes its value from an array, from a word on.
func (g *generator) setPort(i int, array string, word int) {
	t, port := g.d.Ports[i].Sig.Type, "s.In."+g.names[i]
	src := make([]string, ir.Words(t.Width))
	if t.IsVec() {
		for k := range src {
			src[k] = fmt.Sprintf("bitsAt(%s, l*%d+%d, %d)", array, t.Width, 64*(word+k), min(64, t.Width-64*k))
		}
		g.f("for l := range %d {\n%s}\n", t.Len, portStore(port+"[l]", t.Width, src))
		return
	}
	for k := range src {
		src[k] = fmt.Sprintf("%s[%d]", array, word+k)
		if n := t.Width - 64*k; n < 64 {
			src[k] += "&" + hex(ones(n))
		}
	}
	g.f("%s", portStore(port, t.Width, src))
}

// getPort prints how port i goes to an array, from a word on.
func (g *generator) getPort(i int, array string, word int) {
	t, port := g.d.Ports[i].Sig.Type, "s.Out."+g.names[i]
	if g.inputs[i] != nil {
		port = "s.In." + g.names[i]
	}
	if !t.IsVec() {
		for k, w := range portWords(port, t.Width) {
			g.f("%s[%d] = %s\n", array, word+k, w)
		}
		return
	}
	g.f("clear(%s[%d:%d])\nfor l := range %d {\n", array, word, word+ir.Words(t.Bits()), t.Len)
	for k, w := range portWords(port+"[l]", t.Width) {
		g.f("putBits(%s, l*%d+%d, %d, %s)\n", array, t.Width, 64*(word+k), min(64, t.Width-64*k), w)
	}
	g.f("}\n")
}
