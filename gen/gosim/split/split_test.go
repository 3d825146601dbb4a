package split_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/split"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/hw/random"
)

// words splits d and returns the result.
func words(t *testing.T, d *ir.Design) *split.Design {
	l, problems := drivers.Lower(d)
	require.Empty(t, problems)
	f, problems := netlist.Flatten(l)
	require.Empty(t, problems)
	s, err := split.Words(f)
	require.NoError(t, err)
	return s
}

// TestWords splits random designs; Words verifies the result.
func TestWords(t *testing.T) {
	for seed := range uint64(100) {
		require.NotEmpty(t, words(t, random.Random(seed, random.Small)).Ops)
	}
}

// TestRaised: slices of a value that has zeros in its low bits and is shifted to the right become
// slices of shifts in shorter words, if possible.
func TestRaised(t *testing.T) {
	for _, c := range []struct {
		x, zeros, by, hi, lo int
		want                 int // bits of the widest shift
	}{
		{27, 31, 5, 57, 32, 27}, // x>>by
		{27, 31, 5, 31, 0, 32},  // x<<31-by
		{27, 31, 5, 30, 30, 32},
		{27, 31, 5, 32, 0, 58}, // no shorter words
		{27, 31, 5, 31, 30, 32},
		{27, 31, 5, 57, 31, 27},
		{27, 31, 6, 57, 32, 27}, // the shift may exceed the number of zeros
		{27, 31, 6, 31, 0, 58},
		{20, 40, 5, 15, 8, 32},
		{9, 15, 4, 15, 0, 16},
		{9, 15, 4, 23, 15, 9},
		{8, 8, 3, 15, 8, 16}, // no shorter words
		{60, 63, 6, 62, 0, 64},
	} {
		d, err := ir.Parse("raised.ir", fmt.Sprintf(`module raised {
  input x : %d
  input by : %d
  output q : %d
  q = shru(concat(x, %d'd0), by)[%d:%d]
}
`, c.x, c.by, c.hi-c.lo+1, c.zeros, c.hi, c.lo))
		require.NoError(t, err)
		widest := 0
		for s := words(t, d); len(s.Ops) > 0; s.Ops = s.Ops[1:] {
			if o := s.Ops[0]; o.Code == ir.Shl || o.Code == ir.ShrU {
				widest = max(widest, int(s.Width[o.Out]))
			}
		}
		require.Equal(t, c.want, widest, c)
	}
}

// TestNested: slices within slices of a sum are taken from the shortest slice whose words are
// shorter than the sum's words. Slices of an input are not.
func TestNested(t *testing.T) {
	for _, c := range []struct {
		width  int
		slices [][2]int // last and first bit
		want   []string
	}{
		{32, [][2]int{{30, 24}, {23, 23}, {30, 23}}, []string{"8 bits of 32 from 23", "7 bits of 8 from 1", "1 bits of 8 from 0"}},
		{32, [][2]int{{23, 0}, {9, 3}}, []string{"24 bits of 32 from 0", "7 bits of 32 from 3"}}, // the outer slice needs 32-bit words too
		{32, [][2]int{{9, 4}, {12, 9}}, []string{"6 bits of 32 from 4", "4 bits of 32 from 9"}},  // overlapping, not nested
		{64, [][2]int{{40, 40}, {41, 36}, {47, 32}, {63, 32}}, []string{"32 bits of 64 from 32", "16 bits of 32 from 0", "6 bits of 16 from 4", "1 bits of 6 from 4"}},
		{8, [][2]int{{4, 0}, {2, 1}}, []string{"5 bits of 8 from 0", "2 bits of 8 from 1"}},
	} {
		of := func(x string) (list []string) {
			in, out := "", ""
			for i, at := range c.slices {
				in += fmt.Sprintf("  output q%d : %d\n", i, at[0]-at[1]+1)
				out += fmt.Sprintf("  q%d = %s[%d:%d]\n", i, x, at[0], at[1])
			}
			d, err := ir.Parse("nested.ir", fmt.Sprintf("module nested {\n  input x : %d\n  input y : %[1]d\n%s%s}\n", c.width, in, out))
			require.NoError(t, err)
			s := words(t, d)
			for _, o := range s.Ops {
				if o.Code == ir.Slice {
					list = append(list, fmt.Sprintf("%d bits of %d from %d", s.Width[o.Out], s.Width[o.Args[0]], o.Lo))
				}
			}
			return list
		}
		require.Equal(t, c.want, of("add(x, y)"))
		for i, at := range c.slices {
			require.Equal(t, fmt.Sprintf("%d bits of %d from %d", at[0]-at[1]+1, c.width, at[1]), of("x")[i])
		}
	}
}
