package static

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// chunkRows are the rows of a chunk (m of Equation 2). They are equally far from each
// other, all over the table. Neighbours, which the paper takes, are alike where rows
// are numbered by when they first occur, or by their popularity: hot rows are then in
// few chunks, of which 35 see hardly one.
const chunkRows = 1024

// drawn is how many chunks of a table the profiler looks at (n of Equation 3).
const drawn = 35

// quantile is that of Student's distribution with 34 degrees of freedom for an
// interval that holds 99.9 % (Equation 4). With fewer chunks, all are looked at and
// there is nothing to estimate.
const quantile = 3.6007157

// Estimate is how many rows of the large tables a threshold makes hot.
type Estimate struct {
	Rows    float64 // the mean
	Upper   float64 // the upper end of its confidence interval
	Scanned int64   // rows that were looked at
	Entries int64   // rows that there are
}

// estimate profiles all large tables; try is the number of the threshold, for which
// chunks are drawn anew.
func (l *logger) estimate(percent float64, try int) Estimate {
	var e Estimate
	for t := range l.tables {
		if l.large(t) {
			l.estimateTable(&e, t, l.cutoff(t, percent), try)
		}
	}
	return e
}

func (l *logger) estimateTable(e *Estimate, table int, cutoff uint32, try int) {
	rows := l.tables[table].Rows
	chunks := (rows + chunkRows - 1) / chunkRows
	n := min(drawn, chunks)
	sum, squares := 0.0, 0.0
	for _, c := range draw(n, chunks, detmath.NewStream(l.seed, keyChunks, uint64(try), uint64(table))) {
		hot := 0.0
		for i := c; i < rows; i += chunks {
			if l.hot(table, uint32(i), cutoff) {
				hot++
			}
			e.Scanned++
		}
		sum, squares = sum+hot, squares+float64(hot*hot)
	}
	mean, all := sum/float64(n), float64(chunks)
	e.Rows += float64(mean * all)
	e.Upper += float64(mean * all)
	if n < chunks {
		variance := (squares - float64(mean*sum)) / float64(n-1)
		e.Upper += float64(all * quantile * math.Sqrt((all-float64(n))/all*max(0, variance)/float64(n)))
	}
	e.Entries += int64(rows)
}

// count is the estimate of a profiler that looks at every row.
func (l *logger) count(percent float64) Estimate {
	var e Estimate
	for t, pages := range l.pages {
		cutoff := l.cutoff(t, percent)
		for _, page := range pages {
			for _, reads := range page {
				if reads >= cutoff {
					e.Rows++
				}
			}
		}
		if l.large(t) {
			e.Entries += int64(l.tables[t].Rows)
		}
	}
	e.Upper, e.Scanned = e.Rows, e.Entries
	return e
}

// draw chooses n of total numbers, without putting back.
func draw(n, total int, r *detmath.Stream) []int {
	moved := map[int]int{}
	at := func(i int) int {
		if j, ok := moved[i]; ok {
			return j
		}
		return i
	}
	list := make([]int, n)
	for i := range list {
		j := i + int(r.Uint64()%uint64(total-i))
		list[i], moved[j] = at(j), at(i)
	}
	return list
}
