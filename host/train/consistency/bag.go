package consistency

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// bag is a pooled vector: its rows, in the order in which they are read, each with its present and
// past values, latest first.
type bag struct {
	lookups []int // indices in rows
	rows    []key
	values  [][][]float32
}

// newBag looks up the rows of a bag.
func newBag(t Reference, table int, indices []uint32) bag {
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

// tries is the maximum number of combinations of ages that are tried for a vector.
const tries = 1 << 14

// ages returns the ages of the rows of a vector, such that the maximum age is minimal. It gives up
// after a fixed number of tries.
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

// next advances ages to the next combination up to most. It returns false after the last
// combination.
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
