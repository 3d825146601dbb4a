package experiment

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// checkDrawn returns an error if a mini-batch in Drawn does not exist.
func (j Job) checkDrawn(s sets) error {
	inputs := s.number
	if n, known := s.train.Len(); known && (inputs == 0 || n < inputs) {
		inputs = n
	}
	size := int64(j.Config.Training.Batch)
	before, _ := j.before()
	n := (inputs+size-1)/size - int64(before) // 0 or less if it is unknown
	for _, m := range j.Drawn {
		if m < 0 || n > 0 && int64(m) >= n {
			return fmt.Errorf("experiment: the timelines of mini-batch %d cannot be drawn; expected 0 to %d", m, n-1)
		}
	}
	return nil
}

// draw records the timelines of all systems for WriteHTML. The timeline of a system that was not
// trained is empty.
func (r *run) draw(out *report.Report) error {
	last := r.trained[0]
	for _, t := range r.trained {
		if len(t.result.Works) > 0 {
			last = t
		}
	}
	for _, m := range r.Drawn {
		if m < last.result.MiniBatches {
			out.Drawn = append(out.Drawn, report.Drawn{Number: m})
		}
	}
	if len(r.Drawn) == 0 {
		out.Drawn = few(last.result.Works, last.series)
	}
	kept := map[int]bool{}
	for _, d := range out.Drawn {
		kept[d.Number-1], kept[d.Number], kept[d.Number+1] = true, true, true
	}
	for _, t := range r.trained {
		line := timeline.New()
		if len(t.result.Works) > 0 {
			var err error
			if _, line, err = timing.Trace(t.system.Order(), r.plan(r.Config.Profile()), t.result.Works, func(m int) bool { return kept[m] }); err != nil {
				return err
			}
		}
		out.Timelines = append(out.Timelines, line)
	}
	return nil
}

// few selects mini-batches that differ: the first two, one during which the accelerator learns, and
// one in steady state.
func few(works []timing.Work, times series) []report.Drawn {
	why := map[int]string{}
	add := func(m int, reason string) {
		if why[m] != "" {
			reason = why[m] + "; " + reason
		}
		why[m] = reason
	}
	learns := func(m int) bool {
		if m+1 >= len(works) {
			return false
		}
		l, ok := works[m+1].Own.(timing.Learner)
		return ok && l.Learns()
	}
	for m, reason := range []string{"the first", "the second"} {
		if m < len(works) {
			add(m, reason)
		}
	}
	var steady []int
	for m := range works {
		if m >= len(works)/2 && m+1 < len(works) && !learns(m) {
			steady = append(steady, m)
		}
	}
	for m := 1; m < len(works); m++ {
		if learns(m) {
			add(m, "the accelerator learns")
			break
		}
	}
	slices.SortStableFunc(steady, func(a, b int) int { return cmp.Compare(times[a].Time, times[b].Time) })
	if len(steady) > 0 {
		add(steady[len(steady)/2], "of median time in the second half")
	}
	var list []report.Drawn
	for _, m := range slices.Sorted(maps.Keys(why)) {
		list = append(list, report.Drawn{Number: m, Why: why[m]})
	}
	return list
}
