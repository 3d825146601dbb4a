package elrec

import (
	"cmp"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm/exact"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
)

// gradients are the exact sums of the slice gradients of a table on a GPU. They take twice the
// memory of the table, so they exist for one table at a time.
type gradients struct {
	sums map[slice]*exact.Sum
	free [tt.Cores][]*exact.Sum // zero sums for reuse
}

func newGradients() *gradients { return &gradients{sums: map[slice]*exact.Sum{}} }

// of returns the sum of a slice of n values.
func (s *gradients) of(at slice, n int) *exact.Sum {
	sum := s.sums[at]
	if sum != nil {
		return sum
	}
	if free := s.free[at.core]; len(free) > 0 {
		sum, s.free[at.core] = free[len(free)-1], free[:len(free)-1]
	} else {
		sum = exact.NewSum(n)
	}
	s.sums[at] = sum
	return sum
}

// add adds the slice gradients of a row.
func (s *gradients) add(t *table, at key, of tt.Slices) {
	for core, no := range t.Slices(at.index) {
		s.of(slice{at.table, core, no}, len(of[core])).Add(of[core], exact.Magnitude(of[core]))
	}
}

// merge adds the sums of another GPU.
func (s *gradients) merge(o *gradients) {
	for at, sum := range o.sums {
		s.of(at, sum.Len()).Merge(sum)
	}
}

// reset clears all sums for the next table.
func (s *gradients) reset() {
	for at, sum := range s.sums {
		sum.Reset()
		s.free[at.core] = append(s.free[at.core], sum)
	}
	clear(s.sums)
}

// inOrder returns the slices in the order of table, core and number.
func (s *gradients) inOrder() []slice {
	list := make([]slice, 0, len(s.sums))
	for at := range s.sums {
		list = append(list, at)
	}
	slices.SortFunc(list, func(a, b slice) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.core, b.core), cmp.Compare(a.no, b.no))
	})
	return list
}
