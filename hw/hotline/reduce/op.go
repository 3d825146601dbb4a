package reduce

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/enum"
)

// Kind is what an op does to its vector.
type Kind uint8

const (
	Add  Kind = 0 // vector := vector + row, or vector := row if Load is set
	Mul  Kind = 1 // vector := row * scalar
	Keep Kind = 2 // the vector stays as it is; no row is taken
)

var kinds = enum.Sequence[Kind]("op", "add", "mul", "keep")

// Enum implements enum.Value.
func (Kind) Enum() enum.Set { return kinds }

// Op is an op as hardware. An Add or a Mul consumes the next row.
//
// Ops go round a group of vectors, so that a row need not wait for the sum of the one
// before it. Those of a round that write their vectors write all of them.
type Op struct {
	Kind   hw.Enum[Kind]
	Load   hw.Bits
	Write  hw.Bits `doc:"then the vector is sent to addr"`
	Next   hw.Bits `doc:"the next op is for the vector behind this one, else for the first that is not sent; 0 without a row"`
	Scalar hw.Bits `hw:"32"`
	Addr   hw.Bits `hw:"64"`
}
