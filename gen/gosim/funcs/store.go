package funcs

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// storeLane stores lane at of v.
func (e *Printer) storeLane(v *plan.Value, at *code.Expr, x []*code.Expr) {
	switch {
	case v.Bits():
		j := e.Number(at)
		word := storage.Field(v)
		if v.Lanes > 64 {
			word = word.Index(storage.Masked(code.Op("/", code.Call("uint", j), code.Int(64)), v.BitWords()))
		}
		old := e.Set(word)
		e.store(v, word, old.AndNot(code.Op("<<", code.Int(1), storage.BitNumber(j))).Or(code.Op("<<", x[0], storage.BitNumber(j))))
	case v.Width > 64:
		to := storage.Field(v)
		if v.Lanes > 1 {
			to = to.Index(storage.Masked(at, v.Lanes))
		}
		for i := range x {
			e.store(v, to.At(i), x[i])
		}
	case v.Lanes == 1:
		e.store(v, storage.Field(v), x[0])
	default:
		e.store(v, storage.Field(v).Index(storage.Masked(at, v.Lanes)), x[0])
	}
}

// store assigns a word of v.
func (e *Printer) store(v *plan.Value, at, x *code.Expr) {
	typ := "uint64"
	if v.LaneBits() > 0 {
		typ = storage.LaneType(v)
	}
	e.assign(e.p.Readers[v], typ, at, x)
}

// assign assigns a word, and sets marks at the end of the function if the word changes.
func (e *Printer) assign(marks []int, typ string, at, x *code.Expr) {
	e.note(marks, code.Word(at).Xor(x))
	if typ != "uint64" {
		x = code.Call(typ, x)
	}
	e.Put(at, x)
}

// maskLoop executes body in the lanes of a mask; the variable l is the lane.
func (e *Printer) maskLoop(mask *plan.Value, body func()) {
	switch inner := e.Within(body); {
	case mask.Lanes == 1:
		e.Do(&code.If{Cond: storage.Field(mask).Differs(code.Zero), Then: inner})
	case mask.Lanes <= 64:
		e.Do(&code.Bits{Mask: storage.MaskM, X: storage.Field(mask), Bit: storage.LaneL, Body: inner})
	default:
		lanes := &code.Bits{Mask: storage.MaskM, Bit: storage.LaneL, Base: storage.WordI.Mul(code.Int(64)), Body: inner}
		e.Do(&code.Range{Index: storage.WordI, Elem: storage.MaskM, N: storage.Field(mask), Body: []code.Stmt{lanes}})
	}
}
