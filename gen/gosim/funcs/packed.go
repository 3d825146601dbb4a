package funcs

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// packedLoop prints a loop over words of several lanes. In it, one-bit values are the most
// significant bits of the lanes.
func (e *Printer) packedLoop() {
	u := e.Unit
	e.Lane = storage.WordI
	if u.Lanes <= 64 {
		e.packedWords(func(body []code.Stmt) code.Stmt {
			return &code.Range{Index: storage.WordI, N: code.Int(u.Lanes / e.LanesInWord()), Body: body}
		})
		return
	}
	e.Times(storage.WordW, u.Lanes/64, func() {
		e.packedWords(func(body []code.Stmt) code.Stmt {
			first := storage.WordW.Mul(code.Int(u.Elem))
			return &code.Count{Index: storage.WordI, From: first, To: first.Add(code.Int(u.Elem)), Step: 1, Body: body}
		})
	})
}

// packedWords evaluates the words of up to 64 lanes in a loop.
func (e *Printer) packedWords(loop func(body []code.Stmt) code.Stmt) {
	values := e.collect(e.Unit)
	e.Do(loop(e.Within(func() {
		for _, n := range e.Unit.Nodes {
			e.packedNode(n)
		}
	})))
	for _, v := range values {
		e.store(v, storage.BitWord(v, storage.WordW), collected(v))
	}
}

// packedNode evaluates n in the lanes of a word.
func (e *Printer) packedNode(n *plan.Node) {
	x := e.PackedValue(n)
	if !x.Simple() {
		name := code.Name("x%d", n.Out.ID)
		e.Do(&code.Define{Name: name, X: x})
		x = name
	}
	e.Local[n.Out] = []*code.Expr{x}
	if !n.Out.Stored {
		return
	}
	if n.Out.Bits() {
		e.Or(collected(n.Out), code.Op("<<", code.Call(fmt.Sprintf("model.Collect%d", e.Unit.Elem), x), e.FirstBit()))
		return
	}
	p := code.Name("p%d", n.Out.ID)
	e.Do(&code.Define{Name: p, X: storage.WordIn(n.Out, storage.WordI), Int: true})
	e.assign(e.p.Readers[n.Out], "uint64", p.Pointed(), x)
}
