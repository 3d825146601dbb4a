package storage

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Type returns the type of v's storage.
func Type(v *plan.Value) string {
	switch {
	case v.Bits() && v.Lanes <= 64:
		return "uint64"
	case v.Bits():
		return fmt.Sprintf("[%d]uint64", v.BitWords())
	case v.Width > 64 && v.Lanes == 1:
		return fmt.Sprintf("[%d]uint64", v.Words())
	case v.Width > 64:
		return fmt.Sprintf("[%d][%d]uint64", v.Lanes, v.Words())
	case v.Lanes == 1:
		return "uint64"
	}
	return fmt.Sprintf("[%d]%s", v.Lanes, LaneType(v))
}

// LaneType returns the type of a lane of at most 64 bits, if there are several lanes.
func LaneType(v *plan.Value) string {
	return fmt.Sprintf("uint%d", max(plan.ElemBits(v.Width), v.Room))
}

// ElemType returns the smallest type for elements of a width, or for their words.
func ElemType(width int) string { return fmt.Sprintf("uint%d", plan.ElemBits(width)) }

// Field returns the storage of v.
func Field(v *plan.Value) *code.Expr {
	switch {
	case v.Port != "":
		return portField(v)
	case v.Of == nil:
		return code.Name("s.%s", names.Field(v))
	case v.Of.Lanes == 1:
		return Field(v.Of)
	}
	at := code.Call("unsafe.Pointer", Field(v.Of).Address())
	if v.Lanes <= 64 {
		return code.Call("(*uint64)", at).Pointed()
	}
	return code.Call(fmt.Sprintf("(*[%d]uint64)", v.BitWords()), at)
}

// portField returns the value of an input that is read in place.
func portField(v *plan.Value) *code.Expr {
	port := code.Name("%s", v.Port)
	if v.Only {
		port = port.At(0)
	}
	switch {
	case v.Lanes == 1 && v.Width == 1:
		return code.Bit(port)
	case v.Lanes == 1 && v.Width <= 64:
		return code.Word(port)
	}
	return port
}

// BitWord returns word w of the lanes of a one-bit value.
func BitWord(v *plan.Value, w *code.Expr) *code.Expr {
	if v.Lanes <= 64 {
		return Field(v)
	}
	return Field(v).Index(w)
}

// Lane returns the words of lane i of v.
func Lane(v *plan.Value, i *code.Expr) []*code.Expr {
	known, isKnown := i.Number()
	switch {
	case v.Bits() && isKnown:
		return []*code.Expr{BitWord(v, code.Num(known/64)).Down(int(known % 64)).Low(1)}
	case v.Bits():
		word := Field(v)
		if n := v.BitWords(); n > 1 {
			word = word.Index(Masked(code.Op("/", code.Call("uint", i), code.Int(64)), n))
		}
		return []*code.Expr{code.Op(">>", word, BitNumber(i)).Low(1)}
	case v.Width > 64:
		at := Field(v)
		if v.Lanes > 1 {
			at = at.Index(Masked(i, v.Lanes))
		}
		return Elements(at, v.Words())
	case v.Lanes == 1:
		return []*code.Expr{Field(v)}
	}
	return []*code.Expr{code.Word(Field(v).Index(Masked(i, v.Lanes)))}
}

// Constant returns the words of a constant.
func Constant(k []uint64, width int) []*code.Expr {
	out := make([]*code.Expr, ir.Words(width))
	for i := range out {
		out[i] = code.Num(k[i])
	}
	return out
}

// WordIn returns a pointer to a word of the storage of v.
func WordIn(v *plan.Value, at *code.Expr) *code.Expr {
	return code.Call("model.Word", code.Call("unsafe.Pointer", Field(v).Address()), at)
}

// Nonzero returns the condition that a one-bit value is 1 in some lane.
func Nonzero(v *plan.Value) *code.Expr {
	words := make([]*code.Expr, v.BitWords())
	for i := range words {
		words[i] = BitWord(v, code.Int(i))
	}
	return code.All("|", words...).Differs(code.Zero)
}
