package wrap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

// splitting is bursts with any transfers.
type splitting struct{ bursts }

// ModuleName is that of the proof.
func (splitting) ModuleName() string { return "splitting" }

func (p splitting) Build(m *hw.Module) burstsPorts {
	io := hw.Ports[burstsPorts](m)
	unit := hw.Inst(m, "unit", p.bursts)
	hw.Connect(unit.In, io.In)
	hw.Connect(io.Out, unit.Out)
	in, out := io.In.Data, io.Out.Data
	words := func(x hw.Bits) hw.Bits { return x.Trunc(2).IsZero() }
	m.Assume(words(in.Addr).And(words(in.Len)).And(in.Len.Any()).And(in.Len.Le(hw.K(1<<pageBits))), "transfers are lawful")

	page, split := m.Data("page", 64-pageBits), m.Reg("split", 1, 0) // behind the burst before, which was not the last
	beat, place := arch.Log2(p.StreamBytes()), out.Addr.Trunc(pageBits)
	end := place.Shr(hw.K(beat)).Ext(pageBits).Add(out.Len.Ext(pageBits)).As("last_beat")
	m.When(io.Out.Valid, func() {
		m.Assert(end.Lt(hw.K(1<<(pageBits-beat))), "a burst stays within 4 KiB")
		m.When(split, func() {
			m.Assert(place.IsZero().And(out.Addr.Slice(63, pageBits).Eq(page)), "the second burst begins where 4 KiB end")
			m.Assert(out.Last, "a transfer is two bursts at most")
		})
	})
	m.When(io.Out.Fire(), func() {
		split.Set(out.Last.Not())
		page.Set(out.Addr.Slice(63, pageBits).Inc())
	})
	return io
}

func TestFormal(t *testing.T) {
	d, err := hw.Elaborate(splitting{bursts{arch.Link{Stream: arch.Stream{StreamBits: 128}, Tags: 4}}})
	require.NoError(t, err)
	formal.Holds(t, d)
	bench.Stick(d, "bursts", "rest_addr")
	formal.Fails(t, d, "the second burst begins where 4 KiB end")
}
