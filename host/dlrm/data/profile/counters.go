package profile

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// layout assigns a counter to each row.
type layout struct {
	first  []int // first counter of each table
	rows   []int // rows of each table
	counts []int // number of counters of each table: the number of rows, or less
	tables []int // table of each lookup of a time step
	n      int   // total number of counters
	width  int   // lookups per input
}

// newLayout assigns a counter to each row of small tables and equal numbers of counters to the
// other tables, with at most counters in total.
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

// exact reports whether each row of a table has a separate counter.
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

// add increments a counter and saturates at the maximum.
func add(counter *uint32) {
	if *counter < math.MaxUint32 {
		*counter++
	}
}

// histogram counts rows by their number of reads.
type histogram struct {
	reads []uint32 // numbers of reads, descending, without 0
	rows  []int64  // number of rows with that number of reads
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

// all returns the number of rows that were read, and the total number of reads.
func (h histogram) all() (rows, reads int64) { return h.top(math.MaxInt64) }

// top returns the number of rows among the n most read rows that were read at all, and their total
// number of reads.
func (h histogram) top(n int64) (rows, reads int64) {
	for i, r := range h.rows {
		r = min(r, n-rows)
		rows += r
		reads += r * int64(h.reads[i])
	}
	return rows, reads
}
