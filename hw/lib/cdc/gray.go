package cdc

import "github.com/hotline-rtl/hotline/hw"

// Gray returns a recent value of x in the domain of clock to. x follows clock from and changes by
// one at a time, modulo a power of two; an assertion checks this. Only one bit of the code changes
// at a time.
func Gray(m *hw.Module, name string, from, to hw.Clock, x hw.Bits) hw.Bits {
	return hw.Scope(m, name, func() hw.Bits { return counted(m, from, to, hw.CrossGray, x) })
}

// counted transfers a count from one clock to another as a Gray code.
func counted(m *hw.Module, from, to hw.Clock, kind hw.Crossing, x hw.Bits) hw.Bits {
	var gray hw.Bits
	m.Clocked(from, func() {
		gray = m.Reg("gray", x.Width(), 0) // a register, so that each bit changes at most once per cycle
		next := encode(x)
		gray.Set(next)
		if x.Width() > 1 {
			changes := gray.Xor(next).As("changes")
			m.Assert(changes.And(changes.Dec()).IsZero(), "at most one bit of a Gray code changes at a time")
		}
	})
	return decode(m.Crossing("gray", to, kind, gray)).As("count")
}

// encode returns the Gray code of x.
func encode(x hw.Bits) hw.Bits {
	if x.Width() == 1 {
		return x
	}
	return x.Xor(x.Slice(x.Width()-1, 1).Ext(x.Width()))
}

// decode returns the number for a Gray code.
func decode(gray hw.Bits) hw.Bits {
	high := gray.Width() - 1
	bits := make([]hw.Bits, gray.Width())
	for i := range bits {
		bits[i] = gray.Slice(high, high-i).Parity()
	}
	return hw.Cat(bits...)
}
