package papers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// cdlrmPaper is cDLRM (RecSys 2021).
func cdlrmPaper(ctx context.Context, profile string, profiles []timing.Profile) []experiment {
	c := &cdlrmRuns{ctx: ctx}
	list := []experiment{counting("cdlrm sizes", c.sizes), counting("cdlrm hits", c.hits), counting("cdlrm staleness", c.staleness)}
	list = append(list, drawn(profile, c.figure1(profiles), c.figure3(profiles), c.figure3Trends(profiles), c.figure4(profiles))...)
	return append(append(list, ordered(profile, c.order(profiles))...), parity("cdlrm parity", cdlrmParity), parity("cdlrm lambda", cdlrmLambda))
}

// The paper's single-GPU training, on fewer mini-batches and with smaller caches.
const (
	cdlrmBatch   = 2048
	cdlrmBatches = 16
)

var (
	cdlrmSets    = []int{50, 5000}
	cdlrmWindows = []int{1, 4, 8}
)

// cdlrmRuns are trainings of cDLRM, each once.
type cdlrmRuns struct {
	ctx  context.Context
	runs once[cdlrmRun, outcome]
}

// training is one on clicks like those of Kaggle with the model of the paper's Figure 3.
func (c *cdlrmRuns) training(gpus, batch, batches int) (training, error) {
	clicks, _, err := clicksOf("kaggle")
	if err != nil {
		return training{}, err
	}
	m := dlrm.Config{Name: "cdlrm", Dense: 13, Dim: 64, Bottom: []int{13, 512, 256, 64}, Top: []int{512, 512, 256, 1}, LearningRate: 0.1, Tables: clicks.Shape().Tables}
	return training{model: m, clicks: clicks, gpus: gpus, batch: batch, batches: batches}, nil
}

// cdlrmRun is what a training is made of.
type cdlrmRun struct {
	gpus, batch, batches int
	opts                 cdlrm.Options
}

// figure3Run is one of the trainings of Figure 3.
func figure3Run(sets, window int) cdlrmRun {
	return cdlrmRun{1, cdlrmBatch, cdlrmBatches, cdlrm.Options{Window: window, Sets: sets, Ways: 16, Lambda: 1}}
}

func (c *cdlrmRuns) run(r cdlrmRun) (outcome, error) {
	return c.runs.get(r, func() (outcome, error) {
		t, err := c.training(r.gpus, r.batch, r.batches)
		if err != nil {
			return outcome{}, err
		}
		return t.run(c.ctx, cdlrmSystem(r.opts), nil)
	})
}

// source is a training on a timeline, that does not wait for its loader, which is a window
// ahead.
func (c *cdlrmRuns) source(r cdlrmRun) source {
	return source{fmt.Sprint("cdlrm: ", r), func() (load, error) {
		t, err := c.training(r.gpus, r.batch, r.batches)
		if err != nil {
			return load{}, err
		}
		o, err := c.run(r)
		if err != nil {
			return load{}, err
		}
		return t.load(o), nil
	}}
}

// sizes are of the data and of the caches.
func (c *cdlrmRuns) sizes(context.Context) (f Finding, err error) {
	_, kaggle, err := clicksOf("kaggle")
	if err != nil {
		return f, err
	}
	bytes := 0
	for _, t := range kaggle.Params.Tables {
		bytes += min(t.Rows, cdlrm.NextPrime(150_000)*16) * 128 * 4
	}
	days := math.Ceil(float64(kaggle.Inputs) * 6 / 7)
	f.add("cdlrm/table-1a/inputs/kaggle-training", days, "")
	f.add("cdlrm/table-1a/inputs/kaggle-test", math.Ceil((float64(kaggle.Inputs)-days)/2), "")
	f.add("cdlrm/table-1a/features/dense", float64(kaggle.Params.Dense), "")
	f.add("cdlrm/table-1a/features/sparse", float64(len(kaggle.Params.Tables)), "")
	t, err := c.training(1, cdlrmBatch, cdlrmBatches)
	if err != nil {
		return f, err
	}
	const ran = "as Figure 3 is run here"
	f.add("cdlrm/single-gpu/set-up/mini-batch", float64(t.batch), ran)
	f.said("cdlrm/single-gpu/set-up/mlps", fmt.Sprintf("%s, %s, rows of %d values, %d ways", widths(t.model.Bottom), widths(t.model.Top), t.model.Dim, figure3Run(1, 1).opts.Ways), ran)
	f.other("Figure 4: caches of 150,000 sets that GPU 0 broadcasts, Kaggle", float64(bytes)/gib, 1, "GiB", "16 ways, rows of 128 values")
	return f, nil
}

// share is the part of the distinct rows of a mini-batch that is cached, in percent.
func (c *cdlrmRuns) share(sets, window int) (float64, error) {
	o, err := c.run(figure3Run(sets, window))
	return 100 * (1 - float64(o.Count(cdlrm.CountVictims))/float64(max(1, o.Count(cdlrm.CountReads)))), err
}

