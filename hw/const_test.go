package hw_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// values returns the values that describe yields for an input of all ones.
func values(t *testing.T, describe func(m *hw.Module, x hw.Bits) []hw.Bits) (out [][]uint64) {
	t.Helper()
	f := func(m *hw.Module) {
		for i, x := range describe(m, m.In("x", 130)) {
			m.Out("q"+string(rune('a'+i)), x.Width()).Set(x)
		}
	}
	d, err := hw.Elaborate(described{&f})
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	sim.Find(s, "x").SetWords([]uint64{1<<64 - 1, 1<<64 - 1, 3})
	for _, p := range s.Ports() {
		if !p.Input {
			out = append(out, append([]uint64{}, sim.Find(s, p.Name).Words()...))
		}
	}
	return out
}

// TestConstants: a constant of any width and any unsigned type has its written value.
func TestConstants(t *testing.T) {
	type tag uint8
	n, ok := new(big.Int).SetString("20123456789abcdef0fedcba987654321", 16)
	require.True(t, ok)
	words := []uint64{0x0fedcba987654321, 0x0123456789abcdef, 2}
	got := values(t, func(m *hw.Module, x hw.Bits) []hw.Bits {
		return []hw.Bits{hw.Wide(130, words), hw.Wide(130, n), hw.Wide(130, "2_0123456789abcdef_0fedcba987654321"), hw.Wide(3, []uint64{5}),
			x.And(hw.K(tag(200))), x.And(hw.K(uint16(9))), x.And(hw.K(uint(1 << 63))),
			x.Signed().Add(hw.Int(-1)).Bits(), x.Trunc(4).Shl(hw.K(3)), x.Shr(hw.K(129))}
	})
	require.Equal(t, [][]uint64{words, words, words, {5}, {200, 0, 0}, {9, 0, 0}, {1 << 63, 0, 0}, {1<<64 - 2, 1<<64 - 1, 3}, {8}, {1, 0, 0}}, got)
}

func TestConstantMistakes(t *testing.T) {
	run(t, []mistake{
		{"wide", func(m *hw.Module) {
			x := m.In("x", 70)
			x.Add(hw.Wide(70, []uint64{0, 64}))       // kwa
			x.Add(hw.Wide(70, big.NewInt(-1)))        // kwb
			x.Add(hw.Wide(70, "12 34"))               // kwc
			x.Add(hw.Wide(70, (*big.Int)(nil)))       // kwd
			x.Add(hw.Wide(0, "1"))                    // kwe
			x.Trunc(4).Signed().Add(hw.Int(8))        // kwf
			x.Trunc(4).Signed().Lt(hw.Int(-9))        // kwg
			m.Out("q", 2).Set(hw.Int(3).Neg().Bits()) // kwh
			x.Signed().Set(hw.Int(0))                 // kwi
		}, []string{
			"{kwa} < {build}: bad: [const] constant 0x400000000000000000 does not fit in 70 bits",
			"{kwb} < {build}: bad: [const] constant -0x1 does not fit in 70 bits",
			`{kwc} < {build}: bad: [const] "12 34" is not a hexadecimal number`,
			"{kwd} < {build}: bad: [const] the constant is a nil *big.Int",
			"{kwe} < {build}: bad: [width] a value of 0 bits; expected a width of 1 to 1048576 and a length of at most 65536",
			"{kwf} < {build}: bad: [const] constant 8 does not fit in 4 bits with a sign",
			"{kwg} < {build}: bad: [const] constant -9 does not fit in 4 bits with a sign",
			"{kwh} < {build}: bad: [const] a constant without width; use Lit",
			`{kwi} < {build}: bad: [direction] input "x" cannot be set`,
		}},
	})
}
