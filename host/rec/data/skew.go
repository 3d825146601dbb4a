package data

import (
	"cmp"
	"slices"
)

// rowID is a row of any table: table<<32 | index.
type rowID = uint64

// accesses counts, over the whole set, how often each row is read.
func (s *Set) accesses() map[rowID]int {
	counts := map[rowID]int{}
	for _, sample := range s.Samples {
		slot := 0
		for t, table := range s.Tables {
			for range table.Lookups {
				counts[rowID(t)<<32|rowID(sample.Sparse[slot])]++
				slot++
			}
		}
	}
	return counts
}

// hottest returns the rows among counts, the most read first; ties go to the lower table, then the lower index.
func hottest(counts map[rowID]int) []rowID {
	rows := make([]rowID, 0, len(counts))
	for id := range counts {
		rows = append(rows, id)
	}
	slices.SortFunc(rows, func(a, b rowID) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return rows
}

// TopShare returns, per table, the share of its accesses that go to the hottest part (0 to 1) of its rows. Only rows that occur
// in the set count as rows; at least one is taken.
func (s *Set) TopShare(part float64) []float64 {
	perTable := make([][]int, len(s.Tables))
	counts := s.accesses()
	for _, id := range hottest(counts) {
		perTable[id>>32] = append(perTable[id>>32], counts[id])
	}
	shares := make([]float64, len(s.Tables))
	for t, sorted := range perTable {
		top, all := 0, 0
		for i, n := range sorted {
			if i < max(1, int(part*float64(len(sorted)))) {
				top += n
			}
			all += n
		}
		if all > 0 {
			shares[t] = float64(top) / float64(all)
		}
	}
	return shares
}

// PopularShare returns the share of samples whose every lookup is among the hottest part (0 to 1) of the rows, over all tables,
// that occur in the set; and the share that would be expected if the tables were independent.
func (s *Set) PopularShare(part float64) (popular, independent float64) {
	counts := s.accesses()
	rows := hottest(counts)
	hot := map[rowID]bool{}
	hits := make([]int, len(s.Tables))
	for _, id := range rows[:int(part*float64(len(rows)))] {
		hot[id] = true
		hits[id>>32] += counts[id]
	}
	n := 0
	for _, sample := range s.Samples {
		if s.allHot(sample.Sparse, hot) {
			n++
		}
	}
	popular, independent = float64(n)/float64(len(s.Samples)), 1
	for t, table := range s.Tables {
		hit := float64(hits[t]) / float64(len(s.Samples)*table.Lookups)
		for range table.Lookups {
			independent *= hit
		}
	}
	return popular, independent
}

func (s *Set) allHot(sparse []uint32, hot map[rowID]bool) bool {
	slot := 0
	for t, table := range s.Tables {
		for range table.Lookups {
			if !hot[rowID(t)<<32|rowID(sparse[slot])] {
				return false
			}
			slot++
		}
	}
	return true
}
