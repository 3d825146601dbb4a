package gosim

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
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
func (g *generator) ports(e *emitter) {
	if g.copies != nil {
		g.copiedPorts("In", "inputs", ir.Input)
		g.copiedPorts("Out", "outputs", ir.Output)
	} else {
		g.portStruct("In", "inputs", true)
		g.portStruct("Out", "outputs", false)
	}
	if !g.Immediate {
		g.apply()
	}
	if !g.Immediate {
		e.b = &g.b
		g.f("// outputs fills Out.\n")
		e.function("outputs()", &plan.Unit{Lanes: 1}, e.outputs)
	}
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
		g.f("%s %s // %s: %s%s\n", g.Names[i], portType(p.Type), p.Name, bitsText(p.Type), doc)
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
	e := &emitter{p: g.Plan, b: &g.b, unpredictable: true}
	g.f("// apply gives inputs to the state.\n")
	e.function("apply()", &plan.Unit{Lanes: 1}, func() {
		g.notice(e)
		for i, v := range g.Inputs {
			if v == nil || v.Port != "" {
				continue
			}
			port := code.Name("s.In.%s", g.Names[i])
			if g.D.Ports[i].Sig.Type.IsVec() && v.Lanes == 1 {
				port = port.At(0)
			}
			switch {
			case manyBits(v):
				last := code.Name("s.last.%s", g.Names[i])
				e.when(port.Differs(last), func() {
					e.put(last, port)
					e.applyBits(v, port)
				})
			case v.Lanes*v.Words() > fewWords:
				e.copyLanesOf(v, port)
			case v.Bits():
				e.applyBits(v, port)
			case v.Lanes > 1:
				e.times(laneL, v.Lanes, func() { e.storeLane(v, laneL, portWords(port.Index(laneL), v.Width)) })
			default:
				e.storeLane(v, lane0, portWords(port, v.Width))
			}
		}
	})
}

// copyLanesOf stores all of an array of the same type in v, if it differs.
func (e *emitter) copyLanesOf(v *plan.Value, src *code.Expr) {
	e.when(field(v).Differs(src), func() {
		e.note(e.p.Readers[v], code.Int(1))
		e.put(field(v), src)
	})
}

// applyBits stores an input of bools in bits of words.
func (e *emitter) applyBits(v *plan.Value, port *code.Expr) {
	for w := range v.BitWords() {
		e.store(v, bitWord(v, code.Int(w)), e.set(code.Call("model.Bits", port.Part(64*w, min(64*w+64, v.Lanes)))))
	}
}

// manyBits tells whether an input has its present value in s.last, because the
// state has it in another form, and comparing all lanes would take long.
func manyBits(v *plan.Value) bool { return v.Bits() && v.Lanes > fewWords }

// fewWords is the greatest number of words of an input that are compared one by
// one.
const fewWords = 4

// portWords are the words of a port element.
func portWords(at *code.Expr, width int) []*code.Expr {
	switch {
	case width == 1:
		return []*code.Expr{code.Bit(at)}
	case width <= 64:
		return []*code.Expr{code.Word(at)}
	}
	return elements(at, ir.Words(width))
}

// outputs fills Out.
func (e *emitter) outputs() {
	for i, refs := range e.p.Outputs {
		if refs == nil {
			continue
		}
		t, port := e.p.D.Ports[i].Sig.Type, code.Name("s.Out.%s", e.p.Names[i])
		if t.Width == 1 && len(refs) > fewWords && !e.p.Immediate {
			for w, x := range e.bitWords(refs) {
				e.do(&code.Do{X: code.Call("model.SetBools", port.Part(64*w, min(64*w+64, len(refs))), code.Word(x))})
			}
			continue
		}
		if v := refs[0].V; len(refs) > 1 && v != nil && lanesOf(v, refs) && goType(v) == portType(t) {
			e.put(port, field(v))
			continue
		}
		for _, r := range plan.Runs(refs, 0) {
			switch {
			case !t.IsVec():
				e.putPort(port, t.Width, e.outputWords(r, t.Width))
			case r.N == 1:
				e.putPort(port.At(r.Lo), t.Width, e.outputWords(r, t.Width))
			case r.From.V == nil:
				e.times(elemK, r.N, func() {
					e.putPort(port.Index(elemK.Add(code.Int(r.Lo))), t.Width, e.tabled(refs[r.Lo:][:r.N], t.Width))
				})
			default:
				e.times(elemK, r.N, func() {
					e.putPort(port.Index(elemK.Add(code.Int(r.Lo))), t.Width, e.outputWords(r, t.Width))
				})
			}
		}
	}
}

// lanesOf tells whether refs are the lanes of v.
func lanesOf(v *plan.Value, refs []plan.Ref) bool {
	for l, r := range refs {
		if r.V != v || r.Lane != l {
			return false
		}
	}
	return v.Lanes == len(refs)
}

// outputWords are the words of element k of a run.
func (e *emitter) outputWords(r plan.Run, width int) []*code.Expr {
	if w, ok := e.local[r.From.V]; ok && r.From.V != nil { // a single lane, perhaps for all of the run
		return w
	}
	if r.N == 1 {
		return source(r, code.Zero, width)
	}
	return source(r, elemK, width)
}

// putPort assigns a port element.
func (e *emitter) putPort(at *code.Expr, width int, x []*code.Expr) {
	switch {
	case width == 1:
		e.put(at, x[0].Differs(code.Zero))
	case width <= 64:
		e.put(at, code.Call(elemType(width), x[0]))
	default:
		for i := range x {
			e.put(at.At(i), x[i])
		}
	}
}
