package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// The variables of generated functions that have a fixed name.
var (
	lane0  = code.Zero
	laneL  = code.Name("l") // lane
	wordI  = code.Name("i") // word of lanes
	wordW  = code.Name("w") // 64 lanes, of words of several
	elemK  = code.Name("k") // element of a list
	maskM  = code.Name("m") // lanes that are left
	valueV = code.Name("value")
)

// goType is the type of v's storage.
func goType(v *plan.Value) string {
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
	return fmt.Sprintf("[%d]%s", v.Lanes, laneType(v))
}

// laneType is the type of a lane of one of several, of at most 64 bits.
func laneType(v *plan.Value) string {
	return fmt.Sprintf("uint%d", max(plan.ElemBits(v.Width), v.Room))
}

// elemType is the smallest type for elements of a width, or for their words.
func elemType(width int) string { return fmt.Sprintf("uint%d", plan.ElemBits(width)) }

// field is the storage of v.
func field(v *plan.Value) *code.Expr {
	switch {
	case v.Port != "":
		return portField(v)
	case v.Of == nil:
		return code.Name("s.%s", names.Field(v))
	case v.Of.Lanes == 1:
		return field(v.Of)
	}
	at := code.Call("unsafe.Pointer", field(v.Of).Address())
	if v.Lanes <= 64 {
		return code.Call("(*uint64)", at).Pointed()
	}
	return code.Call(fmt.Sprintf("(*[%d]uint64)", v.BitWords()), at)
}

// portField is the value of an input that is read where users put it.
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

// bitWord is word w of the lanes of a one-bit value.
func bitWord(v *plan.Value, w *code.Expr) *code.Expr {
	if v.Lanes <= 64 {
		return field(v)
	}
	return field(v).Index(w)
}

// lane are the words of lane i of v.
func lane(v *plan.Value, i *code.Expr) []*code.Expr {
	known, isKnown := i.Number()
	switch {
	case v.Bits() && isKnown:
		return []*code.Expr{bitWord(v, code.Num(known/64)).Down(int(known % 64)).Low(1)}
	case v.Bits():
		word := field(v)
		if n := v.BitWords(); n > 1 {
			word = word.Index(masked(code.Op("/", code.Call("uint", i), code.Int(64)), n))
		}
		return []*code.Expr{code.Op(">>", word, bitNumber(i)).Low(1)}
	case v.Width > 64:
		at := field(v)
		if v.Lanes > 1 {
			at = at.Index(masked(i, v.Lanes))
		}
		return elements(at, v.Words())
	case v.Lanes == 1:
		return []*code.Expr{field(v)}
	}
	return []*code.Expr{code.Word(field(v).Index(masked(i, v.Lanes)))}
}

// elements are the first n elements of an array.
func elements(array *code.Expr, n int) []*code.Expr {
	out := make([]*code.Expr, n)
	for k := range out {
		out[k] = array.At(k)
	}
	return out
}

// masked is i as an index of an array of n, with a mask where that spares a check.
func masked(i *code.Expr, n int) *code.Expr {
	if _, ok := i.Number(); ok || n&(n-1) != 0 {
		return i
	}
	return i.And(code.Int(n - 1))
}

// bitNumber is the number of a lane among those of a word, for a shift.
func bitNumber(i *code.Expr) *code.Expr { return code.Call("uint", i).And(code.Int(63)) }

// laneOf is f of the int variable l.
func laneOf(f plan.Form, l *code.Expr) *code.Expr {
	sum := code.Zero
	for _, t := range f.Terms {
		sum = sum.Add(termOf(t, l))
	}
	if f.Add < 0 {
		return sum.Sub(code.Int(-f.Add))
	}
	return sum.Add(code.Int(f.Add))
}

func termOf(t plan.Term, l *code.Expr) *code.Expr {
	if t.Div > 1 {
		if k, ok := code.Power(t.Div); ok {
			l = l.Down(k)
		} else {
			l = code.Op("/", l, code.Int(t.Div))
		}
	}
	if t.Mod > 0 {
		if _, ok := code.Power(t.Mod); ok {
			l = l.And(code.Int(t.Mod - 1))
		} else {
			l = code.Op("%", l, code.Int(t.Mod))
		}
	}
	return times(l, t.Mul)
}

// times is x n times.
func times(x *code.Expr, n int) *code.Expr {
	if n < 0 {
		return x.Mul(code.Int(-n)).Neg()
	}
	return x.Mul(code.Int(n))
}

// memoryType is the type of the storage of m.
func memoryType(m *plan.Memory) string {
	t := elemType(m.Width)
	if m.Width > 64 {
		t = fmt.Sprintf("[%d]uint64", ir.Words(m.Width))
	}
	switch {
	case m.Lanes == 1:
		return fmt.Sprintf("[%d]%s", m.Room, t)
	case m.Across():
		return fmt.Sprintf("[%d][%d]%s", m.Room, m.Lanes, t)
	}
	return fmt.Sprintf("[%d][%d]%s", m.Lanes, m.Room+m.Gap(), t)
}

// memoryWord is a word of a lane of m.
func memoryWord(m *plan.Memory, lane, at *code.Expr) *code.Expr {
	cells := code.Name("s.m%d", m.ID)
	switch {
	case m.Lanes == 1:
		return cells.Index(at)
	case m.Across():
		return cells.Index(at).Index(masked(lane, m.Lanes))
	}
	return cells.Index(masked(lane, m.Lanes)).Index(at)
}

// wordType is the type of the words of memories of a width.
func wordType(width int) string {
	if width > 64 {
		return "uint64"
	}
	return elemType(width)
}

// constants are the words of a constant.
func constantWords(k []uint64, width int) []*code.Expr {
	out := make([]*code.Expr, ir.Words(width))
	for i := range out {
		out[i] = code.Num(k[i])
	}
	return out
}
