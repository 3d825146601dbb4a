package static

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// Parts of the package for tests.
const (
	Quantile  = quantile
	Drawn     = drawn
	ChunkRows = chunkRows
)

var (
	Draw   = draw
	Search = search
)

// Log is a log.
type Log struct{ *logger }

// NewLog logs the first inputs that are in the sample, and reads no other inputs.
func NewLog(s data.Source, inputs int64, model dlrm.Config, o Options) (Log, error) {
	l := newLogger(model, o)
	for number := range inputs {
		if !l.samples(number) {
			continue
		}
		in, err := one(s, number)
		if err != nil {
			return Log{}, err
		}
		l.add(in)
	}
	return Log{l}, nil
}

// one returns an input of a source.
func one(s data.Source, number int64) (dlrm.Sample, error) {
	r, err := s.Open(number)
	if err != nil {
		return dlrm.Sample{}, err
	}
	defer r.Close()
	var b dlrm.Batch
	if err := r.Read(&b, 1); err != nil {
		return dlrm.Sample{}, err
	}
	return b.At(0), nil
}

// Estimate runs the profiler with chunks, and Count with every row.
func (l Log) Estimate(percent float64, try int) Estimate { return l.estimate(percent, try) }
func (l Log) Count(percent float64) Estimate             { return l.count(percent) }

// Optimise runs the statistical optimiser.
func (l Log) Optimise(rowBytes, budget int64) (*Hot, Figures, error) {
	return l.optimise(rowBytes, budget)
}

// Popular returns the hot fraction of every step-th of the first inputs.
func Popular(s data.Source, inputs, step int64, model dlrm.Config, hot *Hot) (float64, error) {
	slots, n, all := slotTables(model), 0, 0
	for number := step / 2; number < inputs; number += step {
		in, err := one(s, number)
		if err != nil {
			return 0, err
		}
		if hot.all(slots, in) {
			n++
		}
		all++
	}
	return float64(n) / float64(all), nil
}
