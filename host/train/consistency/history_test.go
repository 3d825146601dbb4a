package consistency

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPastIsBounded: the latest values of all rows are kept, up to a limit.
func TestPastIsBounded(t *testing.T) {
	p := past{most: 5}
	rows := []*history{{now: []float32{0}}, {now: []float32{100}}}
	type change struct {
		row int
		old float32
	}
	var changes []change
	for i := range 50 {
		r := rows[i*i%3%2]
		changes = append(changes, change{i * i % 3 % 2, r.now[0]})
		p.keep(r)
		r.now[0]++
		want := [2][][]float32{}
		for k := len(changes) - 1; k >= max(0, len(changes)-5); k-- {
			want[changes[k].row] = append(want[changes[k].row], []float32{changes[k].old})
		}
		for n, r := range rows {
			require.Len(t, r.latest(), len(want[n]))
			for a := range want[n] {
				require.Equal(t, want[n][a], r.latest()[a], "change %d", i)
			}
		}
	}
}

// TestTries: a vector with too many combinations of ages is given up.
func TestTries(t *testing.T) {
	b := bag{}
	for n := range 30 {
		b.rows = append(b.rows, key{0, uint32(n)})
		b.lookups = append(b.lookups, n)
		b.values = append(b.values, [][]float32{{float32(n)}, {float32(2 * n)}})
	}
	_, ok := b.ages([]float32{-1})
	require.False(t, ok)
	ages, ok := b.ages([]float32{30*29/2 + 3})
	require.True(t, ok)
	sum := 0
	for n, a := range ages {
		sum += n * a
	}
	require.Equal(t, 3, sum)
}
