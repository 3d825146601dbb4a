package reduce

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/enum"
)

// Kind is what an op does.
type Kind uint8

const (
	Add   Kind = 0 // vector := vector + row, or vector := row if Load is set
	Mul   Kind = 1 // vector := row * scalar
	Write Kind = 2 // the vector is sent to an address; the next one begins
)

var kinds = enum.Sequence[Kind]("op", "add", "mul", "write")

// Enum implements enum.Value.
func (Kind) Enum() enum.Set { return kinds }

// Op is an op as hardware. An Add or a Mul consumes the next row.
type Op struct {
	Kind   hw.Enum[Kind]
	Load   hw.Bits
	Scalar hw.Bits `hw:"32"`
	Addr   hw.Bits `hw:"64"`
}
