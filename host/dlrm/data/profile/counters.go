package profile

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// layout gives each row a counter.
type layout struct {
	first  []int // of each table
	rows   []int // of each table
	counts []int // counters of each table: as many as rows, or fewer
	tables []int // the table of each lookup of a time step
	n      int   // of all counters
	width  int   // lookups of an input
}

// newLayout gives small tables a counter per row, and the others equally many, at most counters in all.
func newLayout(tables []dlrm.Table, lookups, counters int) layout {
	l := layout{first: make([]int, len(tables)), counts: make([]int, len(tables)), width: lookups}
	order := make([]int, len(tables))
	for t, table := range tables {
		order[t] = t
		l.rows = append(l.rows, table.Rows)
		for range table.Lookups {
			l.tables = append(l.tables, t)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(tables[a].Rows, tables[b].Rows) })
	for i, t := range order {
		l.counts[t] = max(1, min(tables[t].Rows, counters/(len(order)-i)))
		counters -= l.counts[t]
	}
	for t, n := range l.counts {
		l.first[t] = l.n
		l.n += n
	}
	return l
}

// exact returns whether each row of a table has a counter of its own.
func (l *layout) exact(table int) bool { return l.counts[table] == l.rows[table] }

// place returns the counter of a row.
func (l *layout) place(table int, row uint32) int {
	if l.exact(table) {
		return l.first[table] + int(row)
	}
	return l.first[table] + int(detmath.Hash(uint64(row))%uint64(l.counts[table]))
}

// places sets at to the counters of an input's lookups.
func (l *layout) places(at []int, sparse []uint32) {
	for i, row := range sparse {
		at[i] = l.place(l.tables[i%len(l.tables)], row)
	}
}

// add counts one more; what has reached the largest number stays there.
func add(counter *uint32) {
	if *counter < math.MaxUint32 {
		*counter++
	}
}

// histogram says how many rows were read how often.
type histogram struct {
	reads []uint32 // the most first, none 0
	rows  []int64  // that were read so often
}

func newHistogram(counts ...[]uint32) histogram {
	m := map[uint32]int64{}
	for _, part := range counts {
		for _, n := range part {
			if n > 0 {
				m[n]++
			}
		}
	}
	h := histogram{reads: slices.Sorted(maps.Keys(m))}
	slices.Reverse(h.reads)
	for _, n := range h.reads {
		h.rows = append(h.rows, m[n])
	}
	return h
}

// all returns the rows that were read, and how often in all.
func (h histogram) all() (rows, reads int64) { return h.top(math.MaxInt64) }

// top returns how many there are of the n rows that were read most, and how often they were read.
func (h histogram) top(n int64) (rows, reads int64) {
	for i, r := range h.rows {
		r = min(r, n-rows)
		rows += r
		reads += r * int64(h.reads[i])
	}
	return rows, reads
}
