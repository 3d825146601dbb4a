package static

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// pageRows is the number of rows of a page, the unit of allocation of a log.
const pageRows = 1024

// logger counts how often the sampled inputs read each row of the large tables.
type logger struct {
	tables   []dlrm.Table
	slots    []int // the tables of an input's lookups
	share    float64
	seed     uint64
	sampled  int64
	accesses []int64      // of a table
	pages    [][][]uint32 // counts of each table's rows; nil for a page without accesses
}

// newLogger returns an empty log. It omits tables of less than o.Small bytes.
func newLogger(model dlrm.Config, o Options) *logger {
	l := &logger{tables: model.Tables, slots: slotTables(model), share: o.Sample, seed: o.Seed, accesses: make([]int64, len(model.Tables))}
	for _, t := range model.Tables {
		var pages [][]uint32
		if int64(t.Rows)*int64(model.Dim)*valueBytes >= o.Small {
			pages = make([][]uint32, (t.Rows+pageRows-1)/pageRows)
		}
		l.pages = append(l.pages, pages)
	}
	return l
}

const valueBytes = 4

// large reports whether a table is in the log.
func (l *logger) large(table int) bool { return l.pages[table] != nil }

// samples reports whether the input with a number is in the sample.
func (l *logger) samples(number int64) bool {
	return detmath.Unit(detmath.Hash(l.seed, keySample, uint64(number))) < l.share
}

// add logs an input of the sample.
func (l *logger) add(in dlrm.Sample) {
	l.sampled++
	for i, index := range in.Sparse {
		t := l.slots[i]
		l.accesses[t]++
		if !l.large(t) {
			continue
		}
		page := &l.pages[t][index/pageRows]
		if *page == nil {
			*page = make([]uint32, pageRows)
		}
		(*page)[index%pageRows]++
	}
}

// cutoff returns the minimum count of a hot row for a threshold in percent of a table's accesses
// (Equation 1). It is at least 1 if the sample reads the table.
func (l *logger) cutoff(table int, percent float64) uint32 {
	return uint32(math.Ceil(percent / 100 * float64(l.accesses[table])))
}

// hot reports whether a row of a large table reaches a cutoff.
func (l *logger) hot(table int, index, cutoff uint32) bool {
	page := l.pages[table][index/pageRows]
	return page != nil && page[index%pageRows] >= cutoff
}

// classify returns the hot rows for a threshold.
func (l *logger) classify(percent float64) *Hot {
	cutoffs := make([]uint32, len(l.tables))
	for t := range cutoffs {
		cutoffs[t] = l.cutoff(t, percent)
	}
	return newHot(l.tables, func(t int, index uint32) bool { return !l.large(t) || l.hot(t, index, cutoffs[t]) })
}

// Keys of random numbers.
const (
	keySample = iota
	keyChunks
)
