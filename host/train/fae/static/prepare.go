package static

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Options of Prepare. Files keep them.
type Options struct {
	Budget int64   // bytes that the hot rows may take on a GPU (L), not negative
	Sample float64 // share of the inputs that is logged, above 0 and up to 1
	Small  int64   // tables of less bytes are hot as a whole, not negative
	Seed   uint64  // of sample and chunks
}

// Prepared is the outcome for some mini-batches.
type Prepared struct {
	Hot     *Hot
	Inputs  *Inputs
	Figures Figures
}

// Figures are how it came about.
type Figures struct {
	Threshold float64  `json:"threshold_percent"` // of a table's accesses
	Sampled   int64    `json:"sampled"`           // inputs
	Tries     int      `json:"tries"`             // thresholds that were estimated
	Counted   bool     `json:"counted"`           // the estimate was too low, and rows were counted for each threshold
	Estimate  Estimate `json:"estimate"`          // of the threshold, by the profiler
	Rows      int64    `json:"rows"`              // of the large tables that are hot
}

// Prepare classifies the rows of a model and the inputs of mini-batches. Errors: those of
// reading; there is no room for the small tables.
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

// optimise finds the threshold for a budget of bytes, and the rows that are hot.
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
