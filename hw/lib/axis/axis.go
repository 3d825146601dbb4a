package axis

import "github.com/hotline-rtl/hotline/hw"

// Type is the shape of a stream: Width bits of tdata, a multiple of 8, with one
// tkeep bit per byte, ID bits of tid and User bits of tuser. Where ID or User
// is 0 the port is absent.
type Type struct {
	Width, ID, User int
}

// Bundle is the signals of a stream. TID and TUser are zero values if absent.
type Bundle struct {
	TData, TKeep, TID, TUser, TLast hw.Bits
	TValid, TReady                  hw.Bits
}

// Sink declares the receiving end: all ports are inputs but tready.
func (t Type) Sink(m *hw.Module, prefix string) Bundle {
	return t.declare(m, prefix, m.In, m.Out)
}

// Source declares the sending end: all ports are outputs but tready.
func (t Type) Source(m *hw.Module, prefix string) Bundle {
	return t.declare(m, prefix, m.Out, m.In)
}

// Channel declares the wires of a stream inside a module.
func (t Type) Channel(m *hw.Module, prefix string) Bundle {
	return t.declare(m, prefix, m.Wire, m.Wire)
}

func (t Type) declare(m *hw.Module, prefix string, forward, back func(string, int) hw.Bits) Bundle {
	if t.Width < 8 || t.Width%8 != 0 {
		m.Errorf("%s: %d bits of tdata; want a multiple of 8", prefix, t.Width)
		t.Width = 8
	}
	b := Bundle{TData: forward(prefix+"_tdata", t.Width), TKeep: forward(prefix+"_tkeep", t.Width/8)}
	if t.ID > 0 {
		b.TID = forward(prefix+"_tid", t.ID)
	}
	if t.User > 0 {
		b.TUser = forward(prefix+"_tuser", t.User)
	}
	b.TLast = forward(prefix+"_tlast", 1)
	b.TValid = forward(prefix+"_tvalid", 1)
	b.TReady = back(prefix+"_tready", 1)
	return b
}

// payload are the signals that move with a beat, the first most significant in
// a packed word.
func (b Bundle) payload() []hw.Bits {
	var out []hw.Bits
	for _, x := range []hw.Bits{b.TUser, b.TID, b.TLast, b.TKeep, b.TData} {
		if x.Width() > 0 {
			out = append(out, x)
		}
	}
	return out
}

// Fire is 1 when a beat moves.
func (b Bundle) Fire() hw.Bits { return b.TValid.And(b.TReady) }

// Pack is tuser, tid, tlast, tkeep and tdata as one word, tdata lowest.
func (b Bundle) Pack() hw.Bits { return hw.Cat(b.payload()...) }

// PackedWidth is the width of Pack.
func (t Type) PackedWidth() int { return t.User + t.ID + 1 + t.Width/8 + t.Width }

// Unpack sets the payload signals from a word that Pack made.
func (b Bundle) Unpack(word hw.Bits) {
	hi := word.Width() - 1
	for _, x := range b.payload() {
		x.Set(word.Slice(hi, hi-x.Width()+1))
		hi -= x.Width()
	}
}

// Connect makes b the receiver of what from sends; both have the same Type.
func (b Bundle) Connect(from Bundle) {
	for i, x := range from.payload() {
		b.payload()[i].Set(x)
	}
	b.TValid.Set(from.TValid)
	from.TReady.Set(b.TReady)
}

// Keep is tkeep for a beat of count bytes on a stream of n: the low count bits
// are set.
func Keep(count hw.Bits, n int) hw.Bits {
	return hw.Ones(n).Shl(count).Not()
}
