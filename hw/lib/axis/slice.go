package axis

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Slice is a register slice: a stage with registered tready, at full
// throughput.
type Slice Type

// SlicePorts are the two sides of a Slice, with prefixes s_axis and m_axis.
type SlicePorts struct{ In, Out Bundle }

// ModuleName tells it from other slices.
func (p Slice) ModuleName() string {
	return fmt.Sprintf("axis_slice_w%d_i%d_u%d", p.Width, p.ID, p.User)
}

// Build describes the slice.
func (p Slice) Build(m *hw.Module) SlicePorts {
	m.Doc("AXI4-Stream register slice.")
	t := Type(p)
	io := SlicePorts{In: t.Sink(m, "s_axis"), Out: t.Source(m, "m_axis")}
	reg := hw.Inst(m, "skid", skid.Skid[hw.Bits]{Of: hw.Width(t.PackedWidth())})
	reg.Push.Valid.Set(io.In.TValid)
	reg.Push.Data.Set(io.In.Pack())
	io.In.TReady.Set(reg.Push.Ready)
	io.Out.TValid.Set(reg.Pop.Valid)
	io.Out.Unpack(reg.Pop.Data)
	reg.Pop.Ready.Set(io.Out.TReady)
	return io
}
