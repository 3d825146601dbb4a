package experiment

import "github.com/hotline-rtl/hotline/host/dlrm/data"

// RowsBytes exports rowsBytes to tests.
var RowsBytes = rowsBytes

// NeedsOf returns the estimated memory of a job.
func NeedsOf(j Job) float64 { return sumOf(j.needs()) }

// Sets returns the inputs of a job: the inputs to train on, in order, and the held-out inputs.
func (j Job) Sets() (train, held data.Source, err error) {
	s, err := j.sets()
	if err != nil {
		return nil, nil, err
	}
	train, err = data.Range(s.train, 0, s.number)
	return train, s.test, err
}
