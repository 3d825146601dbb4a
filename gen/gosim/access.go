package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
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
func goType(v *value) string {
	switch {
	case v.bits() && v.lanes <= 64:
		return "uint64"
	case v.bits():
		return fmt.Sprintf("[%d]uint64", v.bitWords())
	case v.width > 64 && v.lanes == 1:
		return fmt.Sprintf("[%d]uint64", v.words())
	case v.width > 64:
		return fmt.Sprintf("[%d][%d]uint64", v.lanes, v.words())
	case v.lanes == 1:
		return "uint64"
	}
	return fmt.Sprintf("[%d]%s", v.lanes, laneType(v))
}

// laneType is the type of a lane of one of several, of at most 64 bits.
func laneType(v *value) string { return fmt.Sprintf("uint%d", max(elemBits(v.width), v.room)) }

// elemType is the smallest type for elements of a width, or for their words.
func elemType(width int) string { return fmt.Sprintf("uint%d", elemBits(width)) }

// field is the storage of v.
func field(v *value) *code.Expr {
	switch {
	case v.port != "":
		return portField(v)
	case v.of == nil:
		return code.Name("s.%s", fieldName(v))
	case v.of.lanes == 1:
		return field(v.of)
	}
	at := code.Call("unsafe.Pointer", field(v.of).Address())
	if v.lanes <= 64 {
		return code.Call("(*uint64)", at).Pointed()
	}
	return code.Call(fmt.Sprintf("(*[%d]uint64)", v.bitWords()), at)
}

// portField is the value of an input that is read where users put it.
func portField(v *value) *code.Expr {
	port := code.Name("%s", v.port)
	if v.only {
		port = port.At(0)
	}
	switch {
	case v.lanes == 1 && v.width == 1:
		return code.Bit(port)
	case v.lanes == 1 && v.width <= 64:
		return code.Word(port)
	}
	return port
}

// bitWord is word w of the lanes of a one-bit value.
func bitWord(v *value, w *code.Expr) *code.Expr {
	if v.lanes <= 64 {
		return field(v)
	}
	return field(v).Index(w)
}

// lane are the words of lane i of v.
func lane(v *value, i *code.Expr) []*code.Expr {
	known, isKnown := i.Number()
	switch {
	case v.bits() && isKnown:
		return []*code.Expr{bitWord(v, code.Num(known/64)).Down(int(known % 64)).Low(1)}
	case v.bits():
		word := field(v)
		if n := v.bitWords(); n > 1 {
			word = word.Index(masked(code.Op("/", code.Call("uint", i), code.Int(64)), n))
		}
		return []*code.Expr{code.Op(">>", word, bitNumber(i)).Low(1)}
	case v.width > 64:
		at := field(v)
		if v.lanes > 1 {
			at = at.Index(masked(i, v.lanes))
		}
		return elements(at, v.words())
	case v.lanes == 1:
		return []*code.Expr{field(v)}
	}
	return []*code.Expr{code.Word(field(v).Index(masked(i, v.lanes)))}
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
func laneOf(f form, l *code.Expr) *code.Expr {
	sum := code.Zero
	for _, t := range f.terms {
		sum = sum.Add(termOf(t, l))
	}
	if f.add < 0 {
		return sum.Sub(code.Int(-f.add))
	}
	return sum.Add(code.Int(f.add))
}

func termOf(t term, l *code.Expr) *code.Expr {
	if t.div > 1 {
		if k, ok := code.Power(t.div); ok {
			l = l.Down(k)
		} else {
			l = code.Op("/", l, code.Int(t.div))
		}
	}
	if t.mod > 0 {
		if _, ok := code.Power(t.mod); ok {
			l = l.And(code.Int(t.mod - 1))
		} else {
			l = code.Op("%", l, code.Int(t.mod))
		}
	}
	return times(l, t.mul)
}

// times is x n times.
func times(x *code.Expr, n int) *code.Expr {
	if n < 0 {
		return x.Mul(code.Int(-n)).Neg()
	}
	return x.Mul(code.Int(n))
}

// memoryType is the type of the storage of m.
func memoryType(m *memory) string {
	t := elemType(m.width)
	if m.width > 64 {
		t = fmt.Sprintf("[%d]uint64", ir.Words(m.width))
	}
	t = fmt.Sprintf("[%d]%s", m.room+m.gap(), t)
	if m.lanes > 1 {
		t = fmt.Sprintf("[%d]%s", m.lanes, t)
	}
	return t
}

// memoryWord is a word of a lane of m.
func memoryWord(m *memory, lane, at *code.Expr) *code.Expr {
	cells := code.Name("s.m%d", m.id)
	if m.lanes > 1 {
		cells = cells.Index(masked(lane, m.lanes))
	}
	return cells.Index(at)
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
