package scratchpipe_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/rec/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// scale is by how much the paper's tables and mini-batches are smaller here. What a scratchpad
// holds of a table, and a window of the scratchpad, are as in the paper.
const scale = 128

// Mini-batches of a measurement, and those that are counted at its end.
const (
	measured = 300
	counted  = 100
)

// trace is what the last mini-batches of a trace ask for on average.
type trace struct {
	hits float64     // share of lookups
	work timing.Work // of the paper's size
}

func measure(t *testing.T, name string, share float64, c constructor) trace {
	preset, err := gen.Named("scratchpipe-"+name, 1)
	require.NoError(t, err)
	for i := range preset.Params.Tables {
		preset.Params.Tables[i].Rows /= scale
	}
	clicks, err := gen.New(preset.Params, 1<<40)
	require.NoError(t, err)
	j := &job{model: paper(), batch: 2048 / scale, gpus: 1, opts: scratchpipe.DefaultOptions(), valueless: true}
	for i := range j.model.Tables {
		j.model.Tables[i].Rows /= scale
	}
	j.opts.Share = share
	b, err := train.NewBatches(j.model, clicks, j.batch, measured*int64(j.batch))
	require.NoError(t, err)
	s := j.make(t, c)
	before := train.Result{}
	r, err := train.Run(s, b, train.Unwatched{}, func(step train.Step) error {
		if step.MiniBatch == measured-counted-1 {
			before.Counts = s.Counts()
		}
		return nil
	})
	require.NoError(t, err)
	during := func(label string) int64 { return r.Count(label) - before.Count(label) }
	works := r.Works[measured-counted:]
	m := trace{hits: float64(during(scratchpipe.CountHits)) / float64(during(scratchpipe.CountLookups))}
	m.work = timing.Work{Inputs: 2048, Slots: scale * works[0].Slots}
	for _, w := range works {
		m.work.Fills += w.Fills
		m.work.Leaves += w.Leaves
	}
	m.work.Fills = m.work.Fills * scale / counted
	m.work.Leaves = m.work.Leaves * scale / counted
	return m
}

func perBatch(t *testing.T, system timing.System, profile string, gpus int, w timing.Work) (node.Time, timing.Run) {
	p, err := timing.LoadProfile(profile)
	require.NoError(t, err)
	works := make([]timing.Work, 100)
	for i := range works {
		works[i] = w
	}
	r, err := timing.Time(system, timing.Plan{Machine: machine.Default(), Profile: p, Model: paper(), GPUs: gpus, Nodes: 1}, works)
	require.NoError(t, err)
	return r.Time / 100, r
}

func TestFigures(t *testing.T) {
	for _, name := range []string{"random", "low", "medium", "high"} {
		for _, share := range []float64{0.02, 0.04, 0.06, 0.10} {
			m := measure(t, name, share, scratchpipe.New)
			fmt.Printf("%s %v hits %.3f fills %d leaves %d slots %d", name, share, m.hits, m.work.Fills, m.work.Leaves, m.work.Slots)
			for _, p := range timing.ProfileNames()[:4] {
				h, _ := perBatch(t, timing.Hybrid, p, 1, m.work)
				a, run := perBatch(t, timing.ScratchPipe, p, 1, m.work)
				b, _ := perBatch(t, timing.ScratchPipeStrawman, p, 1, m.work)
				i, _ := perBatch(t, timing.ScratchPipeIdeal, p, 1, m.work)
				g, _ := perBatch(t, timing.ModelParallel, p, 8, m.work)
				fmt.Printf(" | %s hyb %v sp %v straw %v ideal %v 8gpu %v %s", p, h, a, b, i, g, run.BoundBy())
			}
			fmt.Println()
		}
	}
}
