package static

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// chunkRows is the number of rows of a chunk (m of Equation 2). The rows of a chunk are spaced
// evenly over the table. The paper uses adjacent rows, but adjacent rows are similar if rows are
// numbered by first occurrence or by popularity. Hot rows are then in few chunks, and a sample of
// 35 chunks hardly contains one.
const chunkRows = 1024

// drawn is the number of chunks of a table that the profiler samples (n of Equation 3).
const drawn = 35

// quantile is the quantile of Student's distribution with 34 degrees of freedom for a 99.9 %
// confidence interval (Equation 4). Tables with fewer chunks are scanned completely, without an
// estimate.
const quantile = 3.6007157

// Estimate is an estimate of the number of hot rows of the large tables for a threshold.
type Estimate struct {
	Rows    float64 // the mean
	Upper   float64 // the upper end of its confidence interval
	Scanned int64   // number of rows scanned
	Entries int64   // number of rows
}

// estimate profiles all large tables. It samples different chunks for each try, the number of the
// threshold.
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

// count returns exact counts in the form of an estimate.
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

// draw samples n of total numbers without replacement.
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
