package funcs

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// PrintUnit prints u.
func (e *Printer) PrintUnit(u *plan.Unit) {
	if e.p.Immediate && u.From == nil {
		e.printWhole(u)
		return
	}
	e.f("// %s: %s\n", names.Unit(u), u.Describe())
	e.function(names.Unit(u)+"()", u, func() {
		e.either(func() ([]*kernel.Kernel, error) { return e.Kernels(u) }, func() { e.portable(u) })
	})
}

// portable evaluates u in Go.
func (e *Printer) portable(u *plan.Unit) {
	switch u.Kind {
	case plan.Alone:
		e.alone(u.Nodes[0])
	case plan.Scalar:
		e.block(u.Body)
	case plan.Words:
		e.wordLoop()
	case plan.Packed:
		e.packedLoop()
	case plan.Loop:
		e.laneLoop()
	}
}

func (e *Printer) wordLoop() {
	all := func() {
		for _, x := range e.Unit.Nodes {
			e.node(x)
		}
	}
	n := ir.Words(e.Unit.Lanes)
	if n == 1 {
		all()
		return
	}
	e.Lane = storage.WordI
	e.Times(storage.WordI, n, all)
}

// collected returns the bits of v that a loop collects in a word.
func collected(v *plan.Value) *code.Expr { return code.Name("b%d", v.ID) }

// collect declares the words of bits that u collects, and returns their values.
func (e *Printer) collect(u *plan.Unit) (values []*plan.Value) {
	for _, n := range u.Nodes {
		if n.Out.Stored && n.Out.Bits() {
			values = append(values, n.Out)
			e.Do(&code.Var{Name: collected(n.Out), Type: "uint64"})
		}
	}
	return values
}

// laneLoop prints the loop over lanes. Results of one bit are collected in words.
func (e *Printer) laneLoop() {
	u := e.Unit
	e.Lane = storage.LaneL
	if u.Lanes <= 64 {
		e.laneWord(storage.Lane0)
		return
	}
	e.Do(&code.Count{Index: storage.WordI, From: storage.Lane0, To: code.Int(u.Lanes), Step: 64, Body: e.Within(func() {
		e.laneWord(storage.Masked(code.Op("/", storage.WordI, code.Int(64)), ir.Words(u.Lanes)))
	})})
}

// laneWord evaluates the lanes of a word of bits, starting at lane i if there are several words.
func (e *Printer) laneWord(word *code.Expr) {
	u := e.Unit
	values := e.collect(u)
	many := u.Lanes > 64
	if many {
		e.Hoist(word)
	}
	body := e.Within(func() {
		for _, n := range u.Nodes {
			e.node(n)
		}
	})
	switch {
	case u.Mask != nil && many:
		e.Do(&code.Bits{Mask: storage.MaskM, X: storage.BitWord(u.Mask, word), Bit: storage.LaneL, Base: storage.WordI, Body: body})
	case u.Mask != nil:
		e.Do(&code.Bits{Mask: storage.MaskM, X: storage.Field(u.Mask), Bit: storage.LaneL, Body: body})
	case many:
		to := storage.WordI.Add(code.Int(64))
		if u.Lanes%64 != 0 {
			to = code.Call("min", to, code.Int(u.Lanes))
		}
		e.Do(&code.Count{Index: storage.LaneL, From: storage.WordI, To: to, Step: 1, Body: body})
	default:
		e.Do(&code.Range{Index: storage.LaneL, N: code.Int(u.Lanes), Body: body})
	}
	for _, v := range values {
		at, x := storage.BitWord(v, word), collected(v)
		if u.Mask != nil {
			x = at.AndNot(storage.BitWord(u.Mask, word)).Or(x)
		}
		e.store(v, at, x)
	}
}

// node evaluates n and stores its result.
func (e *Printer) node(n *plan.Node) {
	e.Doing = n.Located
	switch {
	case n.Own():
		e.alone(n)
	case n.Code == ir.Mux && n.Lanes == 1 && n.Out.Stored && ir.Words(n.Width) > 2:
		e.choose(n)
	default:
		e.evaluate(n)
	}
}

func (e *Printer) evaluate(n *plan.Node) {
	ws := e.Compute(n)
	if len(ws) != ir.Words(n.Width) {
		panic(fmt.Sprintf("gosim: %s of %d bits gave %d words", n.Code, n.Width, len(ws)))
	}
	names := e.names(n.Out, len(ws))
	for i, w := range ws {
		if w.Simple() {
			names[i] = w
		} else {
			e.Do(&code.Define{Name: names[i], X: w})
		}
	}
	e.result(n, names)
}

// names returns variables for the words of v.
func (e *Printer) names(v *plan.Value, words int) []*code.Expr {
	if words == 1 {
		return []*code.Expr{code.Name("x%d", v.ID)}
	}
	names := make([]*code.Expr, words)
	for i := range names {
		names[i] = code.Name("x%d_%d", v.ID, i)
	}
	return names
}

// result notes the words of the result of n, and stores them if they are needed elsewhere.
func (e *Printer) result(n *plan.Node, words []*code.Expr) {
	e.Local[n.Out] = words
	if n.Out.Stored {
		e.storeNode(n.Out, words)
	}
}

// storeNode stores words of v in the present lane, or word of lanes.
func (e *Printer) storeNode(v *plan.Value, x []*code.Expr) {
	switch {
	case e.Unit.Kind == plan.Loop && v.Bits():
		e.Or(collected(v), code.Op("<<", x[0], storage.BitNumber(storage.LaneL)))
	case e.Unit.Kind == plan.Words, v.Lanes == 1 && v.Width <= 64:
		e.store(v, e.present(v), x[0])
	default:
		e.storeLane(v, e.Lane, x)
	}
}

// present returns the location of the only lane of v, or of the present word of bits.
func (e *Printer) present(v *plan.Value) *code.Expr {
	if v.Bits() {
		return storage.BitWord(v, e.Lane)
	}
	return storage.Field(v)
}

// choose stores one of two wide values, which have too many words for variables. Readers of the
// result read the stored value.
func (e *Printer) choose(n *plan.Node) {
	a, b := e.Read(n.Args[1]), e.Read(n.Args[2])
	put := func(words []*code.Expr) []code.Stmt {
		return e.Within(func() { e.storeLane(n.Out, storage.Lane0, words) })
	}
	e.Do(&code.If{Cond: e.Read(n.Args[0])[0].Differs(code.Zero), Then: put(a), Else: put(b)})
}
