package randomizer

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
)

// Randomizer is the permutation of Width-bit ids, or its inverse, as a pipeline
// of a round per stage.
type Randomizer struct {
	Width   int
	Inverse bool
}

// Entry is an id under way. It is meaningful where Valid is 1.
type Entry struct {
	Valid hw.Bits
	ID    hw.Bits `hw:"IDBits"`
}

// Ports are the ports of a Randomizer. Out is what In was Rounds cycles ago,
// permuted; cycles with Enable 0 do not count, all stages hold in them.
type Ports struct {
	Enable hw.Bits `hw:"in"`
	In     Entry   `hw:"in"`
	Out    Entry   `hw:"out"`
}

// ModuleName is randomizer or randomizer_inverse with the width.
func (p Randomizer) ModuleName() string {
	if p.Inverse {
		return fmt.Sprintf("randomizer_inverse_w%d", p.Width)
	}
	return fmt.Sprintf("randomizer_w%d", p.Width)
}

// IDBits is the width of an id, and of the ports of a Randomizer that is refused.
func (p Randomizer) IDBits() int { return max(p.Width, 2) }

// HighBits is the width of the upper half.
func (p Randomizer) HighBits() int { return p.IDBits() - p.LowBits() }

// LowBits is the width of the lower half.
func (p Randomizer) LowBits() int { return p.IDBits() / 2 }

// pair is an id in two halves.
type pair struct {
	Hi hw.Bits `hw:"HighBits"`
	Lo hw.Bits `hw:"LowBits"`
}

// Build describes the pipeline.
func (p Randomizer) Build(m *hw.Module) Ports {
	m.Doc("Randomizer: keyed permutation of row ids, one Feistel round per stage.")
	io := hw.Ports[Ports](m)
	if p.Width < MinWidth || p.Width > MaxWidth {
		m.Errorf("width %d; want %d to %d", p.Width, MinWidth, MaxWidth)
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

// round is the id after round i.
func (h pair) round(i int) pair {
	if changesLow(i) {
		h.Lo = h.Lo.Xor(mixer(h.Hi, keys[i]).Trunc(h.Lo.Width()))
	} else {
		h.Hi = h.Hi.Xor(mixer(h.Lo.Ext(h.Hi.Width()), keys[i]))
	}
	return h
}

// mixer is mix in hardware.
func mixer(x hw.Bits, key uint32) hw.Bits {
	m := x.Width()
	x = x.Add(hw.K(key & mask(m)))
	x = x.Add(x.Shl(hw.K(3)))
	x = x.Xor(x.Shr(hw.K(m / 2)))
	x = x.Add(x.RotL(m/2 - 1))
	return x.Xor(x.Shr(hw.K(m / 3)))
}
