package xdl

import "github.com/hotline-rtl/hotline/host/train"

// counts are the events of a run.
type counts struct{ dense, rows, updated int64 }

// Labels of the counts in a report.
const (
	CountDense   = "dense values pulled"
	CountRows    = "rows pulled"
	CountUpdated = "rows updated"
)

func (c counts) list() []train.Count {
	return []train.Count{{Label: CountDense, N: c.dense}, {Label: CountRows, N: c.rows}, {Label: CountUpdated, N: c.updated}}
}
