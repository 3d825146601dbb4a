package static

import (
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
)

// What tests ask of the parts.
const (
	Quantile  = quantile
	Drawn     = drawn
	ChunkRows = chunkRows
)

var (
	Draw   = draw
	Search = search
)

// Log is a log of all mini-batches.
type Log struct{ *logger }

// NewLog logs.
func NewLog(b *train.Batches, model rec.Config, o Options) (Log, error) {
	l, number := newLogger(model, o), int64(0)
	return Log{l}, eachBatch(b, func(batch rec.Batch) {
		for i := range batch.Len() {
			l.add(number, batch.At(i))
			number++
		}
	})
}

// Estimate and Count are the profiler with chunks and with every row.
func (l Log) Estimate(percent float64, try int) Estimate { return l.estimate(percent, try) }
func (l Log) Count(percent float64) Estimate             { return l.count(percent) }

// Optimise is the statistical optimiser.
func (l Log) Optimise(rowBytes, budget int64) (*Hot, Figures, error) {
	return l.optimise(rowBytes, budget)
}

// Popular counts the inputs of mini-batches that each of some sets of rows makes hot.
func Popular(b *train.Batches, model rec.Config, sets []*Hot) ([]int64, error) {
	slots, popular := slotTables(model), make([]int64, len(sets))
	return popular, eachBatch(b, func(batch rec.Batch) {
		for i := range batch.Len() {
			for s, h := range sets {
				if h.all(slots, batch.At(i)) {
					popular[s]++
				}
			}
		}
	})
}
