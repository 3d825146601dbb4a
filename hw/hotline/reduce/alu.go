package reduce

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/fp32"
)

// Latency is the number of cycles from a row beat to its result.
const Latency = max(fp32.AddLatency, fp32.MulLatency)

// alu is one lane: an adder and a multiplier that give their results at the
// same time.
type alu struct{}

// aluPorts are the ports of an alu: Y is Row*Scalar if Product is 1, else
// Value+Row, of the operands Latency cycles ago.
type aluPorts struct {
	Valid, Value, Row, Scalar hw.Bits
	Product, Y                hw.Bits
}

// ModuleName is the name of the lane.
func (alu) ModuleName() string { return "alu" }

// Build describes the lane.
func (alu) Build(m *hw.Module) aluPorts {
	m.Doc("One lane of the reducer: a binary32 adder and multiplier of equal latency.")
	io := aluPorts{
		Valid: m.In("valid", 1), Value: m.In("value", 32), Row: m.In("row_value", 32), Scalar: m.In("scalar", 32),
		Product: m.In("product", 1), Y: m.Out("y", 32),
	}
	sum, product := hw.Inst(m, "adder", fp32.Add{}), hw.Inst(m, "multiplier", fp32.Mul{})
	sum.Valid.Set(io.Valid)
	sum.A.Set(io.Value)
	sum.B.Set(io.Row)
	product.Valid.Set(io.Valid)
	product.A.Set(io.Row)
	product.B.Set(io.Scalar)
	io.Y.Set(hw.Mux(io.Product,
		late(m, "prod_late", product.Y, Latency-fp32.MulLatency),
		late(m, "sum_late", sum.Y, Latency-fp32.AddLatency)))
	return io
}
