package wrap

import (
	"math/bits"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// bursts splits transfers at 4 KiB boundaries. Beats have at least 16 bytes. So a page takes at
// most one burst, and a transfer of up to 4096 bytes at most two.
type bursts struct{ arch.Link }

// pageBits is log2 of the size of a page, whose boundaries a burst must not cross.
const pageBits = 12

// transfer is a descriptor: Len bytes, 4 to 4096, at Addr. Both are multiples of 4.
type transfer struct {
	Addr hw.Bits `hw:"64"`
	Len  hw.Bits `hw:"13"`
	Tag  hw.Bits `hw:"ReadTagBits"`
}

// burst is a part of a transfer.
type burst struct {
	Addr  hw.Bits `hw:"64"`
	Len   hw.Bits `hw:"8" doc:"beats less one"`
	Tag   hw.Bits `hw:"ReadTagBits"`
	Shift hw.Bits `hw:"LaneBits" doc:"words before the first of the transfer in its first beat"`
	Last  hw.Bits `doc:"the last one of its transfer"`
}

// LaneBits returns the width of a word's number within a beat.
func (p bursts) LaneBits() int { return arch.Log2(p.StreamBits / 32) }

type burstsPorts struct {
	In  hw.Stream[transfer] `hw:"in,name=transfer" doc:"descriptors"`
	Out hw.Stream[burst]    `hw:"out,name=burst" doc:"their bursts"`
}

// Build describes the unit.
func (p bursts) Build(m *hw.Module) burstsPorts {
	m.Doc("Splits transfers into bursts that do not cross 4 KiB.")
	io := hw.Ports[burstsPorts](m)
	busy, rest := m.Reg("busy", 1, 0), hw.Data[transfer](m, "rest")
	shift := m.Data("shift", p.LaneBits())

	room := hw.Named("page_bytes", 1<<pageBits).Sub(rest.Addr.Trunc(pageBits).Ext(pageBits + 1)).As("room")
	last := rest.Len.Le(room).As("last")
	length := hw.Mux(last, rest.Len, room).As("length")
	beat := bits.Len(uint(p.StreamBytes() - 1)) // width of a byte's number within a beat
	end := rest.Addr.Trunc(beat).Ext(pageBits + 1).Add(length.Dec()).As("last_byte")

	io.In.Ready.Set(busy.Not().Or(io.Out.Ready.And(last)))
	io.Out.Valid.Set(busy)
	hw.Set(io.Out.Data, burst{Addr: rest.Addr, Len: end.Slice(pageBits-1, beat).Resize(8), Tag: rest.Tag, Shift: shift, Last: last})
	m.When(io.In.Ready, func() {
		busy.Set(io.In.Valid)
	})
	m.When(io.In.Fire(), func() {
		hw.Set(rest, io.In.Data)
		shift.Set(io.In.Data.Addr.Slice(beat-1, 2))
	}).ElseWhen(io.Out.Fire(), func() {
		rest.Addr.Set(hw.Cat(rest.Addr.Slice(63, pageBits).Inc(), hw.Zeros(pageBits)))
		rest.Len.Set(rest.Len.Sub(room))
	})
	return io
}
