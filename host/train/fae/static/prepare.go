package static

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Options are the options of Prepare. They are stored in files.
type Options struct {
	Budget int64   // bytes of GPU memory for hot rows (L), not negative
	Sample float64 // fraction of the inputs that is logged, above 0 and at most 1
	Small  int64   // tables of fewer bytes are completely hot, not negative
	Seed   uint64  // of sample and chunks
}

// Prepared is the outcome for some mini-batches.
type Prepared struct {
	Hot     *Hot
	Inputs  *Inputs
	Figures Figures
}

// Figures describe how the outcome was found.
type Figures struct {
	Threshold float64  `json:"threshold_percent"` // of a table's accesses
	Sampled   int64    `json:"sampled"`           // inputs
	Tries     int      `json:"tries"`             // number of estimated thresholds
	Counted   bool     `json:"counted"`           // the estimate was too low, so rows were counted for each threshold
	Estimate  Estimate `json:"estimate"`          // the profiler's estimate for the threshold
	Rows      int64    `json:"rows"`              // hot rows of the large tables
}

// Scanned returns the number of rows of the log that the search scans, and the pass that classifies
// the rows. If rows were counted, it is an upper bound: each threshold scans all rows.
func (f Figures) Scanned() int64 {
	each := f.Estimate.Scanned
	if f.Counted {
		each = f.Estimate.Entries
	}
	return int64(f.Tries)*each + f.Estimate.Entries
}

// Prepare classifies the rows of a model and the inputs of mini-batches. It returns an error if
// reading fails, or if the small tables exceed the budget.
func Prepare(b *train.Batches, model dlrm.Config, o Options) (*Prepared, error) {
	l, number := newLogger(model, o), int64(0)
	err := eachBatch(b, func(batch dlrm.Batch) {
		for i := range batch.Len() {
			if l.samples(number) {
				l.add(batch.At(i))
			}
			number++
		}
	})
	if err != nil {
		return nil, err
	}
	p := &Prepared{}
	if p.Hot, p.Figures, err = l.optimise(int64(model.Dim)*valueBytes, o.Budget); err != nil {
		return nil, err
	}
	p.Inputs, err = classifyInputs(b, model, p.Hot)
	return p, err
}

// optimise returns the hot rows for a budget in bytes, and the figures of the search.
func (l *logger) optimise(rowBytes, budget int64) (*Hot, Figures, error) {
	whole := int64(0)
	for t, table := range l.tables {
		if !l.large(t) {
			whole += int64(table.Rows)
		}
	}
	room := float64(budget/rowBytes - whole)
	f := Figures{Sampled: l.sampled}
	threshold, tried, ok := search(room, func(percent float64, try int) float64 { return l.estimate(percent, try).Upper })
	hot := l.classify(threshold)
	if f.Tries = tried; !ok || float64(int64(hot.Len())-whole) > room {
		f.Counted = true
		if threshold, tried, ok = search(room, func(percent float64, _ int) float64 { return l.count(percent).Rows }); !ok {
			return nil, f, fmt.Errorf("fae: a budget of %d bytes holds %d rows, but small tables alone have %d and each of the others its hottest: use a larger budget, or smaller small tables",
				budget, budget/rowBytes, whole)
		}
		f.Tries += tried
		hot = l.classify(threshold)
	}
	f.Threshold, f.Rows = threshold, int64(hot.Len())-whole
	f.Estimate = l.estimate(threshold, f.Tries)
	return hot, f, nil
}
