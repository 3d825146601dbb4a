package consistency

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// bag is a pooled vector: the rows that it is made of, in the order in which they
// are read, each with the values that it has and had, the latest first.
type bag struct {
	lookups []int // by number of the row
	rows    []key
	values  [][][]float32
}

// newBag looks up the rows of a bag.
func newBag(t Truth, table int, indices []uint32) bag {
	var b bag
	numbers := map[uint32]int{}
	for _, index := range indices {
		n, ok := numbers[index]
		if !ok {
			n = len(b.rows)
			numbers[index] = n
			b.rows = append(b.rows, key{table, index})
			b.values = append(b.values, append([][]float32{t.Row(table, index)}, t.Old(table, index)...))
		}
		b.lookups = append(b.lookups, n)
	}
	return b
}

// tries is how many mixtures of ages are looked at for a vector.
const tries = 1 << 14

// ages finds how old each row of a vector is, in such a way that the oldest is as
// young as it can be. It gives up after many tries.
func (b bag) ages(got []float32) (ages []int, ok bool) {
	longest := 0
	for _, v := range b.values {
		longest = max(longest, len(v)-1)
	}
	left := tries
	vector := make([]float32, len(got))
	for most := 1; most <= longest; most++ {
		ages = make([]int, len(b.rows))
		for left > 0 && b.next(ages, most) {
			if !slices.Contains(ages, most) {
				continue
			}
			left--
			if b.pool(vector, ages); dlrm.FirstDiff(vector, got) < 0 {
				return ages, true
			}
		}
	}
	return nil, false
}

// next makes the next mixture of ages up to most, until there is none.
func (b bag) next(ages []int, most int) bool {
	for i := range ages {
		if ages[i] < min(most, len(b.values[i])-1) {
			ages[i]++
			return true
		}
		ages[i] = 0
	}
	return false
}

// pool sums the rows at their ages.
func (b bag) pool(vector []float32, ages []int) {
	rows := make([][]float32, len(b.lookups))
	for i, n := range b.lookups {
		rows[i] = b.values[n][ages[n]]
	}
	dlrm.Pool(vector, rows...)
}
