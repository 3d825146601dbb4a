package arithmetic

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/fp32"
)

// units is a module of parallel adders and multipliers that accept a new pair of operands in each
// cycle.
type units struct{ Lanes int }

// ports are the ports of units. Results follow their operands after fp32.Latency cycles.
type ports struct {
	A       hw.Vec `hw:"in,32,len=Lanes"`
	B       hw.Vec `hw:"in,32,len=Lanes"`
	Sum     hw.Vec `hw:"out,32,len=Lanes"`
	Product hw.Vec `hw:"out,32,len=Lanes"`
}

// Build describes the units.
func (p units) Build(m *hw.Module) ports {
	io := hw.Ports[ports](m)
	m.For("lane", p.Lanes, func(i hw.Index) {
		connect := func(x fp32.Ports, to hw.Vec) {
			x.Valid.Set(hw.K(1))
			x.A.Set(io.A.At(i))
			x.B.Set(io.B.At(i))
			to.At(i).Set(x.Y)
			m.Unused(x.YValid)
		}
		connect(hw.Inst(m, "add", fp32.Add{}), io.Sum)
		connect(hw.Inst(m, "mul", fp32.Mul{}), io.Product)
	})
	return io
}
