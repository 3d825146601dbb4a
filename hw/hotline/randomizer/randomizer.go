package randomizer

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
)

// Randomizer is a pipeline for the permutation of Width-bit ids, or for its inverse, with one round
// per stage.
type Randomizer struct {
	Width   int  `doc:"row id" unit:"bits"`
	Inverse bool `doc:"undoes the permutation"`
}

// Entry is an id in the pipeline. It is valid if Valid is 1.
type Entry struct {
	Valid hw.Bits
	ID    hw.Bits `hw:"IDBits"`
}

// Ports are the ports of a Randomizer. Out is the permutation of In, Rounds cycles later. In cycles
// with Enable 0, which do not count, all stages hold.
type Ports struct {
	Enable hw.Bits `hw:"in" doc:"the pipeline advances"`
	In     Entry   `hw:"in" doc:"row ids"`
	Out    Entry   `hw:"out" doc:"their permutation, four cycles with enable later"`
}

// IDBits returns the width of an id. Build rejects small widths, but its ports need a legal width.
func (p Randomizer) IDBits() int { return max(p.Width, 2) }

// HighBits returns the width of the upper half.
func (p Randomizer) HighBits() int { return p.IDBits() - p.LowBits() }

// LowBits returns the width of the lower half.
func (p Randomizer) LowBits() int { return p.IDBits() / 2 }

// pair is an id split into two halves.
type pair struct {
	Hi hw.Bits `hw:"HighBits"`
	Lo hw.Bits `hw:"LowBits"`
}

// Build describes the pipeline.
func (p Randomizer) Build(m *hw.Module) Ports {
	m.Doc("Randomizer: keyed permutation of row ids, one Feistel round per stage.")
	io := hw.Ports[Ports](m)
	if p.Width < MinWidth || p.Width > MaxWidth {
		m.Errorf("width is %d; expected %d to %d", p.Width, MinWidth, MaxWidth)
		return io
	}
	valid, id := io.In.Valid, hw.Unpack[pair](m, io.In.ID)
	for k := range Rounds {
		i := k
		if p.Inverse {
			i = Rounds - 1 - k
		}
		name := fmt.Sprintf("stage%d", k+1)
		nextValid, next := m.Reg(name+"_valid", 1, 0), hw.Data[pair](m, name)
		m.When(io.Enable, func() {
			nextValid.Set(valid)
			m.When(valid, func() { hw.Set(next, id.round(i)) })
		})
		valid, id = nextValid, next
	}
	io.Out.Valid.Set(valid)
	io.Out.ID.Set(hw.Pack(id))
	return io
}

// round returns the id after round i.
func (h pair) round(i int) pair {
	if changesLow(i) {
		h.Lo = h.Lo.Xor(mixer(h.Hi, i).Trunc(h.Lo.Width()))
	} else {
		h.Hi = h.Hi.Xor(mixer(h.Lo.Ext(h.Hi.Width()), i))
	}
	return h
}

// mixer describes the hardware of mix with the key of round i.
func mixer(x hw.Bits, i int) hw.Bits {
	m := x.Width()
	x = x.Add(hw.NamedHex(fmt.Sprintf("key%d", i), int(keys[i]&mask(m))))
	x = x.Add(x.Shl(hw.K(3)))
	x = x.Xor(x.Shr(hw.K(m / 2)))
	x = x.Add(x.RotL(m/2 - 1))
	return x.Xor(x.Shr(hw.K(m / 3)))
}