// hits are what Figure 3c shows: less of the longer window is cached, the less the smaller
// the caches.
func (c *cdlrmRuns) hits(context.Context) (f Finding, err error) {
	for _, sets := range cdlrmSets {
		last := 0.
		for _, window := range cdlrmWindows {
			hits, err := c.share(sets, window)
			if err != nil {
				return f, err
			}
			on, note := fmt.Sprintf("%d sets, windows of %d", sets, window), "of the distinct rows of a mini-batch"
			if window == cdlrmWindows[0] {
				f.other("Figure 3: rows cached, "+on, hits, 1, "%", fmt.Sprintf("%s; %d mini-batches of %d inputs like Kaggle's", note, cdlrmBatches, cdlrmBatch))
			} else {
				f.bounded(id("cdlrm", "Figure 3", "rows cached, falls with the window", on), hits, 0, last, note)
			}
			last = hits
		}
	}
	return f, nil
}

// staleness is how old the rows are that the authors' program reads, and ours.
func (c *cdlrmRuns) staleness(context.Context) (f Finding, err error) {
	t, err := watchable()
	if err != nil {
		return f, err
	}
	of := "24 mini-batches of 64 inputs like Kaggle's, with values, caches that are too small for their window"
	for _, released := range []bool{false, true} {
		o := cdlrm.Options{Window: 3, Sets: 20, Ways: 2, Lambda: 1, Released: released}
		found, err := t.hazards(cdlrmSystem(o))
		if err != nil {
			return f, err
		}
		if released {
			f.other("Section 5: the same in the authors' program", found, 0, "", of)
		} else {
			f.other("Section 5: stale reads and lost updates, rows fetched again where they are old", found, 0, "", of+"; the paper allows for some")
		}
	}
	return f, c.asReleased(&f)
}

// asReleased is what the authors' program makes of rows, with small caches and with large ones.
func (c *cdlrmRuns) asReleased(f *Finding) error {
	small, err := c.released(50)
	if err != nil {
		return err
	}
	large, err := c.released(5000)
	if err != nil {
		return err
	}
	var because []string
	if large.old < small.old {
		because = []string{fmt.Sprintf("caches that hold %.1f %% of the rows of a window, not %.1f: %.2f %%", large.cached, small.cached, large.old)}
	}
	f.add("cdlrm/section-5/old-rows-that-the-authors-program-reads/50-sets", small.old, "", because...)
	f.add("cdlrm/section-5/old-rows-that-the-authors-program-reads/5000-sets", large.old, "")
	for on, r := range map[string]released{"50-sets": small, "5000-sets": large} {
		because = nil
		if r.lostByOurs < r.lost {
			because = []string{fmt.Sprintf("it never sends victims back; where they are, %d updates are lost", r.lostByOurs)}
		}
		f.add("cdlrm/section-5/updates-of-victims-that-the-authors-program-loses/"+on, float64(r.lost), "", because...)
	}
	return nil
}

// released is what the authors' program does with rows: shares, in percent, of rows that are too
// old when they are read and of rows that are cached, and updates that it loses, and ours does.
type released struct {
	old, cached      float64
	lost, lostByOurs int64
}

func (c *cdlrmRuns) released(sets int) (r released, err error) {
	o := cdlrm.Options{Window: 10, Sets: sets, Ways: 16, Lambda: 1}
	ours, err := c.run(cdlrmRun{1, 512, 40, o})
	if err != nil {
		return r, err
	}
	o.Released = true
	theirs, err := c.run(cdlrmRun{1, 512, 40, o})
	if err != nil {
		return r, err
	}
	share := func(labels ...string) (sum float64) {
		for _, label := range labels {
			sum += 100 * float64(theirs.Count(label)) / float64(theirs.Count(cdlrm.CountReads))
		}
		return sum
	}
	old := share(cdlrm.CountAge1, cdlrm.CountAge2, cdlrm.CountAge4, cdlrm.CountAge8, cdlrm.CountAgeMore)
	return released{old, 100 - share(cdlrm.CountVictims), theirs.Count(cdlrm.CountLost), ours.Count(cdlrm.CountLost)}, nil
}

func cdlrmSystem(o cdlrm.Options) constructor {
	return func(s *server.Server, from *train.State) (train.System, error) { return cdlrm.New(s, from, o) }
}

// figure3 is time by window.
func (c *cdlrmRuns) figure3(profiles []timing.Profile) Figure {
	f := Figure{
		Name: "cDLRM Figure 3", Title: "ms a mini-batch by look-ahead window, one GPU",
		Note: fmt.Sprintf("Counts of trainings: %d mini-batches of %d inputs like Kaggle's, rows of 64 values, 16 ways. Waiting for the look-ahead is left out: "+
			"the paper has as many prefetching processes as it takes, here is one. The paper's time falls with the window in large caches and rises in small ones; here victims take about as much more as caching takes less.", cdlrmBatches, cdlrmBatch),
		Labels: []string{"sets", "window"}, Columns: columns(profiles),
	}
	for _, sets := range cdlrmSets {
		for _, window := range cdlrmWindows {
			x := c.source(figure3Run(sets, window))
			f.Rows = append(f.Rows, row(profiles, nil, func(p timing.Profile) measure { return busy(x, p) }, fmt.Sprint(sets), fmt.Sprint(window)))
		}
	}
	return f
}

