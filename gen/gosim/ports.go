package gosim

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// portType is the Go type of a port's element, and of the port.
func portType(t ir.Type) string {
	elem := elemType(t.Width)
	switch {
	case t.Width == 1:
		elem = "bool"
	case t.Width > 64:
		elem = fmt.Sprintf("[%d]uint64", ir.Words(t.Width))
	}
	if t.IsVec() {
		return fmt.Sprintf("[%d]%s", t.Len, elem)
	}
	return elem
}

// ports prints the port structures and what connects them with the state.
func (g *generator) ports() {
	g.portStruct("In", "inputs", true)
	g.portStruct("Out", "outputs", false)
	g.apply()
	g.outputsFunction()
	g.simulator()
}

func (g *generator) portStruct(name, what string, input bool) {
	g.f("// %s are the %s, little-endian words where a port is wider than 64 bits. Unused high\n// bits of inputs must be zero.\ntype %s struct {\n", name, what, name)
	for i, p := range g.design.Top.Ports {
		if (p.Kind == ir.Input) != input {
			continue
		}
		doc := ""
		if p.Doc != "" {
			doc = ", " + strings.ReplaceAll(p.Doc, "\n", " ")
		}
		g.f("%s %s // %s: %s%s\n", g.names[i], portType(p.Type), p.Name, bitsText(p.Type), doc)
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

// apply prints the transfer of changed inputs.
func (g *generator) apply() {
	e := &emitter{p: g.plan, b: &g.b}
	g.f("// apply gives changed inputs to the state.\n")
	e.function("apply()", &unit{lanes: 1}, func() {
		for i, v := range g.inputs {
			if v == nil {
				continue
			}
			port := "s.In." + g.names[i]
			e.f("if %s != s.last.%s {\n", port, g.names[i])
			n, at := v.lanes, port
			if g.design.Top.Ports[i].Type.IsVec() {
				at = port + "[l]"
				e.f("for l := range %d {\n", n)
			}
			e.storeLane(v, "l", portWords(at, v.width))
			if at != port {
				e.f("}\n")
			}
			e.f("}\n")
		}
		e.f("s.last = s.In\n")
	})
}

// portWords are the words of a port element.
func portWords(at string, width int) []string {
	switch {
	case width == 1:
		return []string{fmt.Sprintf("bit(%s)", at)}
	case width <= 64:
		return []string{fmt.Sprintf("uint64(%s)", at)}
	}
	out := make([]string, ir.Words(width))
	for i := range out {
		out[i] = fmt.Sprintf("%s[%d]", at, i)
	}
	return out
}

func (g *generator) outputsFunction() {
	g.f("// outputs fills Out.\nfunc (s *Model) outputs() {\n")
	for i, refs := range g.outputs {
		p := g.design.Top.Ports[i]
		if refs == nil {
			continue
		}
		port := "s.Out." + g.names[i]
		for _, r := range portRuns(refs) {
			at, src := port, []string(nil)
			switch {
			case r.from.v == nil:
				src = constWords(r.from.k, p.Type.Width)
			case r.n > 1:
				src = r.source()
			default:
				src = r.from.v.lane("", r.from.lane)
			}
			if p.Type.IsVec() {
				at = fmt.Sprintf("%s[%d]", port, r.lo)
				if r.n > 1 {
					at = fmt.Sprintf("%s[k+%d]", port, r.lo)
					g.f("for k := range %d {\n", r.n)
				}
			}
			g.portStore(at, p.Type.Width, src)
			if r.n > 1 {
				g.f("}\n")
			}
		}
	}
	g.f("}\n\n")
}

func portRuns(refs []ref) []run { return runs(refs, 0) }

func (g *generator) portStore(at string, width int, src []string) {
	switch {
	case width == 1:
		g.f("%s = %s != 0\n", at, src[0])
	case width <= 64:
		g.f("%s = %s(%s)\n", at, elemType(width), src[0])
	default:
		for i, x := range src {
			g.f("%s[%d] = %s\n", at, i, x)
		}
	}
}

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
			g.portStore(port+"[l]", t.Width, src)
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
		g.portStore(port, t.Width, src)
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
