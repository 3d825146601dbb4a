package axis

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Slice is a register slice with registered tready and full throughput.
type Slice[T any] struct {
	Of hw.Shape[T] `doc:"beat"`
}

// SlicePorts are the two sides of a Slice, with prefixes s_axis and m_axis.
type SlicePorts[T any] struct {
	In  Stream[T] `hw:"in,of=Of,name=s_axis" doc:"beats in"`
	Out Stream[T] `hw:"out,of=Of,name=m_axis" doc:"the same beats, later"`
}

// ModuleName returns the name of the module.
func (Slice[T]) ModuleName() string { return "axis_slice" }

// Build describes the slice.
func (p Slice[T]) Build(m *hw.Module) SlicePorts[T] {
	m.Doc("AXI4-Stream register slice.")
	io := hw.Ports[SlicePorts[T]](m)
	reg := hw.Inst(m, "skid", skid.Skid[T](p))
	reg.Push.Connect(io.In.Channel())
	io.Out.Channel().Connect(reg.Pop)
	return io
}
