package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
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
func (g *generator) ports(e *emitter) {
	g.portStruct("In", "inputs", true)
	g.portStruct("Out", "outputs", false)
	if !g.immediate {
		g.apply()
	}
	if !g.immediate {
		e.b = &g.b
		g.f("// outputs fills Out.\n")
		e.function("outputs()", &unit{lanes: 1}, e.outputs)
	}
	g.simulator()
}

func (g *generator) portStruct(name, what string, input bool) {
	g.f("// %s are the %s, little-endian words where a port is wider than 64 bits. Unused high\n// bits %s zero.\ntype %s struct {\n", name, what, map[bool]string{true: "must be", false: "are"}[input], name)
	for i, x := range g.d.Ports {
		p := x.Sig
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

// apply prints the transfer of inputs to the state. Inputs of few words are
// compared as they are moved, without branches that a processor would have to
// predict, others before.
func (g *generator) apply() {
	e := &emitter{p: g.plan, b: &g.b, erratic: true}
	g.f("// apply gives inputs to the state.\n")
	e.function("apply()", &unit{lanes: 1}, func() {
		for i, v := range g.inputs {
			if v == nil {
				continue
			}
			port, end := "s.In."+g.names[i], ""
			if g.d.Ports[i].Sig.Type.IsVec() && v.lanes == 1 {
				port += "[0]"
			}
			switch {
			case manyBits(v):
				e.f("if last := &s.last.%s; %s != *last {\n*last = %s\n", g.names[i], port, port)
				end = "}\n"
			case v.lanes*v.words() > fewWords:
				e.f("if %s != %s {\n", port, v.field())
				e.note(e.p.readers[v], "1")
				e.f("%s = %s\n}\n", v.field(), port)
				continue
			}
			switch {
			case v.bits():
				e.applyBits(v, port)
			case v.lanes > 1:
				e.f("for l := range %d {\n", v.lanes)
				e.storeLane(v, "l", portWords(port+"[l]", v.width))
				end += "}\n"
			default:
				e.storeLane(v, "l", portWords(port, v.width))
			}
			e.f("%s", end)
		}
	})
}

// applyBits prints the transfer of an input of bools to bits of words.
func (e *emitter) applyBits(v *value, port string) {
	for w := range v.bitWords() {
		e.store(v, v.bitWord(w), e.set("model.Bits(%s[%d:%d])", port, 64*w, min(64*w+64, v.lanes)))
	}
}

// manyBits tells whether an input has its present value in s.last, because the
// state has it in another form, and comparing all lanes would take long.
func manyBits(v *value) bool { return v.bits() && v.lanes > fewWords }

// lastInputs is a field of the model for inputs of many bits.
func (g *generator) lastInputs() string {
	if g.immediate {
		return "last In // inputs that the state below reflects\n"
	}
	var b strings.Builder
	for i, v := range g.inputs {
		if v != nil && manyBits(v) {
			fmt.Fprintf(&b, "%s %s\n", g.names[i], portType(g.d.Ports[i].Sig.Type))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "last struct { // inputs that the state below reflects\n" + b.String() + "}\n"
}

// fewWords is the greatest number of words of an input that are compared one by
// one.
const fewWords = 4

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

// outputs prints the filling of Out.
func (e *emitter) outputs() {
	for i, refs := range e.p.outputs {
		if refs == nil {
			continue
		}
		t, port := e.p.d.Ports[i].Sig.Type, "s.Out."+e.p.names[i]
		if t.Width == 1 && len(refs) > fewWords && !e.p.immediate {
			for w, x := range e.bitWords(refs) {
				e.f("model.SetBools(%s[%d:%d], uint64(%s))\n", port, 64*w, min(64*w+64, len(refs)), x)
			}
			continue
		}
		for _, r := range runs(refs, 0) {
			at, end := port, ""
			if t.IsVec() {
				at = fmt.Sprintf("%s[%d]", port, r.lo)
				if r.n > 1 {
					at = fmt.Sprintf("%s[k+%d]", port, r.lo)
					e.f("for k := range %d {\n", r.n)
					end = "}\n"
				}
			}
			var words []string
			if r.from.v == nil && r.n > 1 {
				words = e.tabled(refs[r.lo:][:r.n], t.Width)
			} else {
				words = e.outputWords(r, t.Width)
			}
			e.f("%s%s", portStore(at, t.Width, words), end)
		}
	}
}

// outputWords are the words of the lanes of a run.
func (e *emitter) outputWords(r run, width int) []string {
	if r.from.v == nil {
		return constWords(r.from.k, width)
	}
	if w, ok := e.local[r.from.v]; ok { // a single lane, perhaps for all of the run
		return w
	}
	if r.n > 1 {
		return r.source()
	}
	return r.from.v.lane("", r.from.lane)
}

// portStore are assignments to a port element.
func portStore(at string, width int, src []string) string {
	switch {
	case width == 1:
		return fmt.Sprintf("%s = %s != 0\n", at, src[0])
	case width <= 64:
		return fmt.Sprintf("%s = %s(%s)\n", at, elemType(width), src[0])
	}
	var b strings.Builder
	for i, x := range src {
		fmt.Fprintf(&b, "%s[%d] = %s\n", at, i, x)
	}
	return b.String()
}
