package scratchpipe_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// scale is the factor by which tables and mini-batches are smaller than the paper's. The
// scratchpad's share of a table, and the window's share of the scratchpad, are the paper's.
const scale = 1024

// Mini-batches of a measurement, and the number at its end that is counted.
const (
	measured = 2400
	counted  = 800
)

// trace is the average work of the last mini-batches of a trace.
type trace struct {
	hits float64     // fraction of lookups
	work timing.Work // for the paper's sizes
}

// pad returns a trace on a scratchpad for a share of the rows.
func pad(t *testing.T, clicks string, share float64) trace {
	j, b := scaled(t, clicks)
	j.opts.Share = share
	during, works := countLast(t, j.make(t, scratchpipe.New), b)
	m := trace{hits: float64(during(scratchpipe.CountHits)) / float64(during(scratchpipe.CountLookups))}
	m.work = timing.Work{Inputs: 2048, Own: scratchpipe.Work{Slots: scale * own(works[0]).Slots, Fills: mean(works, fills), Leaves: mean(works, leaves)}}
	return m
}

func own(w timing.Work) scratchpipe.Work { return timing.Own[scratchpipe.Work](w) }
func fills(w timing.Work) int            { return own(w).Fills }
func leaves(w timing.Work) int           { return own(w).Leaves }

// scaled returns a training on a trace of the paper.
func scaled(t *testing.T, clicks string) (*job, *train.Batches) {
	preset, err := gen.Named("scratchpipe-"+clicks, 1)
	require.NoError(t, err)
	for i := range preset.Params.Tables {
		preset.Params.Tables[i].Rows /= scale
	}
	source, err := gen.New(preset.Params, 1<<40)
	require.NoError(t, err)
	j := &job{Job: systemtest.Job{Model: paper(), Seed: 5, Batch: 2048 / scale, GPUs: 1, Valueless: true}, opts: scratchpipe.DefaultOptions()}
	for i := range j.Model.Tables {
		j.Model.Tables[i].Rows /= scale
	}
	b, err := train.NewBatches(j.Model, source, j.Batch, measured*int64(j.Batch))
	require.NoError(t, err)
	return j, b
}

// countLast trains, and counts the last mini-batches.
func countLast(t *testing.T, s train.System, b *train.Batches) (during func(label string) int64, works []timing.Work) {
	before := train.Result{}
	r, err := train.Run(s, b, train.Unwatched{}, func(step train.Step) error {
		if step.MiniBatch == measured-counted-1 {
			before.Counts = s.Counts()
		}
		return nil
	})
	require.NoError(t, err)
	return func(label string) int64 { return r.Count(label) - before.Count(label) }, r.Works[measured-counted:]
}

// mean returns the work of a mini-batch of the paper's size.
func mean(works []timing.Work, of func(timing.Work) int) int {
	sum := 0
	for _, w := range works {
		sum += of(w)
	}
	return sum * scale / counted
}

// point is a trace and a share of the rows.
type point struct {
	clicks string
	share  float64
	pad    trace
	static trace
}

// label returns the first cells of a row of a table.
func (p point) label() string { return fmt.Sprintf("| %s | %.0f %% ", p.clicks, 100*p.share) }

var traces = []string{"random", "low", "medium", "high"}

// points returns the points of the document, which are measured once.
func points(t *testing.T) []point {
	measuring.Do(func() {
		for _, clicks := range traces {
			for _, share := range []float64{0.02, 0.10} {
				all = append(all, point{clicks, share, pad(t, clicks, share), static(t, clicks, share)})
			}
		}
	})
	return all
}

var (
	measuring sync.Once
	all       []point
)

// perBatchOf returns the time in ms of a mini-batch, and of a phase, with a profile, for many equal
// mini-batches.
func perBatchOf(t *testing.T, p timing.Profile, system timing.System, gpus int, w timing.Work) (ms float64, phases map[string]float64) {
	const n = 100
	works := make([]timing.Work, n)
	for i := range works {
		works[i] = w
	}
	r, err := timing.Time(system, timing.Plan{Machine: machine.Default(), Profile: p, Model: paper(), GPUs: gpus, Nodes: 1}, works)
	require.NoError(t, err)
	phases = map[string]float64{}
	for _, f := range r.Phases {
		phases[f.Label] = f.Time.Seconds() * 1e3 / n
	}
	return r.Time.Seconds() * 1e3 / n, phases
}
