package reorder

import (
	"cmp"
	"slices"
)

// Bijection is a permutation of the rows of a table.
type Bijection struct {
	to   map[uint32]uint32 // of the rows that were read
	read []uint32          // rows that were read, in order
}

// New returns the permutation for a table whose rows were read by groups of inputs. The fraction
// hot, from 0 to 1, of the rows that were read is hot.
func New(groups [][]uint32, hot float64) *Bijection {
	rows := byFrequency(groups)
	first := int(hot * float64(len(rows)))
	others := communities(vertices(groups, rows[first:]), len(rows)-first)
	b := &Bijection{to: map[uint32]uint32{}, read: slices.Sorted(slices.Values(rows))}
	for i, row := range rows[:first] {
		b.to[row] = uint32(i)
	}
	for i, v := range others {
		b.to[rows[first+v]] = uint32(first + i)
	}
	return b
}

// Of returns the new number of a row.
func (b *Bijection) Of(row uint32) uint32 {
	if to, ok := b.to[row]; ok {
		return to
	}
	before, _ := slices.BinarySearch(b.read, row)
	return uint32(len(b.read)) + row - uint32(before)
}

// byFrequency lists the rows that were read, in the order of decreasing count and then increasing
// number.
func byFrequency(groups [][]uint32) []uint32 {
	count := map[uint32]int{}
	for _, group := range groups {
		for _, row := range group {
			count[row]++
		}
	}
	var rows []uint32
	for row := range count {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b uint32) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	return rows
}

// vertices returns, for each group, the distinct rows that are among the given rows, as indices in
// rows.
func vertices(groups [][]uint32, rows []uint32) [][]int {
	at := map[uint32]int{}
	for i, row := range rows {
		at[row] = i
	}
	var all [][]int
	for _, group := range groups {
		var list []int
		for _, row := range group {
			if v, ok := at[row]; ok {
				list = append(list, v)
			}
		}
		slices.Sort(list)
		all = append(all, slices.Compact(list))
	}
	return all
}

// Len returns the number of rows that were read.
func (b *Bijection) Len() int { return len(b.read) }
