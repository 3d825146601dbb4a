package timingtest

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Count samples a count from 0 to most.
func Count(t *rapid.T, most int, name string) int { return rapid.IntRange(0, most).Draw(t, name) }

// AddsUp checks an order for arbitrary plans and works: phases and the chain of work add up to the
// time, links carry the booked bytes, and [timing.Bare] gives the same times. Own, unless nil,
// samples counts that only the system has.
func AddsUp(t *testing.T, order timing.System, own func(*rapid.T) any) {
	AddUp(t, func(*rapid.T) timing.System { return order }, own)
}

// AddUp is like [AddsUp] for orders that depend on options, which order samples.
func AddUp(t *testing.T, order func(*rapid.T) timing.System, own func(*rapid.T) any) {
	rapid.Check(t, func(t *rapid.T) {
		p, system := drawPlan(t), order(t)
		works := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) timing.Work { return drawWork(t, own) }), 1, 5).Draw(t, "works")
		require.NoError(t, check(system, p, works))
	})
}

// check returns an error for the first rule that an order breaks.
func check(order timing.System, p timing.Plan, works []timing.Work) error {
	run, line, err := timing.Trace(order, p, works, All)
	if err != nil {
		return err
	}
	var phases, chain des.Time
	for _, f := range run.Phases {
		phases += f.Time
		if f.BoundBy == "" {
			return fmt.Errorf("nothing bounds phase %q", f.Label)
		}
	}
	for _, s := range run.Chain {
		chain += s.Time
	}
	if phases != run.Time || chain != run.Time {
		return fmt.Errorf("phases take %v and the chain of work %v, but the run %v", phases, chain, run.Time)
	}
	if m, c := moved(line), carried(run); m != c {
		return fmt.Errorf("events move %v bytes, but links carry %v", m, c)
	}
	bare, err := timing.Bare(order, p, works)
	if !reflect.DeepEqual(bare, timing.Run{Time: run.Time, Ends: run.Ends}) {
		return fmt.Errorf("a bare run takes %v to %v, another one %v to %v", bare.Time, bare.Ends, run.Time, run.Ends)
	}
	return err
}

func drawPlan(t *rapid.T) timing.Plan {
	choose := func(attribute string) string {
		c := timing.Choices[attribute]
		return c[Count(t, len(c)-1, attribute)][0]
	}
	return timing.Plan{
		Machine: machine.Default(), Model: Model(rapid.SampledFrom([]string{"rm1", "rm2", "rm3", "rm4"}).Draw(t, "model")),
		GPUs: rapid.IntRange(1, 8).Draw(t, "gpus"), Nodes: rapid.IntRange(1, 4).Draw(t, "nodes"),
		Profile: timing.Profile{
			Processes: choose("processes"), Launch: choose("launch"), Loader: choose("loader"), Tables: choose("tables"),
			CPU: choose("cpu"), Copies: choose("copies"), HotExchange: choose("hot_exchange"), Slices: choose("slices"), Misses: choose("misses"),
			Replicate: rapid.Bool().Draw(t, "replicate"), Pipelined: rapid.Bool().Draw(t, "pipelined"),
		},
	}
}

func drawWork(t *rapid.T, own func(*rapid.T) any) timing.Work {
	n := Count(t, 5000, "inputs")
	w := timing.Work{
		Inputs: n, Popular: Count(t, n, "popular"), HotRows: Count(t, 9999, "hot"), ColdRows: Count(t, 9999, "cold rows"), Listed: Count(t, 9999, "listed"),
		HotTable: Count(t, 9999, "table"), Promoted: Count(t, 99, "promoted"), Demoted: Count(t, 99, "demoted"), ColdCopies: Count(t, 9999, "cold copies"),
	}
	if own != nil {
		w.Own = own(t)
	}
	return w
}

// moved returns the bytes of events between host and GPUs, and among GPUs.
func moved(line *timeline.Timeline) (sum [2]int64) {
	for _, e := range line.Events() {
		switch e.Resource {
		case timing.CopiesToGPUs, timing.CopiesToHost, "pageable copies":
			sum[0] += e.Bytes
		case "GPU network":
			sum[1] += e.Bytes
		}
	}
	return sum
}

// carried returns the bytes on a run's links between host and GPUs, and among GPUs.
func carried(r timing.Run) (sum [2]int64) {
	for i, l := range r.Links {
		sum[max(0, i-1)] += l.Bytes
	}
	return sum
}
