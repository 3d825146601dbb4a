package external

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
	"github.com/hotline-rtl/hotline/hw/lib/xbar"
)

// parts instantiates library modules, each with several values of its Verilog parameter.
type parts struct{}

func (parts) Build(m *hw.Module) struct{} {
	push := m.Sink("push", 41)
	wide := hw.Inst(m, "wide", fifo.FIFO[hw.Bits]{Of: hw.Width(41), Depth: 4})
	wide.Push.Connect(push)
	narrow := hw.Inst(m, "narrow", fifo.FIFO[hw.Bits]{Of: hw.Width(27), Depth: 4})
	cut, one := hw.Inst(m, "cut", skid.Skid[hw.Bits]{Of: hw.Width(27)}), hw.Inst(m, "one", skid.Skid[hw.Bits]{Of: hw.Width(1)})
	narrow.Push.Valid.Set(wide.Pop.Valid)
	narrow.Push.Data.Set(wide.Pop.Data.Slice(40, 14))
	wide.Pop.Ready.Set(narrow.Push.Ready)
	cut.Push.Connect(narrow.Pop)
	one.Push.Valid.Set(cut.Pop.Valid)
	one.Push.Data.Set(cut.Pop.Data.Parity())
	cut.Pop.Ready.Set(one.Push.Ready)
	m.Source("pop", 1).Connect(one.Pop)

	for _, width := range []int{3, 70} {
		port := func(name string) string { return fmt.Sprintf("of_%s%d", name, width) }
		mem := hw.Inst(m, fmt.Sprint("mem", width), ram.SimpleDual[hw.Bits]{Of: hw.Width(width), Depth: 8})
		mem.Write.Set(m.In(port("we"), 1))
		mem.WAddr.Set(m.In(port("waddr"), 3))
		mem.WData.Set(m.In(port("wdata"), width))
		mem.Read.Set(m.In(port("re"), 1))
		mem.RAddr.Set(m.In(port("raddr"), 3))
		m.Out(port("rdata"), width).Set(mem.RData)

		x := hw.Inst(m, fmt.Sprint("xbar", width), xbar.Xbar[hw.Bits]{Of: hw.Width(width), Sources: 2, Dests: 2, Groups: 2, Depth: 2})
		x.Dest.Set(m.In(port("dest"), 2).Unpack(1))
		for i := range 2 {
			x.In.N(i).Connect(m.Sink(port(fmt.Sprint("in", i, "_")), width))
			m.Source(port(fmt.Sprint("out", i, "_")), width).Connect(x.Out.N(i))
		}
	}
	return struct{}{}
}

// TestParameters: modules with a Verilog parameter behave like the Go engines, which have a
// separate module per value.
func TestParameters(t *testing.T) {
	d := design(t, parts{})
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	values := map[string]int{}
	for _, f := range files {
		if f.Generic != nil {
			values[f.Name] = len(f.Modules)
		}
	}
	require.Equal(t, map[string]int{"fifo.v": 2, "skid.v": 2, "simple_dual_depth8.v": 2, "block_fifo.v": 2, "simple_dual_depth2.v": 2, "xbar.v": 2}, values)
	agrees(t, d, "icarus", Icarus, 2000)
	agrees(t, d, "verilator", Verilator, 10000)
}
