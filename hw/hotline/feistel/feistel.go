package feistel

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
)

// Feistel is the permutation of Width-bit ids, or its inverse, as a pipeline of
// a round per stage.
type Feistel struct {
	Width   int
	Inverse bool
}

// Ports are the ports of a Feistel. Out is what In was Rounds cycles ago,
// permuted; cycles with Enable 0 do not count, all stages hold in them. An id
// is meaningful where valid is 1.
type Ports struct {
	Enable          hw.Bits
	InValid, InID   hw.Bits
	OutValid, OutID hw.Bits
}

// ModuleName is feistel or feistel_inverse with the width.
func (p Feistel) ModuleName() string {
	if p.Inverse {
		return fmt.Sprintf("feistel_inverse_w%d", p.Width)
	}
	return fmt.Sprintf("feistel_w%d", p.Width)
}

// Build describes the pipeline.
func (p Feistel) Build(m *hw.Module) Ports {
	m.Doc("Keyed permutation of row ids, one Feistel round per stage.")
	io := Ports{
		Enable:   m.In("enable", 1),
		InValid:  m.In("in_valid", 1),
		InID:     m.In("in_id", max(p.Width, 2)),
		OutValid: m.Out("out_valid", 1),
		OutID:    m.Out("out_id", max(p.Width, 2)),
	}
	if p.Width < MinWidth || p.Width > MaxWidth {
		m.Errorf("width %d; want %d to %d", p.Width, MinWidth, MaxWidth)
		return io
	}
	s := stage{valid: io.InValid, hi: io.InID.Slice(p.Width-1, p.Width/2), lo: io.InID.Trunc(p.Width / 2)}
	for k := range Rounds {
		i := k
		if p.Inverse {
			i = Rounds - 1 - k
		}
		s = s.register(m, k+1, i, io.Enable)
	}
	io.OutValid.Set(s.valid)
	io.OutID.Set(hw.Cat(s.hi, s.lo))
	return io
}

// stage is what a stage holds.
type stage struct{ valid, hi, lo hw.Bits }

// register is the stage with number k, which holds s after round i.
func (s stage) register(m *hw.Module, k, i int, enable hw.Bits) stage {
	next := stage{
		valid: m.Reg(fmt.Sprintf("valid%d", k), 1, 0),
		hi:    m.Data(fmt.Sprintf("hi%d", k), s.hi.Width()),
		lo:    m.Data(fmt.Sprintf("lo%d", k), s.lo.Width()),
	}
	hi, lo := s.hi, s.lo
	if changesLow(i) {
		lo = lo.Xor(mixer(s.hi, keys[i]).Trunc(lo.Width()))
	} else {
		hi = hi.Xor(mixer(s.lo.Ext(hi.Width()), keys[i]))
	}
	m.When(enable, func() {
		next.valid.Set(s.valid)
		m.When(s.valid, func() {
			next.hi.Set(hi)
			next.lo.Set(lo)
		})
	})
	return next
}

// mixer is mix in hardware.
func mixer(x hw.Bits, key uint32) hw.Bits {
	m := x.Width()
	x = x.Add(hw.K(key & mask(m)))
	x = x.Add(x.Shl(hw.K(3)))
	x = x.Xor(x.Shr(hw.K(m / 2)))
	x = x.Add(x.RotL(hw.K(m/2 - 1)))
	return x.Xor(x.Shr(hw.K(m / 3)))
}