// figure3Trends are the least steps from a window to the next one, in the paper's direction.
func (c *cdlrmRuns) figure3Trends(profiles []timing.Profile) Figure {
	f := Figure{
		Name: "cDLRM Figure 3, trends", Title: "times of the least step from a window to the next one, one GPU",
		Note:   "Above 1 is as in the paper: time falls with the window in large caches, and rises in small ones.",
		Labels: []string{"sets", "paper's"}, Columns: columns(profiles),
	}
	for i, direction := range []string{"rises", "falls"} {
		sets, windows := cdlrmSets[i], slices.Clone(cdlrmWindows)
		if direction == "falls" {
			slices.Reverse(windows)
		}
		record := id("cdlrm", "Figure 3", "time by window", map[string]string{"rises": "small caches", "falls": "large caches"}[direction])
		f.Rows = append(f.Rows, row(profiles, beside(record), func(p timing.Profile) measure {
			var list []measure
			for _, window := range windows {
				list = append(list, busy(c.source(figure3Run(sets, window)), p))
			}
			return leastStep(list...)
		}, fmt.Sprint(sets), direction))
	}
	return f
}

// figure1 is how many times as fast GPUs by themselves are as CPU and GPUs.
func (c *cdlrmRuns) figure1(profiles []timing.Profile) Figure {
	m := presets("rm3")[0]
	x := pair{at(m, 2, perGPU).hotline("hugectr"), at(m, 2, perGPU).hotline("hybrid")}
	return Figure{
		Name: "cDLRM Figure 1b, times", Title: "a GPU-only system over the hybrid one, rm3, 2 GPUs",
		Note:   "1,024 inputs a GPU. The paper does not say of which model, and its 2-GPU bar is a DLRM with tables on the GPUs.",
		Labels: []string{"over"}, Columns: columns(profiles),
		Rows: []FigureRow{row(profiles, beside("cdlrm/figure-1b/naive-cpu-gpu-training-over-gpus-only/2-gpus"), func(p timing.Profile) measure { return speedUp(p, x) }, "hybrid")},
	}
}

// figure4 is the share of caching by GPUs.
func (c *cdlrmRuns) figure4(profiles []timing.Profile) Figure {
	f := Figure{
		Name: "cDLRM Figure 4b", Title: "share of caching and the broadcast of caches in the time, percent",
		Note: "Without waiting for the look-ahead. Mini-batches of 4,096 inputs, windows of 4, 5,000 sets. The paper's mini-batches are eight times as large, its windows 125 times as long, its sets thirty times as many and its rows twice " +
			"as wide; so what it broadcasts is far more.",
		Labels: []string{"GPUs"}, Columns: columns(profiles),
	}
	for _, gpus := range []int{1, 2, 4, 8} {
		s := c.source(cdlrmRun{gpus, 4096 / gpus, 8, cdlrm.Options{Window: 4, Sets: 5000, Ways: 16, Lambda: 1}})
		f.Rows = append(f.Rows, row(profiles, beside(map[int]string{8: "cdlrm/figure-4b/caching-and-the-broadcast-of-caches-share-of-the-time/8-gpus"}[gpus]), func(p timing.Profile) measure { return cachingShare(s, p) }, fmt.Sprint(gpus)))
	}
	return f
}

// lookAhead is the phase that is left out of cDLRM's times.
const lookAhead = "waiting for look-ahead"

// busy is the time of a mini-batch but for waiting for the look-ahead, in ms.
func busy(s source, p timing.Profile) measure {
	return ofRuns(s, p, func(l load, run timing.Run) float64 {
		return 1e3 * (run.Time.Seconds() - phase(run, lookAhead)) / float64(len(l.works))
	})
}

// cachingShare is in percent of that time.
func cachingShare(s source, p timing.Profile) measure {
	return ofRuns(s, p, func(_ load, run timing.Run) float64 {
		return 100 * phase(run, "caching", "cache broadcast") / (run.Time.Seconds() - phase(run, lookAhead))
	})
}

// order is that of Figure 1b.
func (c *cdlrmRuns) order(profiles []timing.Profile) Order {
	m := presets("rm3")[0]
	s := at(m, 2, perGPU)
	return newOrder(Order{
		Name: "cDLRM Figure 1b", Title: "rm3, 2 GPUs, 1,024 inputs each", Paper: []Place{{"hugectr", 1}, {"hybrid", number("cdlrm/figure-1b/naive-cpu-gpu-training-over-gpus-only/2-gpus")}},
		record: "cdlrm/figure-1b/order-of-the-systems/rm3-2-gpus",
		Note: "The paper does not say of which model. `hugectr` stands for its DLRM with tables on the GPUs, `hybrid` for its naive CPU + GPU training. Training on the CPU alone, about as slow, is not here: " +
			"there is no constant with a source for MLPs on a CPU. cDLRM itself is beside neither of them in the paper.",
	}, profiles, map[string]mix{"hugectr": s.hotline("hugectr"), "hybrid": s.hotline("hybrid")})
}
