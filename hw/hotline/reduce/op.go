package reduce

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/enum"
)

// Kind is the effect of an op on its vector.
type Kind uint8

const (
	Add  Kind = 0 // vector := vector + row, or vector := row if Load is set
	Mul  Kind = 1 // vector := row * scalar
	Keep Kind = 2 // the vector is unchanged; no row is consumed
)

var kinds = enum.Sequence[Kind]("op", "add", "mul", "keep")

// Enum implements enum.Value.
func (Kind) Enum() enum.Set { return kinds }

// Op is an op as a hardware bundle. An Add or a Mul consumes the next row.
//
// Ops alternate between the vectors of a group, so that a row need not wait for the previous sum.
// If an op of a round writes its vector, all ops of that round must write theirs.
type Op struct {
	Kind   hw.Enum[Kind] `doc:"effect on the vector"`
	Load   hw.Bits       `doc:"OP_ADD replaces the vector by the row"`
	Write  hw.Bits       `doc:"the vector is sent to addr afterwards"`
	Next   hw.Bits       `doc:"the next op is for the following vector, else for the first that is not sent"`
	Scalar hw.Bits       `hw:"32" doc:"FP32 factor of OP_MUL"`
	Addr   hw.Bits       `hw:"64" doc:"where the vector is sent"`
}
