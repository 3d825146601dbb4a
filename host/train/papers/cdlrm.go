package papers

import (
	"context"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// cdlrmPaper is cDLRM (RecSys 2021).
func cdlrmPaper(ctx context.Context, profiles []timing.Profile) Paper {
	c := &cdlrmRuns{ctx: ctx}
	return Paper{
		Name: "cdlrm", Title: "cDLRM (RecSys 2021)",
		Figures: []Figure{c.figure3(profiles), c.figure4(profiles)},
		Orders:  []Order{c.order(profiles)},
		results: []trained{c.sizes, c.hits, c.staleness},
	}
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
	m := rec.Config{Name: "cdlrm", Dense: 13, Dim: 64, Bottom: []int{13, 512, 256, 64}, Top: []int{512, 512, 256, 1}, LearningRate: 0.1, Tables: clicks.Shape().Tables}
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
		return t.run(c.ctx, func(s *server.Server, from *train.State) (train.System, error) { return cdlrm.New(s, from, r.opts) }, nil)
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
func (c *cdlrmRuns) sizes(context.Context) ([]Result, error) {
	_, kaggle, err := clicksOf("kaggle")
	if err != nil {
		return nil, err
	}
	_, terabyte, err := clicksOf("terabyte")
	if err != nil {
		return nil, err
	}
	bytes := 0
	for _, t := range kaggle.Params.Tables {
		bytes += min(t.Rows, cdlrm.NextPrime(150_000)*16) * 128 * 4
	}
	days := math.Ceil(float64(kaggle.Inputs) * 6 / 7)
	return []Result{
		exact("Table 1: training inputs of Kaggle", 39_291_958, 0, days, 0, "", "six of seven days of the log"),
		exact("Table 1: training inputs of Terabyte", 645_753_353, 0, float64(terabyte.Inputs), 0, "", "the generator makes as many as FAE's Table 2 has of this log, training and test"),
		unpublished("Figure 4: caches of 150,000 sets that GPU 0 broadcasts, Kaggle", float64(bytes)/gib, 1, "GiB", "16 ways, rows of 128 values"),
	}, nil
}

// share is the part of the distinct rows of a mini-batch that is cached, in percent.
func (c *cdlrmRuns) share(sets, window int) (float64, error) {
	o, err := c.run(figure3Run(sets, window))
	return 100 * (1 - float64(o.Count(cdlrm.CountVictims))/float64(max(1, o.Count(cdlrm.CountReads)))), err
}

// hits are what Figure 3c shows: less of the longer window is cached, the less the smaller
// the caches.
func (c *cdlrmRuns) hits(context.Context) ([]Result, error) {
	var list []Result
	for _, sets := range cdlrmSets {
		last := 0.
		for _, window := range cdlrmWindows {
			hits, err := c.share(sets, window)
			if err != nil {
				return nil, err
			}
			name, note := fmt.Sprintf("Figure 3c: rows cached, %d sets, windows of %d", sets, window), "of the distinct rows of a mini-batch"
			if window == cdlrmWindows[0] {
				list = append(list, unpublished(name, hits, 1, "%", fmt.Sprintf("%s; %d mini-batches of %d inputs like Kaggle's", note, cdlrmBatches, cdlrmBatch)))
			} else {
				list = append(list, counted(name, "falls", 0, last, hits, 1, "%", note))
			}
			last = hits
		}
	}
	return list, nil
}

// staleness is how old the rows are that the authors' program reads, and ours.
func (c *cdlrmRuns) staleness(context.Context) ([]Result, error) {
	t, err := watchable()
	if err != nil {
		return nil, err
	}
	var found [2]float64
	for i, released := range []bool{false, true} {
		o := cdlrm.Options{Window: 3, Sets: 20, Ways: 2, Lambda: 1, Released: released}
		if found[i], err = t.hazards(func(s *server.Server, from *train.State) (train.System, error) { return cdlrm.New(s, from, o) }); err != nil {
			return nil, err
		}
	}
	of := "24 mini-batches of 64 inputs like Kaggle's, with values, caches that are too small for their window"
	list := []Result{
		unpublished("Sec. 5: stale reads and lost updates, rows fetched again where they are old", found[0], 0, "", of+"; the paper allows for some"),
		unpublished("Sec. 5: the same in the authors' program", found[1], 0, "", of),
	}
	for _, sets := range []int{50, 5000} {
		r := cdlrmRun{1, 512, 40, cdlrm.Options{Window: 10, Sets: sets, Ways: 16, Lambda: 1, Released: true}}
		o, err := c.run(r)
		if err != nil {
			return nil, err
		}
		old := int64(0)
		for _, label := range []string{cdlrm.CountAge1, cdlrm.CountAge2, cdlrm.CountAge4, cdlrm.CountAge8, cdlrm.CountAgeMore} {
			old += o.Count(label)
		}
		note := "mini-batches of 512 inputs, windows of 10"
		if sets == 50 {
			note += "; the caches are too small for their window, and updates of victims are lost"
		}
		list = append(list,
			counted(fmt.Sprintf("Sec. 5: old rows read by the authors' program, %d sets", sets), "rare", 0, 5, 100*float64(old)/float64(o.Count(cdlrm.CountReads)), 2, "%", note),
			counted(fmt.Sprintf("Sec. 5: updates of victims that it loses, %d sets", sets), "0", 0, 0, float64(o.Count(cdlrm.CountLost)), 0, "", "the paper sends victims back; the program never does"))
	}
	return list, nil
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
			paper := map[int]string{50: "rises", 5000: "falls"}[sets]
			if window == cdlrmWindows[0] {
				paper = ""
			}
			f.Rows = append(f.Rows, row(profiles, paper, func(p timing.Profile) measure { return busy(x, p) }, fmt.Sprint(sets), fmt.Sprint(window)))
		}
	}
	return f
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
		f.Rows = append(f.Rows, row(profiles, map[int]string{8: "more than 25"}[gpus], func(p timing.Profile) measure { return cachingShare(s, p) }, fmt.Sprint(gpus)))
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
		Name: "cDLRM Figure 1b", Title: "rm3, 2 GPUs, 1,024 inputs each", Paper: []Place{{"hugectr", 1}, {"hybrid", 3}},
		Note: "The paper does not say of which model. `hugectr` stands for its DLRM with tables on the GPUs, `hybrid` for its naive CPU + GPU training. Training on the CPU alone, about as slow, is not here: " +
			"there is no constant with a source for MLPs on a CPU. cDLRM itself is beside neither of them in the paper.",
	}, profiles, map[string]mix{"hugectr": s.hotline("hugectr"), "hybrid": s.hotline("hybrid")})
}
