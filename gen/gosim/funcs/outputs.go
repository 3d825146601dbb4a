package funcs

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/expr"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// PrintOutputs prints the function that fills Out.
func (e *Printer) PrintOutputs() {
	e.f("// outputs fills Out.\n")
	if e.p.Immediate {
		e.function("outputs()", e.p.Preview, func() { e.block(e.p.Preview.Body) })
		return
	}
	e.function("outputs()", &plan.Unit{Lanes: 1}, e.outputs)
}

// outputs fills Out.
func (e *Printer) outputs() {
	for i, refs := range e.p.Outputs {
		if refs == nil {
			continue
		}
		t, port := e.p.D.Ports[i].Sig.Type, code.Name("s.Out.%s", e.p.Names[i])
		if t.Width == 1 && len(refs) > fewWords && !e.p.Immediate {
			for w, x := range e.BitWords(refs) {
				e.Do(&code.Do{X: code.Call("model.SetBools", port.Part(64*w, min(64*w+64, len(refs))), code.Word(x))})
			}
			continue
		}
		if v := refs[0].V; len(refs) > 1 && v != nil && lanesOf(v, refs) && storage.Type(v) == storage.PortType(t) {
			e.Put(port, storage.Field(v))
			continue
		}
		for _, r := range plan.Runs(refs, 0) {
			switch {
			case !t.IsVec():
				e.Do(storage.PutPort(port, t.Width, e.outputWords(r, t.Width))...)
			case r.N == 1:
				e.Do(storage.PutPort(port.At(r.Lo), t.Width, e.outputWords(r, t.Width))...)
			case r.From.V == nil:
				e.Times(storage.ElemK, r.N, func() {
					e.Do(storage.PutPort(port.Index(storage.ElemK.Add(code.Int(r.Lo))), t.Width, e.Tabled(refs[r.Lo:][:r.N], t.Width))...)
				})
			default:
				e.Times(storage.ElemK, r.N, func() {
					e.Do(storage.PutPort(port.Index(storage.ElemK.Add(code.Int(r.Lo))), t.Width, e.outputWords(r, t.Width))...)
				})
			}
		}
	}
}

// lanesOf reports whether refs are the lanes of v.
func lanesOf(v *plan.Value, refs []plan.Ref) bool {
	for l, r := range refs {
		if r.V != v || r.Lane != l {
			return false
		}
	}
	return v.Lanes == len(refs)
}

// outputWords returns the words of element k of a run.
func (e *Printer) outputWords(r plan.Run, width int) []*code.Expr {
	if w, ok := e.Local[r.From.V]; ok && r.From.V != nil { // a single lane, perhaps for all of the run
		return w
	}
	if r.N == 1 {
		return expr.Source(r, code.Zero, width)
	}
	return expr.Source(r, storage.ElemK, width)
}
