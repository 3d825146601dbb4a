package top

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// keeps applies the rules of a stream.
func keeps[T any](m *hw.Module, name string, s hw.Stream[T], rule func(*hw.Module, string, hw.Shape[hw.Bits], hw.Stream[hw.Bits])) {
	x := stream.Map(s, hw.Pack[T])
	rule(m, name, hw.Width(x.Data.Width()), x)
}

// reads is a ReadMerge with arbitrary requests.
type reads struct{ ReadMerge }

// ModuleName returns the name of the proof.
func (reads) ModuleName() string { return "reads" }

func (p reads) Build(m *hw.Module) ReadMergePorts {
	io := hw.Ports[ReadMergePorts](m)
	merge := hw.Inst(m, "merge", p.ReadMerge)
	for i, r := range io.Requests {
		merge.Requests[i].Connect(r)
		keeps(m, fmt.Sprint("in", i), r, stream.Assume)
	}
	io.Request.Connect(merge.Request)
	keeps(m, "out", io.Request, stream.Check)
	return io
}

// writes is a WriteMerge with arbitrary packets and data. The proof shows that data belongs to the
// preceding packets: while a block's data leaves, the latest packets are packets of this block.
type writes struct{ WriteMerge }

// ModuleName returns the name of the proof.
func (writes) ModuleName() string { return "writes" }

func (p writes) Build(m *hw.Module) WriteMergePorts {
	io := hw.Ports[WriteMergePorts](m)
	merge := hw.Inst(m, "merge", p.WriteMerge)
	last, owed := m.Data("last_of", hw.IndexWidth(p.N)), m.Reg("packets_owed", 8, 0)
	for i := range p.N {
		packet, data := io.Packets[i], io.Beats[i]
		merge.Packets[i].Connect(packet)
		merge.Beats[i].Connect(data)
		keeps(m, fmt.Sprint("packet", i), packet, stream.Assume)
		keeps(m, fmt.Sprint("data", i), data, stream.Assume)
		m.When(packet.Fire(), func() {
			last.Set(hw.K(i))
			m.Assert(owed.IsZero().Or(last.Eq(hw.K(i))), "no packet passes another's data")
		})
		m.When(data.Fire(), func() {
			m.Assert(owed.Any().And(last.Eq(hw.K(i))), "data follows its packet")
		})
	}
	io.Packet.Connect(merge.Packet)
	io.Beat.Connect(merge.Beat)
	keeps(m, "packet", io.Packet, stream.Check)
	keeps(m, "data", io.Beat, stream.Check)
	ends := io.Beat.Fire().And(io.Beat.Data.Last)
	owed.Set(owed.Add(io.Packet.Fire().Ext(8)).Sub(ends.Ext(8)))
	return io
}

func TestFormal(t *testing.T) {
	elaborated := func(d *ir.Design, err error) *ir.Design {
		require.NoError(t, err)
		return d
	}
	for _, c := range []struct {
		design           *ir.Design
		module, register string
		texts            []string
	}{
		{elaborated(hw.Elaborate(reads{ReadMerge{N: 2}})), "read_merge", "waiting", []string{"out: data stays until the transfer"}},
		{elaborated(hw.Elaborate(writes{WriteMerge{arch.Stream{StreamBits: 64}, 3}})), "write_merge", "owner", []string{"data follows its packet", "no packet passes another's data"}},
	} {
		formal.Holds(t, c.design)
		bench.Stick(c.design, c.module, c.register)
		formal.Fails(t, c.design, c.texts...)
	}
}

// owing is an InterruptLine, or a faulty one, with arbitrary inputs and a record of the pending
// interrupt.
type owing struct{ Fault string }

// ModuleName returns the name of the proof.
func (owing) ModuleName() string { return "owing" }

func (p owing) Build(m *hw.Module) InterruptLinePorts {
	io := hw.Ports[InterruptLinePorts](m)
	unit := InterruptLinePorts{}
	if p.Fault == "" {
		unit = hw.Inst(m, "irq", InterruptLine{})
	} else {
		unit = hw.Inst(m, "irq", faulty(p))
	}
	unit.Left.Set(io.Left)
	unit.Allowed.Set(io.Allowed)
	unit.Ack.Set(io.Ack)
	io.Req.Set(unit.Req)
	owed := m.Reg("completion_owed", 1, 0)
	owed.Set(io.Left.Or(owed.And(io.Req.And(io.Ack).Not())))
	m.When(owed, func() {
		m.Assert(io.Req.Or(io.Allowed.Not()), "a completion that left is requested until an acknowledge")
	})
	m.When(io.Req, func() {
		m.Assert(io.Allowed, "nothing is requested that the straps forbid")
		m.Assert(owed, "a request has a completion")
	})
	return io
}

func TestFormalInterrupt(t *testing.T) {
	d, err := hw.Elaborate(owing{})
	formal.Holds(t, elaborated(t, d, err))
	for fault, text := range faults {
		d, err := hw.Elaborate(owing{fault})
		formal.Fails(t, elaborated(t, d, err), text)
	}
}
