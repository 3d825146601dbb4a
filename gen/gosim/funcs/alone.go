package funcs

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/expr"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// alone evaluates a node that has its own loop over lanes.
func (e *Printer) alone(n *plan.Node) {
	e.Doing = n.Located
	defer func(lane *code.Expr) { e.Lane = lane }(e.Lane)
	if n.Moves != nil {
		e.gather(n)
		return
	}
	all := func() {
		if n.Code == ir.Update {
			e.update(n)
		} else {
			e.route(n)
		}
	}
	if n.Lanes == 1 {
		all()
		return
	}
	e.Lane = storage.LaneL
	e.Times(storage.LaneL, n.Lanes, all)
}

// output returns lane k of the results of the present lane of n.
func (e *Printer) output(n *plan.Node) *code.Expr {
	return storage.Times(e.Lane, n.Nout).Add(storage.ElemK)
}

func (e *Printer) update(n *plan.Node) {
	at, value := e.Variables(e.Read(n.Args[0])), e.Variables(e.Read(n.Args[1]))
	chosen := []*code.Expr{at[0].Equal(code.Word(storage.ElemK))}
	for _, high := range at[1:] {
		chosen = append(chosen, high.Equal(code.Zero))
	}
	e.Times(storage.ElemK, n.Nout, func() {
		x := make([]*code.Expr, len(value))
		for i, w := range e.Element(n.List, storage.ElemK) {
			x[i] = e.Set(w)
		}
		e.When(code.All("&&", chosen...), func() {
			for i := range x {
				e.Put(x[i], value[i])
			}
		})
		e.storeLane(n.Out, e.output(n), x)
	})
}

func (e *Printer) route(n *plan.Node) {
	valid := e.Variables(e.Read(n.Args[0]))
	size := ir.Words(n.Width)
	t := e.Temp()
	e.Do(&code.Var{Name: t, Type: fmt.Sprintf("[%d][%d]uint64", n.Nout, size)})
	for i, v := range valid {
		e.Do(&code.Bits{Mask: storage.MaskM, X: v, Bit: storage.ElemK, Body: e.Within(func() {
			d := e.Element(n.List, storage.ElemK.Add(code.Int(64*i)))
			dest := e.Variable(d[0])
			e.When(expr.Below(n.List.V.Width, n.Nout, append([]*code.Expr{dest}, d[1:]...)), func() {
				e.Or(t.Index(storage.Masked(dest, n.Nout)).At(i), code.Op("<<", code.Int(1), storage.BitNumber(storage.ElemK)))
			})
		})})
	}
	e.Times(storage.ElemK, n.Nout, func() {
		e.storeLane(n.Out, e.output(n), storage.Elements(t.Index(storage.ElemK), size))
	})
}

func (e *Printer) gather(n *plan.Node) {
	if n.Out.Bits() {
		for w, x := range e.BitWords(n.Moves) {
			e.store(n.Out, storage.BitWord(n.Out, code.Int(w)), e.Variable(x))
		}
		return
	}
	for _, r := range plan.Runs(n.Moves, 0) {
		if r.N < 3 && r.From.V != nil || r.N == 1 {
			for k := range r.N {
				e.storeLane(n.Out, code.Int(r.Lo+k), expr.Source(r, code.Int(k), n.Width))
			}
			continue
		}
		e.Times(storage.ElemK, r.N, func() {
			var x []*code.Expr
			if r.From.V == nil {
				x = e.Tabled(n.Moves[r.Lo:][:r.N], n.Width)
			} else {
				x = expr.Source(r, storage.ElemK, n.Width)
			}
			e.storeLane(n.Out, storage.ElemK.Add(code.Int(r.Lo)), x)
		})
	}
}
