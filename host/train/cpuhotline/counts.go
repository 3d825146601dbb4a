package cpuhotline

import "github.com/hotline-rtl/hotline/host/train"

// counts are the events of a run.
type counts struct {
	inputs, popular   int64
	counted, learned  int64
	cold, updated     int64
	promoted, demoted int64
}

// Labels of the counts in a report.
const (
	CountInputs   = "inputs"
	CountPopular  = "popular inputs"
	CountLearned  = "mini-batches learned"
	CountCounted  = "lookups counted"
	CountCold     = "cold rows copied to GPUs"
	CountUpdated  = "cold rows updated"
	CountPromoted = "rows moved to GPUs"
	CountDemoted  = "rows moved to host"
)

func (c counts) list() []train.Count {
	return []train.Count{
		{Label: CountInputs, N: c.inputs}, {Label: CountPopular, N: c.popular}, {Label: CountLearned, N: c.learned}, {Label: CountCounted, N: c.counted},
		{Label: CountCold, N: c.cold}, {Label: CountUpdated, N: c.updated}, {Label: CountPromoted, N: c.promoted}, {Label: CountDemoted, N: c.demoted},
	}
}
