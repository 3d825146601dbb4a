package funcs

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/expr"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// writeFunctions prints the writes to memories: a function for each port, which can also only
// report whether it would change anything, and a function for each memory.
func (e *Printer) writeFunctions() {
	e.f("// write executes the writes to memories.\nfunc (s *Model) write() {\n")
	e.eachMarked("writes", len(e.p.Mems), func(i int) string { return names.Write(e.p, e.p.Mems[i]) })
	e.f("}\n\n")
	e.f("// writeChanges reports whether a write to memory i changes it.\nfunc (s *Model) writeChanges(i int) bool {\nswitch i {\n")
	for i, m := range e.p.Mems {
		var changes []*code.Expr
		for n := range m.Writes {
			changes = append(changes, e.portCall(n, m, false))
		}
		if len(changes) > 0 {
			e.f("case %d:\nreturn %s != 0\n", i, code.All("|", changes...))
		}
	}
	e.f("}\nreturn false\n}\n\n")
	for _, m := range e.p.Mems {
		for n, w := range m.Writes {
			e.function(names.Port(e.p, n, m)+"(store bool) (c uint64)", &plan.Unit{Lanes: 1}, func() { e.writePort(m, w) })
		}
		e.function(names.Write(e.p, m)+"()", &plan.Unit{Lanes: 1}, func() {
			for n, w := range m.Writes {
				e.either(func() ([]*kernel.Kernel, error) {
					return lower.Write(fmt.Sprintf("vector%d_%s", n, names.Write(e.p, m)), m, w, e.groupOf(m.Readers))
				}, func() { e.callPort(m, e.portCall(n, m, true)) })
			}
		})
	}
}

// portCall returns a call of write port n of m, which stores or only reports a change.
func (e *Printer) portCall(n int, m *plan.Memory, store bool) *code.Expr {
	return code.Call("s."+names.Port(e.p, n, m), code.Name("%t", store))
}

// callPort calls the function of a port of m.
func (e *Printer) callPort(m *plan.Memory, call *code.Expr) {
	if readers := m.Readers; len(readers) > 0 {
		e.note(readers, call)
		return
	}
	e.Do(&code.Do{X: call})
}

// writePort prints the body of the function of w.
func (e *Printer) writePort(m *plan.Memory, w *plan.Write) {
	e.Unit = &plan.Unit{Kind: plan.Loop, Lanes: w.Lanes}
	if w.Lanes == 1 {
		e.Unit.Kind = plan.Scalar
	}
	e.enabledLanes(w, func() {
		e.writeWord(m, storage.LaneOf(w.At, e.Lane), w.Addr, w.Data, func(at, data []*code.Expr) {
			for i, x := range data {
				e.Or(code.Name("c"), code.Word(at[i]).Xor(x))
			}
			e.When(code.Name("store"), func() {
				for i, x := range data {
					e.Put(at[i], wordOf(m, x))
				}
			})
		})
	})
	e.Do(&code.Return{X: code.Name("c")})
}

// writeWord calls write with the place and the words of a write to a lane of m.
func (e *Printer) writeWord(m *plan.Memory, lane *code.Expr, address, value plan.Operand, write func(at, data []*code.Expr)) {
	addr := e.Variables(e.Read(address))
	e.When(expr.Below(address.Width, m.Depth, addr), func() {
		data := e.Variables(e.Read(value))
		at := []*code.Expr{storage.MemoryWord(m, lane, e.Address(addr, m.Room))}
		if len(data) > 1 {
			at = storage.Elements(at[0], len(data))
		}
		write(at, data)
	})
}

// wordOf returns x as a word of m.
func wordOf(m *plan.Memory, x *code.Expr) *code.Expr {
	if typ := storage.WordType(m.Width); typ != "uint64" {
		return code.Call(typ, x)
	}
	return x
}

// enabledLanes executes body in the lanes in which w is enabled.
func (e *Printer) enabledLanes(w *plan.Write, body func()) {
	enabled := func() { e.When(e.Read(w.Enable)[0].Differs(code.Zero), body) }
	switch {
	case w.Lanes == 1:
		e.Lane = storage.Lane0
		enabled()
	case w.Enable.Same(w.Lanes):
		e.Lane = storage.LaneL
		e.maskLoop(w.Enable.V, body)
	default:
		e.Lane = storage.LaneL
		e.Times(storage.LaneL, w.Lanes, enabled)
	}
}
