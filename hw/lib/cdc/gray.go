package cdc

import "github.com/hotline-rtl/hotline/hw"

// Gray is x, which follows clock from and changes by one at a time, modulo a power of
// two, as clock to sees it: a value that it had. One bit changes on the way.
func Gray(m *hw.Module, name string, from, to hw.Clock, x hw.Bits) hw.Bits {
	return hw.Scope(m, name, func() hw.Bits { return counted(m, from, to, x) })
}

func counted(m *hw.Module, from, to hw.Clock, x hw.Bits) hw.Bits {
	var gray hw.Bits
	m.Clocked(from, func() {
		gray = m.Reg("gray", x.Width(), 0) // a register, so that no bit changes twice
		gray.Set(encode(x))
	})
	return decode(synchronise(m, to, gray)).As("count")
}

// encode is the Gray code of x.
func encode(x hw.Bits) hw.Bits {
	if x.Width() == 1 {
		return x
	}
	return x.Xor(x.Slice(x.Width()-1, 1).Ext(x.Width()))
}

// decode is the number of a Gray code.
func decode(gray hw.Bits) hw.Bits {
	high := gray.Width() - 1
	bits := make([]hw.Bits, gray.Width())
	for i := range bits {
		bits[i] = gray.Slice(high, high-i).Parity()
	}
	return hw.Cat(bits...)
}
