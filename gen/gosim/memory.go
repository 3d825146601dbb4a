package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// writeFunctions prints the writes to memories: a function for each port, which can also only tell what it would
// change, and one for each memory.
func (g *generator) writeFunctions(e *emitter) {
	g.f("// write does the writes to memories.\nfunc (s *Model) write() {\n")
	g.eachMarked("writes", len(g.Mems), func(i int) string { return names.Write(g.Plan, g.Mems[i]) })
	g.f("}\n\n")
	g.f("// writeChanges tells whether a write to memory i changes it.\nfunc (s *Model) writeChanges(i int) bool {\nswitch i {\n")
	for i, m := range g.Mems {
		var changes []*code.Expr
		for n := range m.Writes {
			changes = append(changes, g.portCall(n, m, false))
		}
		if len(changes) > 0 {
			g.f("case %d:\nreturn %s != 0\n", i, code.All("|", changes...))
		}
	}
	g.f("}\nreturn false\n}\n\n")
	for _, m := range g.Mems {
		for n, w := range m.Writes {
			e.function(names.Port(g.Plan, n, m)+"(store bool) (c uint64)", &plan.Unit{Lanes: 1}, func() { e.writePort(m, w) })
		}
		e.function(names.Write(g.Plan, m)+"()", &plan.Unit{Lanes: 1}, func() {
			for n, w := range m.Writes {
				e.either(func() ([]*kernel.Kernel, error) {
					return lower.Write(fmt.Sprintf("vector%d_%s", n, names.Write(g.Plan, m)), m, w, e.groupOf(e.p.ReadersOf(m)))
				}, func() { e.callPort(m, g.portCall(n, m, true)) })
			}
		})
	}
}

// portCall is a call of write port n of m: it stores, or only tells what would change.
func (g *generator) portCall(n int, m *plan.Memory, store bool) *code.Expr {
	return code.Call("s."+names.Port(g.Plan, n, m), code.Name("%t", store))
}

// callPort does the writes of a port of m.
func (e *emitter) callPort(m *plan.Memory, call *code.Expr) {
	if readers := e.p.ReadersOf(m); len(readers) > 0 {
		e.note(readers, call)
		return
	}
	e.do(&code.Do{X: call})
}

// writePort is the body of the function of w.
func (e *emitter) writePort(m *plan.Memory, w *plan.Write) {
	e.u = &plan.Unit{Kind: plan.Loop, Lanes: w.Lanes}
	if w.Lanes == 1 {
		e.u.Kind = plan.Scalar
	}
	e.enabledLanes(w, func() {
		addr := e.variables(e.read(w.Addr))
		e.when(within(w.Addr.Width, m.Depth, addr), func() {
			data := e.variables(e.read(w.Data))
			at := []*code.Expr{memoryWord(m, laneOf(w.At, e.l), e.address(addr, m.Room))}
			if word := at[0]; len(data) > 1 {
				at = make([]*code.Expr, len(data))
				for i := range at {
					at[i] = word.At(i)
				}
			}
			for i, x := range data {
				e.or(code.Name("c"), code.Word(at[i]).Xor(x))
			}
			e.when(code.Name("store"), func() {
				for i, x := range data {
					e.put(at[i], wordOf(m, x))
				}
			})
		})
	})
	e.do(&code.Return{X: code.Name("c")})
}

// wordOf is x as a word of m.
func wordOf(m *plan.Memory, x *code.Expr) *code.Expr {
	if typ := wordType(m.Width); typ != "uint64" {
		return code.Call(typ, x)
	}
	return x
}

// enabledLanes has body done in the lanes in which w is enabled.
func (e *emitter) enabledLanes(w *plan.Write, body func()) {
	enabled := func() { e.when(e.read(w.Enable)[0].Differs(code.Zero), body) }
	switch {
	case w.Lanes == 1:
		e.l = lane0
		enabled()
	case w.Enable.Same(w.Lanes):
		e.l = laneL
		e.maskLoop(w.Enable.V, body)
	default:
		e.l = laneL
		e.times(laneL, w.Lanes, enabled)
	}
}
