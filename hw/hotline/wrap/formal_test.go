package wrap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// splitting is bursts with arbitrary transfers.
type splitting struct{ bursts }

// ModuleName returns the name of the proof.
func (splitting) ModuleName() string { return "splitting" }

func (p splitting) Build(m *hw.Module) burstsPorts {
	io := hw.Ports[burstsPorts](m)
	unit := hw.Inst(m, "unit", p.bursts)
	hw.Connect(unit.In, io.In)
	hw.Connect(io.Out, unit.Out)
	in, out := io.In.Data, io.Out.Data
	words := func(x hw.Bits) hw.Bits { return x.Trunc(2).IsZero() }
	m.Assume(words(in.Addr).And(words(in.Len)).And(in.Len.Any()).And(in.Len.Le(hw.K(1<<pageBits))), "transfers are lawful")

	page, split := m.Data("page", 64-pageBits), m.Reg("split", 1, 0) // after a burst that was not the last of its transfer
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

// cutting is a cutter with arbitrary bursts and data.
type cutting struct{ cutter }

// ModuleName returns the name of the proof.
func (cutting) ModuleName() string { return "cutting" }

func (p cutting) Build(m *hw.Module) cutterPorts {
	io := hw.Ports[cutterPorts](m)
	unit := hw.Inst(m, "unit", p.cutter)
	unit.Cut.Connect(io.Cut)
	hw.Connect(unit.Data, io.Data)
	io.Beat.Connect(unit.Beat)

	moves, last, gone := io.Beat.Fire(), io.Beat.Data.Last, m.Reg("gone", 8, 0) // gone: beats of the current burst that have left
	m.When(moves, func() {
		gone.Set(hw.Mux(last, hw.K(0), gone.Inc()))
		m.Assert(last.Eq(gone.Eq(io.Cut.Data.Len)), "a burst has as many beats as its address says")
	})
	m.Assert(io.Beat.Valid.Not().Or(io.Cut.Valid), "a beat is of a burst")
	m.Assert(io.Cut.Fire().Eq(moves.And(last)), "a burst is over with its last beat")
	return io
}

// TestFormalBeats: the data of a burst has as many beats as its address specifies. Addresses are
// issued together with cuts, a FIFO preserves the order of the cuts, and the data of each cut has
// the right number of beats.
func TestFormalBeats(t *testing.T) {
	p := arch.Link{Stream: arch.Stream{StreamBits: 128}, Tags: 4}
	d, err := hw.Elaborate(cutting{cutter{p}})
	require.NoError(t, err)
	formal.Holds(t, d)
	bench.Stick(d, "cutter", "beat")
	formal.Fails(t, d, "a burst has as many beats as its address says")

	d, err = hw.Elaborate(axiWrite{p})
	require.NoError(t, err)
	formal.Holds(t, d)
	for _, st := range d.Top.Body.Stmts { // fault: a cut is issued while there is no room for its address
		if a, ok := st.(*ir.Assign); ok && a.LHS.Sig.Name == "cuts_push_valid" {
			a.RHS = a.RHS.Args[0]
		}
	}
	formal.Fails(t, d, "an address and the cut of its data go together")
}

// requesting is a userIRQ, or a faulty one, with arbitrary completions. Each acknowledge belongs to
// a request or to its end.
type requesting struct{ Fault string }

// ModuleName returns the name of the proof.
func (requesting) ModuleName() string { return "requesting" }

func (p requesting) Build(m *hw.Module) userIRQPorts {
	io := hw.Ports[userIRQPorts](m)
	unit := userIRQPorts{}
	if p.Fault == "" {
		unit = hw.Inst(m, "irq", userIRQ{})
	} else {
		unit = hw.Inst(m, "irq", faultyIRQ(p))
	}
	unit.Level.Set(io.Level)
	unit.Legacy.Set(io.Legacy)
	unit.Ack.Set(io.Ack)
	io.Req.Set(unit.Req)

	was, legacy := m.Reg("was", 1, 0), m.Reg("was_legacy", 1, 0)
	sending, ending, serviced, waited := m.Reg("is_sending", 1, 0), m.Reg("is_ending", 1, 0), m.Reg("is_serviced", 1, 0), m.Reg("waited", 1, 0)
	was.Set(io.Req)
	legacy.Set(io.Legacy)
	m.Assume(io.Ack.Not().Or(sending).Or(ending), "acknowledges have a request")
	m.When(sending.Or(ending).Or(was), func() { m.Assume(io.Legacy.Eq(legacy), "the kind of interrupts stays while one is under way") })
	rises, falls := io.Req.And(was.Not()), was.And(io.Req.Not())
	m.When(rises, func() {
		sending.Set(hw.K(1))
		serviced.Set(io.Level.Not())
		m.Assert(ending.Not(), "a request waits for the end of the one before")
	}).Else(func() {
		m.When(io.Level.Not(), func() { serviced.Set(hw.K(1)) })
		m.When(io.Ack, func() {
			sending.Set(hw.K(0))
			ending.Set(hw.K(0))
		})
	})
	m.When(falls, func() {
		ending.Set(io.Legacy)
		m.Assert(sending.Not(), "a request stays until the interrupt is sent")
		m.Assert(serviced, "a request stays until the interrupt is serviced")
	})
	// Nothing is in progress, and completions have waited for a cycle.
	waited.Set(io.Level.And(io.Req.Not()).And(ending.Not()).And(falls.Not()))
	m.When(waited, func() { m.Assert(io.Req, "completions that wait are requested") })
	return io
}

func TestFormalUserIRQ(t *testing.T) {
	d, err := hw.Elaborate(requesting{})
	require.NoError(t, err)
	formal.Holds(t, d)
	for fault, says := range irqFaults {
		d, err := hw.Elaborate(requesting{fault})
		require.NoError(t, err)
		formal.Fails(t, d, says[1])
	}
}
