package static

import (
	"math"

	"github.com/hotline-rtl/hotline/host/rec/repro"
)

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
	total := len(l.chunks[table])
	n := min(drawn, total)
	sum, squares := 0.0, 0.0
	for _, c := range draw(n, total, repro.NewStream(l.seed, keyChunks, uint64(try), uint64(table))) {
		hot := float64(l.above(table, c, cutoff))
		sum, squares = sum+hot, squares+float64(hot*hot)
		e.Scanned += int64(min(chunkRows, l.tables[table].Rows-c*chunkRows))
	}
	mean, all := sum/float64(n), float64(total)
	e.Rows += float64(mean * all)
	e.Upper += float64(mean * all)
	if n < total {
		variance := (squares - float64(mean*sum)) / float64(n-1)
		e.Upper += float64(all * quantile * math.Sqrt((all-float64(n))/all*max(0, variance)/float64(n)))
	}
	e.Entries += int64(l.tables[table].Rows)
}

// count is the estimate of a profiler that looks at every row.
func (l *logger) count(percent float64) Estimate {
	var e Estimate
	for t, chunks := range l.chunks {
		cutoff := l.cutoff(t, percent)
		for c := range chunks {
			e.Rows += float64(l.above(t, c, cutoff))
		}
		if l.large(t) {
			e.Entries += int64(l.tables[t].Rows)
		}
	}
	e.Upper, e.Scanned = e.Rows, e.Entries
	return e
}

// draw chooses n of total numbers, without putting back.
func draw(n, total int, r *repro.Stream) []int {
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
