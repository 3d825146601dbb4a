package div_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/div"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func number(x []uint64) *big.Int {
	v := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(x[i]))
	}
	return v
}

// model returns the quotient and the remainder.
func model(a, b *big.Int, width int) (q, r *big.Int) {
	if b.Sign() == 0 {
		return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1)), a
	}
	return new(big.Int).QuoRem(a, b, new(big.Int))
}

// check divides pairs, including small divisors and 0, with and without stalls of the receiver.
func check(d *ir.Design, width int, seed uint64) error {
	const pairs = 60
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	ask := b.Source("ask_valid", "ask_ready", "ask_dividend", "ask_divisor")
	tell := b.Sink("tell_valid", "tell_ready", "tell_quotient", "tell_remainder")
	words := ir.Words(width)
	var sent []bench.Item
	for i := range pairs {
		it := ask.Random()
		if i%3 == 0 {
			clear(it[words:])
			it[words] = uint64(i/3%4) & (1<<min(width, 2) - 1)
		}
		sent = append(sent, it)
		ask.Send(0, it)
	}
	ask.Rate, tell.Rate = 0.5, 0.3
	if err := b.Drain(pairs, pairs*(width+20)); err != nil {
		return err
	}
	for range 2*width + 20 { // enough cycles for a spurious result to appear
		if err := b.Cycle(); err != nil {
			return err
		}
	}
	if n := len(tell.Got[0]); n != pairs {
		return fmt.Errorf("%d results of %d pairs", n, pairs)
	}
	for i, got := range tell.Got[0] {
		q, r := model(number(sent[i][:words]), number(sent[i][words:]), width)
		if number(got[:words]).Cmp(q) != 0 || number(got[words:]).Cmp(r) != 0 {
			return fmt.Errorf("%x gives %x, want %x and %x", sent[i], got, q, r)
		}
	}
	return nil
}

func elaborate(t *testing.T, width int) *ir.Design {
	d, err := hw.Elaborate(div.Divider{Width: width})
	require.NoError(t, err)
	return d
}

func TestAgainstModel(t *testing.T) {
	for _, width := range []int{1, 2, 8, 63, 64, 65, 130} {
		require.NoError(t, check(elaborate(t, width), width, 1), "%d bits", width)
	}
}

func TestLatency(t *testing.T) {
	b, err := bench.New(elaborate(t, 8), 1)
	require.NoError(t, err)
	ask := b.Source("ask_valid", "ask_ready", "ask_dividend", "ask_divisor")
	b.Sink("tell_valid", "tell_ready", "tell_quotient", "tell_remainder")
	ask.Send(0, bench.Item{200, 7})
	require.NoError(t, b.Drain(1, 100))
	require.EqualValues(t, 1+8+2, b.Sim.Cycle(), "reset, the operands, a cycle per bit, the result")
}

func TestFaultsAreCaught(t *testing.T) {
	d := elaborate(t, 8)
	survivors, tried := bench.Survivors(d, func() error { return check(d, 8, 1) })
	require.Len(t, survivors, 1, "another code for the state Done, which no other has")
	require.Regexp(t, `constant off by one at div.go:\d+ `, survivors[0])
	require.Greater(t, tried, 10)
	require.Empty(t, bench.Unreset(d, 20, func(seed uint64) error { return check(d, 8, seed) }))
}
