package static

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// pageRows are the rows that exist in a log if one of them is read.
const pageRows = 1024

// logger counts how often the sampled inputs read each row of the large tables.
type logger struct {
	tables   []dlrm.Table
	slots    []int // the tables that an input's lookups read
	share    float64
	seed     uint64
	sampled  int64
	accesses []int64      // of a table
	pages    [][][]uint32 // counts of each table's rows; nil for a page that nobody read
}

// newLogger makes an empty log. Tables of less than small bytes are left out.
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

// large tells whether a table is in the log.
func (l *logger) large(table int) bool { return l.pages[table] != nil }

// samples tells whether the input of a number is in the sample.
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

// cutoff is how often the sample reads a row that a threshold, in percent of a
// table's accesses, makes hot (Equation 1): at least once, if it reads the table.
func (l *logger) cutoff(table int, percent float64) uint32 {
	return uint32(math.Ceil(percent / 100 * float64(l.accesses[table])))
}

// hot tells whether a row of a large table reaches a cutoff.
func (l *logger) hot(table int, index, cutoff uint32) bool {
	page := l.pages[table][index/pageRows]
	return page != nil && page[index%pageRows] >= cutoff
}

// classify tells hot rows from others.
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
