package fae

import (
	"math"

	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
)

// counts are the events of a run.
type counts struct {
	figures         static.Figures
	hotRows         int64
	inputs, popular int64
	vectors         int64 // pooled by the CPU
	swaps           int64
	toGPUs, toHost  int64 // hot rows copied
	rate            float64
}

// Labels of the counts in a report.
const (
	CountSampled   = "inputs sampled"
	CountThreshold = "threshold, accesses in 10^12 of a table"
	CountTries     = "thresholds tried"
	CountEntries   = "rows of large tables"
	CountScanned   = "rows scanned for a threshold"
	CountEstimated = "hot rows of large tables, estimated"
	CountLarge     = "hot rows of large tables"
	CountHotRows   = "hot rows"
	CountInputs    = "inputs"
	CountPopular   = "popular inputs"
	CountVectors   = "pooled vectors copied to GPUs"
	CountSwaps     = "swaps"
	CountToGPUs    = "rows copied to GPUs"
	CountToHost    = "rows copied to host"
	CountRate      = "rate at the end, %"
)

func (c *counts) prepared(p *static.Prepared) { c.figures, c.hotRows = p.Figures, int64(p.Hot.Len()) }

func (c *counts) list() []train.Count {
	f := c.figures
	return []train.Count{
		{Label: CountSampled, N: f.Sampled}, {Label: CountThreshold, N: int64(math.Round(f.Threshold * 1e10))}, {Label: CountTries, N: int64(f.Tries)},
		{Label: CountEntries, N: f.Estimate.Entries}, {Label: CountScanned, N: f.Estimate.Scanned},
		{Label: CountEstimated, N: int64(math.Round(f.Estimate.Rows))}, {Label: CountLarge, N: f.Rows}, {Label: CountHotRows, N: c.hotRows},
		{Label: CountInputs, N: c.inputs}, {Label: CountPopular, N: c.popular}, {Label: CountVectors, N: c.vectors},
		{Label: CountSwaps, N: c.swaps}, {Label: CountToGPUs, N: c.toGPUs}, {Label: CountToHost, N: c.toHost}, {Label: CountRate, N: int64(math.Round(c.rate))},
	}
}
