package reduce

import "github.com/hotline-rtl/hotline/hw"

// Kind is what an op does.
type Kind uint8

const (
	Add   Kind = 0 // vector := vector + row, or vector := row if Load is set
	Mul   Kind = 1 // vector := row * scalar
	Write Kind = 2 // the vector is sent to an address; the next one begins
)

const kindBits = 2

// Op is an op as hardware. An Add or a Mul consumes the next row.
type Op struct{ Kind, Load, Scalar, Addr hw.Bits }

// OpBits is the width of a packed Op.
const OpBits = kindBits + 1 + 32 + 64

// Pack is {kind 2, load 1, scalar 32, addr 64}, most significant first.
func (o Op) Pack() hw.Bits { return hw.Cat(o.Kind, o.Load, o.Scalar, o.Addr) }

// UnpackOp takes apart what Op.Pack made.
func UnpackOp(x hw.Bits) Op {
	return Op{Kind: x.Slice(98, 97), Load: x.Bit(96), Scalar: x.Slice(95, 64), Addr: x.Trunc(64)}
}

func (o Op) is(k Kind) hw.Bits { return o.Kind.Eq(hw.Lit(kindBits, uint64(k))) }
