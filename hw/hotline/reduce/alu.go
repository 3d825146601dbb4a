package reduce

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/fp32"
)

// alu is a lane: an adder and a multiplier of equal latency.
type alu struct{}

// aluPorts are the ports of an alu. Y is Row*Scalar if Product is 1, and otherwise Value+Row, of
// the operands fp32.Latency cycles earlier.
type aluPorts struct {
	Valid   hw.Bits `hw:"in" doc:"operands are valid"`
	Value   hw.Bits `hw:"in,32" doc:"of the vector"`
	Row     hw.Bits `hw:"in,32" doc:"of the row"`
	Scalar  hw.Bits `hw:"in,32" doc:"factor of the row"`
	Product hw.Bits `hw:"in" doc:"1: scalar x row is added, 0: row"`
	Y       hw.Bits `hw:"out,32" doc:"result"`
}

// Build describes the lane.
func (alu) Build(m *hw.Module) aluPorts {
	m.Doc("One lane of the reducer: a binary32 adder and multiplier of equal latency.")
	io := hw.Ports[aluPorts](m)
	sum, product := hw.Inst(m, "adder", fp32.Add{}), hw.Inst(m, "multiplier", fp32.Mul{})
	sum.Valid.Set(io.Valid)
	sum.A.Set(io.Value)
	sum.B.Set(io.Row)
	product.Valid.Set(io.Valid)
	product.A.Set(io.Row)
	product.B.Set(io.Scalar)
	m.Unused(sum.YValid, product.YValid)
	io.Y.Set(hw.Mux(io.Product, product.Y, sum.Y))
	return io
}
