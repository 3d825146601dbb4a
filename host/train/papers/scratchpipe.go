package papers

import (
	"context"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data/gen"
	"github.com/hotline-rtl/hotline/host/rec/data/profile"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// scratchpipePaper is ScratchPipe (ISCA 2022).
func scratchpipePaper(ctx context.Context, profiles []timing.Profile) Paper {
	s := &scratchpipeRuns{ctx: ctx, profiles: profiles}
	p := Paper{
		Name: "scratchpipe", Title: "ScratchPipe (ISCA 2022)",
		Figures: []Figure{s.figure12(), s.tableI(), s.eightGPUs(), s.figure13()},
		Orders:  []Order{s.order("random"), s.order("high")},
		results: []trained{scratchpipeSizes, tableIDollars, scratchpipeHazards},
	}
	for _, d := range scratchpipeData {
		p.results = append(p.results, s.hits(d))
	}
	return p
}

// clickSet is clicks of the paper.
type clickSet struct {
	name             string
	ms, dollars      float64    // Table I: with ScratchPipe
	eight, eightCost float64    // and with 8 GPUs
	saved            float64    // Sec. VI-F: of ScratchPipe's time with 8 GPUs, in percent
	misses           [2]float64 // of a static cache, in percent; 0 if not stated
}

var scratchpipeData = []clickSet{
	{"random", 47.82, 40.64, 16.22, 110.3, 66, [2]float64{}},
	{"low", 44.70, 37.99, 16.12, 110.2, 64, [2]float64{91, 0}},
	{"medium", 29.68, 25.23, 17.82, 121.2, 40, [2]float64{}},
	{"high", 26.34, 22.39, 18.61, 126.6, 29, [2]float64{0, 12}},
}

// shares are the smallest and the largest cache of the paper, of the rows of each table.
var shares = [2]float64{0.02, 0.10}

// Prices of the paper, in dollars an hour.
const (
	oneGPUPrice   = 3.06
	eightGPUPrice = 24.48
)

// scale is by how much the paper's tables and mini-batches are larger than those that are
// trained on. What a scratchpad holds of a table, and a window of the scratchpad, are as in
// the paper.
const scale = 128

// Mini-batches of a training, and those that are counted at its end.
const (
	traced = 300
	tail   = 100
)

// scratchpipeInputs is the paper's mini-batch.
const scratchpipeInputs = 2048

// paperModel is the paper's; MLPs are those of MLPerf's DLRM, as the paper does not say.
func paperModel() rec.Config {
	m := rec.Config{Name: "scratchpipe", Dense: 13, Dim: 128, Bottom: []int{13, 512, 256, 128}, Top: []int{1024, 1024, 512, 256, 1}, LearningRate: 0.1}
	for i := range 8 {
		m.Tables = append(m.Tables, rec.Table{Name: fmt.Sprintf("t%d", i), Rows: 10e6, Lookups: 20})
	}
	return m
}

// trace is what the last mini-batches of a training ask for on average, in the paper's size.
type trace struct {
	hits float64 // share of lookups, in percent
	work timing.Work
}

// scratchpipeRuns are trainings, each once.
type scratchpipeRuns struct {
	ctx      context.Context
	profiles []timing.Profile
	runs     once[string, trace]
}

func (s *scratchpipeRuns) trace(clicks string, share float64) (trace, error) {
	return s.runs.get(fmt.Sprint(clicks, share), func() (trace, error) { return s.train(clicks, share) })
}

func (s *scratchpipeRuns) train(clicks string, share float64) (trace, error) {
	preset, err := gen.Named("scratchpipe-"+clicks, seed)
	if err != nil {
		return trace{}, err
	}
	model := paperModel()
	for i := range preset.Params.Tables {
		preset.Params.Tables[i].Rows /= scale
		model.Tables[i].Rows /= scale
	}
	source, err := gen.New(preset.Params, 1<<40)
	if err != nil {
		return trace{}, err
	}
	o := scratchpipe.DefaultOptions()
	o.Share = share
	before := train.Result{}
	t := training{model: model, clicks: source, gpus: 1, batch: scratchpipeInputs / scale, batches: traced}
	r, err := t.run(s.ctx, func(s *server.Server, from *train.State) (train.System, error) { return scratchpipe.New(s, from, o) }, func(m int, x train.System) {
		if m == traced-tail-1 {
			before.Counts = x.Counts()
		}
	})
	if err != nil {
		return trace{}, err
	}
	during := func(label string) float64 { return float64(r.Count(label) - before.Count(label)) }
	works := r.Works[traced-tail:]
	w := timing.Work{Inputs: scratchpipeInputs, Slots: scale * works[0].Slots}
	for _, of := range works {
		w.Fills += of.Fills
		w.Leaves += of.Leaves
	}
	w.Fills, w.Leaves = w.Fills*scale/tail, w.Leaves*scale/tail
	return trace{100 * during(scratchpipe.CountHits) / during(scratchpipe.CountLookups), w}, nil
}

// missed is the share of lookups that miss a static cache of a share of the rows.
func missed(clicks string, share float64) (float64, error) {
	p, err := gen.Named("scratchpipe-"+clicks, seed)
	if err != nil {
		return 0, err
	}
	table := p.Params.Tables[0].Name
	return 1 - p.Params.Fit([]profile.Target{{Table: table, Rows: share}})[0].Reached, nil
}

// hits are what caches of either kind hold.
func (s *scratchpipeRuns) hits(d clickSet) trained {
	return func(context.Context) ([]Result, error) {
		var list []Result
		for i, share := range shares {
			m, err := missed(d.name, share)
			if err != nil {
				return nil, err
			}
			t, err := s.trace(d.name, share)
			if err != nil {
				return nil, err
			}
			of := fmt.Sprintf("%s, %.0f %%", d.name, 100*share)
			static := unpublished("Figure 5: lookups that miss a static cache, "+of, 100*m, 1, "%", "by how popular the rows are")
			if low := d.misses[i]; low > 0 {
				static = counted(static.Name, fmt.Sprint(low), low-1, low+1, 100*m, 1, "%", "the clicks are generated to this figure")
			}
			list = append(list, static,
				unpublished("lookups whose row is in the scratchpad, "+of, t.hits, 1, "%", "least recently used rows leave; tables and mini-batches 128 times smaller"),
				unpublished("rows that come and leave, "+of, float64(t.work.Fills), 0, "", "a mini-batch, times 128"))
		}
		return list, nil
	}
}

// scratchpipeSizes are those of Section VI-D.
func scratchpipeSizes(context.Context) ([]Result, error) {
	m, o := paperModel(), scratchpipe.DefaultOptions()
	window, tenth := 0, 0
	for _, t := range m.Tables {
		window += scratchpipe.WindowSlots(t.Rows, t.Lookups, scratchpipeInputs, o.Past+1+o.Future)
		tenth += t.Rows / 10
	}
	storage := window * 4 * m.Dim
	hitMap, others := float64(tenth*scratchpipe.HitMapBytes), float64(tenth*scratchpipe.HeldBytes)
	return []Result{
		exact("Sec. VI-D: slots of six mini-batches", 960, 0, float64(storage)/mib, 0, "MiB", ""),
		below("Sec. VI-D: hit map", 1, hitMap/1e9, 3, "GB", "16 bytes a slot, 10 % of the rows"),
		below("Sec. VI-D: masks and order of use", 300, others/1e6, 0, "MB", "13 bytes a slot"),
		below("Sec. VI-D: in all", 4, (float64(storage)+hitMap+others)/1e9, 2, "GB", "but for rows on their way, of which the paper says nothing"),
		exact("Sec. VI: slots a table must have, percent of its rows", 2, 0, 100*float64(window/len(m.Tables))/float64(m.Tables[0].Rows), 2, "%",
			"six mini-batches without a common row need more than the paper's smallest scratchpad; there are as many slots as that, or more"),
	}, nil
}

// dollars are what a million mini-batches cost at a price an hour.
func dollars(perHour, ms float64) float64 { return perHour * 1e6 * ms / 1e3 / 3600 }

// tableIDollars is that they follow from the paper's times, and what is saved.
func tableIDollars(context.Context) ([]Result, error) {
	var list []Result
	most, sum := 0.0, 0.0
	for _, d := range scratchpipeData {
		note := ""
		if d.name == "low" {
			note = "does not follow from the paper's own time and price"
		}
		list = append(list,
			exact("Table I: cost with ScratchPipe, "+d.name, d.dollars, 0.01, dollars(oneGPUPrice, d.ms), 2, "$", ""),
			exact("Table I: cost with 8 GPUs, "+d.name, d.eightCost, 0.1, dollars(eightGPUPrice, d.eight), 1, "$", note),
			exact("Sec. VI-F: time that 8 GPUs save, "+d.name, d.saved, 0.5, 100*(1-d.eight/d.ms), 0, "%", "from the paper's own times"))
		sum += d.eightCost / d.dollars / 4
		most = max(most, d.eightCost/d.dollars)
	}
	return append(list, exact("Table I: cost saved, mean", 4.0, 0.05, sum, 1, "x", ""), exact("Table I: cost saved, most", 5.7, 0.05, most, 1, "x", "")), nil
}

// scratchpipeHazards are what a watch finds in the pipeline, and in one that looks at no
// mini-batch ahead.
func scratchpipeHazards(context.Context) ([]Result, error) {
	t, err := watchable()
	if err != nil {
		return nil, err
	}
	o := scratchpipe.DefaultOptions()
	o.Share = 0
	found, err := t.hazards(func(s *server.Server, from *train.State) (train.System, error) { return scratchpipe.New(s, from, o) })
	if err != nil {
		return nil, err
	}
	ideal, err := t.hazards(func(s *server.Server, from *train.State) (train.System, error) {
		return scratchpipe.NewIdeal(s, from, o)
	})
	if err != nil {
		return nil, err
	}
	of := "24 mini-batches of 64 inputs like Kaggle's, with values, as few slots as there can be"
	return []Result{
		counted("Sec. IV-C: hazards in the pipeline", "0", 0, 0, found, 0, "", of),
		unpublished("hazards without a look ahead, as Hotline's Figure 24 has it", ideal, 0, "", "stale reads and lost updates"),
	}, nil
}

// source is one of the ways of ScratchPipe on clicks.
func (s *scratchpipeRuns) source(name string, system timing.System, clicks string, share float64) mix {
	full := fmt.Sprintf("%s: %s, %v", name, clicks, share)
	return all(source{full, func() (load, error) {
		t, err := s.trace(clicks, share)
		if err != nil {
			return load{}, err
		}
		return steady(system, paperModel(), 1, t.work, pipelined), nil
	}})
}

func (s *scratchpipeRuns) pipe(clicks string, share float64) mix {
	return s.source("scratchpipe", timing.ScratchPipe, clicks, share)
}

// static is a static cache. Missed rows are told apart by nothing: each is copied.
func (s *scratchpipeRuns) static(clicks string, share float64) mix {
	site := site{paperModel(), 1, scratchpipeInputs, 1}
	name := fmt.Sprintf("static cache: %s, %v", clicks, share)
	return all(source{name, func() (load, error) {
		m, err := missed(clicks, share)
		if err != nil {
			return load{}, err
		}
		lookups, bags := float64(site.batch*site.model.Lookups()), float64(site.batch*len(site.model.Tables))
		n := int(m * lookups)
		w := timing.Work{
			Inputs: site.batch, HotTable: int(share * float64(totalRows(site.model))), HotRows: int(lookups) - n, Listed: int(lookups) - n,
			Missed: n, ColdCopies: n, MissedBags: int(bags * (1 - math.Pow(1-m, 20))),
		}
		return steady(timing.StaticCache, site.model, 1, w, usual), nil
	}})
}

// plainScratchpipe is a system whose time does not depend on the clicks.
func plainScratchpipe(system string, gpus int) mix {
	return site{paperModel(), gpus, scratchpipeInputs, 1}.hotline(system)
}

// stages are the parts of the straw-man's time, with the phases that they are; training is
// what is left.
var stages = [][2]string{{"load", "loading inputs"}, {"plan", "plan"}, {"collect", "collect"}, {"exchange", "exchange rows"}, {"insert", "insert"}, {"train", ""}}

func (s *scratchpipeRuns) figure12() Figure {
	f := Figure{
		Name: "ScratchPipe Figure 12b", Title: "ms of the stages, one after the other, with `" + s.profiles[0].Name + "`",
		Note:   "2 % of the rows. The paper's bars are lost; its axis goes up to 70 ms.",
		Labels: []string{"clicks"},
	}
	for _, stage := range stages {
		f.Columns = append(f.Columns, stage[0])
	}
	for _, d := range scratchpipeData {
		x := s.source("straw-man", timing.ScratchPipeStrawman, d.name, shares[0])[0].source
		r := Row{Labels: []string{d.name}, Paper: make([]string, len(stages))}
		for _, stage := range stages {
			r.Cells = append(r.Cells, Cell{what: stageTime(x, s.profiles[0], stage[1])})
		}
		f.Rows = append(f.Rows, r)
	}
	return f
}

// stageTime is the time of a phase of a mini-batch in ms, or what no stage before takes.
func stageTime(x source, p timing.Profile, label string) measure {
	return ofRuns(x, p, func(l load, run timing.Run) float64 {
		took := phase(run, label)
		if label == "" {
			took = run.Time.Seconds()
			for _, stage := range stages[:len(stages)-1] {
				took -= phase(run, stage[1])
			}
		}
		return 1e3 * took / float64(len(l.works))
	})
}

func (s *scratchpipeRuns) tableI() Figure {
	f := Figure{
		Name: "ScratchPipe Table I", Title: "ms a mini-batch of ScratchPipe",
		Note: "2,048 inputs of 160 lookups. The paper does not say the share. With random and low clicks the CPU's part bounds ours: to collect rows, or to insert them, takes a third of the " +
			"framework's embedding bags, which were calibrated on the paper's time without a scratchpad (stock_row_us). With high clicks ours is faster: six stages in one Python process cost no more here than the dispatch of their operators.",
		Labels: []string{"clicks", "share"}, Columns: columns(s.profiles),
	}
	for _, d := range scratchpipeData {
		for _, share := range shares {
			x := s.pipe(d.name, share)
			f.Rows = append(f.Rows, row(s.profiles, fmt.Sprint(d.ms), func(p timing.Profile) measure { return milliseconds(x, p) }, d.name, fmt.Sprintf("%.0f %%", 100*share)))
		}
	}
	return f
}

func (s *scratchpipeRuns) eightGPUs() Figure {
	x := plainScratchpipe("hugectr", 8)
	return Figure{
		Name: "ScratchPipe Table I, 8 GPUs", Title: "ms a mini-batch with all tables on 8 GPUs",
		Note:   "The paper's is 16.12 to 18.61, by clicks, on which ours does not depend.",
		Labels: []string{"GPUs"}, Columns: columns(s.profiles),
		Rows: []Row{row(s.profiles, "16.12 to 18.61", func(p timing.Profile) measure { return milliseconds(x, p) }, "8")},
	}
}

func (s *scratchpipeRuns) figure13() Figure {
	f := Figure{
		Name: "ScratchPipe Figure 13", Title: "ScratchPipe over a static cache, and over none",
		Note: "The paper has 2.8 on average and at most 4.2 over the static cache, 1.6 to 1.9 with high clicks; 5.1 and at most 6.6 over none. Of the mean over none a part was calibrated: " +
			"stock_row_us, on the paper's time without a cache.",
		Labels: []string{"over", "clicks", "share"}, Columns: columns(s.profiles),
	}
	var static, none []pair
	for _, d := range scratchpipeData {
		for i, share := range shares {
			x := pair{s.pipe(d.name, share), s.static(d.name, share)}
			static = append(static, x)
			none = append(none, pair{x.of, plainScratchpipe("hybrid", 1)})
			paper := ""
			if d.name == "high" {
				paper = []string{"1.6 to 1.9", "1.6 to 1.9"}[i]
			}
			f.Rows = append(f.Rows, row(s.profiles, paper, func(p timing.Profile) measure { return speedUp(p, x) }, "static-cache", d.name, fmt.Sprintf("%.0f %%", 100*share)))
		}
	}
	f.Rows = append(f.Rows,
		row(s.profiles, "2.8", func(p timing.Profile) measure { return speedUp(p, static...) }, "static-cache", "mean", ""),
		row(s.profiles, "5.1", func(p timing.Profile) measure { return speedUp(p, none...) }, "hybrid", "mean", ""))
	return f
}

// order is that of Figures 12 and 13 and of Table I.
func (s *scratchpipeRuns) order(clicks string) Order {
	const share = 0.02
	d := scratchpipeData[0]
	if clicks == "high" {
		d = scratchpipeData[3]
	}
	return newOrder(Order{
		Name: "ScratchPipe Figures 12, 13, Table I", Title: fmt.Sprintf("%s clicks, 2 %% of the rows, 2,048 inputs", clicks),
		Note:  "`hugectr` has 8 GPUs. The paper has a place for the straw-man between ScratchPipe and the static cache, and 2.8 and 5.1 as means.",
		Paper: []Place{{"hugectr", d.eight / d.ms}, {"scratchpipe", 1}, {"scratchpipe-strawman", 2}, {"static-cache", 2.8}, {"hybrid", 5.1}},
	}, s.profiles, map[string]mix{
		"hugectr": plainScratchpipe("hugectr", 8), "scratchpipe": s.pipe(clicks, share),
		"scratchpipe-strawman": s.source("straw-man", timing.ScratchPipeStrawman, clicks, share),
		"static-cache":         s.static(clicks, share), "hybrid": plainScratchpipe("hybrid", 1),
	})
}
