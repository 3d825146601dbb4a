package verilog_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// oracle executes a flattened design with math/big, straight from the
// definitions of the operators.
type oracle struct {
	d     *netlist.Design
	value []*big.Int
	mems  []map[uint64]*big.Int
}

func newOracle(t *testing.T, d *ir.Design) *oracle {
	lowered, problems := drivers.Lower(d)
	require.Empty(t, problems)
	f, problems := netlist.Flatten(lowered)
	require.Empty(t, problems)
	o := &oracle{d: f, value: make([]*big.Int, len(f.Width))}
	for i := range o.value {
		o.value[i] = new(big.Int)
	}
	for _, c := range f.Consts {
		o.value[c.Net] = fromWords(c.Val)
	}
	for _, m := range f.Mems {
		words := map[uint64]*big.Int{}
		for i := range m.IR.Depth {
			if w := m.IR.InitWord(i); w != nil {
				words[uint64(i)] = fromWords(w)
			}
		}
		o.mems = append(o.mems, words)
	}
	return o
}

func fromWords(w []uint64) *big.Int {
	v := new(big.Int)
	for i := len(w) - 1; i >= 0; i-- {
		v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(w[i]))
	}
	return v
}

func mask(v *big.Int, width int) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return new(big.Int).And(v, m.Sub(m, big.NewInt(1)))
}

// settle evaluates all nets from inputs and state.
func (o *oracle) settle() {
	for _, op := range o.d.Ops {
		args := make([]*big.Int, len(op.Args))
		for i, a := range op.Args {
			args[i] = o.value[a]
		}
		for k := range int(op.NOut) {
			n := op.Out + netlist.Net(k)
			o.value[n] = mask(o.compute(op, args, k), int(o.d.Width[n]))
		}
	}
}

// edge performs a clock edge.
func (o *oracle) edge(rst bool) {
	next := make([]*big.Int, len(o.d.Regs))
	for i, r := range o.d.Regs {
		if next[i] = o.value[r.D]; rst && r.Reset || r.Clear != netlist.None && o.value[r.Clear].Sign() > 0 {
			next[i] = fromWords(r.Init)
		}
	}
	for _, w := range o.d.Writes {
		if a := o.value[w.Addr]; o.value[w.Enable].Sign() > 0 && a.Uint64() < uint64(o.d.Mems[w.Mem].IR.Depth) {
			o.mems[w.Mem][a.Uint64()] = o.value[w.Data]
		}
	}
	for i, r := range o.d.Regs {
		o.value[r.Q] = next[i]
	}
}

// orWhere returns the bitwise or of the arguments whose index satisfies test.
func orWhere(args []*big.Int, test func(i int) bool) *big.Int {
	v := new(big.Int)
	for i, a := range args {
		if test(i) {
			v.Or(v, a)
		}
	}
	return v
}

func truth(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}

func signedOf(v *big.Int, w int) *big.Int {
	if v.Bit(w-1) == 1 {
		return new(big.Int).Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return v
}

// compute returns result k of op.
func (o *oracle) compute(op netlist.Op, args []*big.Int, k int) *big.Int {
	x := args[0]
	w := int(o.d.Width[op.Args[0]])
	var y *big.Int
	if len(args) > 1 {
		y = args[1]
	}
	z := new(big.Int)
	rest := args[1:]
	switch op.Code {
	case ir.Not:
		return z.Not(x)
	case ir.RedAnd:
		return truth(mask(z.Not(x), w).Sign() == 0)
	case ir.RedXor:
		return truth(ones(x)%2 == 1)
	case ir.Add:
		return z.Add(x, y)
	case ir.Sub:
		return z.Sub(x, y)
	case ir.Mul:
		return z.Mul(x, y)
	case ir.DivU:
		if y.Sign() == 0 {
			return big.NewInt(-1)
		}
		return z.Quo(x, y)
	case ir.ModU:
		if y.Sign() == 0 {
			return x
		}
		return z.Rem(x, y)
	case ir.And:
		return z.And(x, y)
	case ir.Or:
		return orWhere(args, func(int) bool { return true })
	case ir.Xor:
		return z.Xor(x, y)
	case ir.Eq:
		return truth(x.Cmp(y) == 0)
	case ir.Ne:
		return truth(x.Cmp(y) != 0)
	case ir.LtU:
		return truth(x.Cmp(y) < 0)
	case ir.LeU:
		return truth(x.Cmp(y) <= 0)
	case ir.LtS:
		return truth(signedOf(x, w).Cmp(signedOf(y, w)) < 0)
	case ir.Shl:
		return z.Lsh(x, min(amount(y), uint(w)))
	case ir.ShrU:
		return z.Rsh(x, min(amount(y), uint(w)))
	case ir.ShrS:
		return z.Rsh(signedOf(x, w), min(amount(y), uint(w)))
	case ir.Mux:
		if x.Sign() > 0 {
			return args[1]
		}
		return args[2]
	case ir.Slice:
		return z.Rsh(x, uint(op.Lo))
	case ir.Concat:
		for i, a := range args {
			z.Or(z.Lsh(z, uint(o.d.Width[op.Args[i]])), a)
		}
		return z
	case ir.ZExt:
		return x
	case ir.SExt:
		return signedOf(x, w)
	case ir.MemRead:
		if v := o.mems[op.Lo][x.Uint64()]; v != nil {
			return v
		}
		return z
	case ir.Elem:
		return orWhere(rest, func(i int) bool { return x.Cmp(big.NewInt(int64(i))) == 0 })
	case ir.Update:
		if x.Cmp(big.NewInt(int64(k))) == 0 {
			return y
		}
		return args[2+k]
	case ir.EqLanes:
		for i, a := range rest {
			z.SetBit(z, i, uint(truth(a.Cmp(x) == 0).Uint64()))
		}
		return z
	case ir.Select:
		return orWhere(rest, func(i int) bool { return x.Bit(i) == 1 })
	case ir.Lowest:
		if x.Sign() > 0 {
			z.SetBit(z, int(x.TrailingZeroBits()), 1)
		}
		return z
	case ir.Encode:
		for i := range w {
			if x.Bit(i) == 1 {
				z.Or(z, big.NewInt(int64(i)))
			}
		}
		return z
	case ir.PopCount:
		return big.NewInt(int64(ones(x)))
	case ir.Route:
		for i, a := range rest {
			if x.Bit(i) == 1 && a.Cmp(big.NewInt(int64(k))) == 0 {
				z.SetBit(z, i, 1)
			}
		}
		return z
	}
	panic("oracle: " + op.Code.String())
}

func amount(v *big.Int) uint {
	if !v.IsUint64() || v.Uint64() > 1<<30 {
		return 1 << 30
	}
	return uint(v.Uint64())
}

func ones(v *big.Int) int {
	n := 0
	for i := range v.BitLen() {
		n += int(v.Bit(i))
	}
	return n
}
