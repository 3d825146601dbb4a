package papers

import (
	"context"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// elrecPaper is EL-Rec (SC 2022).
func elrecPaper(ctx context.Context, profile string, profiles []timing.Profile) []experiment {
	e := &elrecRuns{ctx: ctx, profiles: withHiddenLoader(profiles)}
	list := []experiment{
		arithmetic("elrec tables", elrecTables), counting("elrec memory", e.memory),
		counting("elrec products rm2", e.products("rm2")), counting("elrec products rm3", e.products("rm3")), counting("elrec products rm4", e.products("rm4")),
	}
	list = append(list, drawn(profile, e.figure11(), e.figure12(), e.figure12One(), e.figure13(), e.figure13HugeCTR(), e.figure14(), e.figure16(), e.figure17(), e.figure18())...)
	return append(append(list, ordered(profile, e.order11(), e.order12(), e.order13(), e.order16())...), parity("elrec parity", elrecParity))
}

// withHiddenLoader are profiles, and the first of them with a loader that is no bottleneck,
// as the paper gives its baselines.
func withHiddenLoader(profiles []timing.Profile) []timing.Profile {
	hidden := profiles[0]
	hidden.Name, hidden.Loader = hidden.Name+", loader hidden", "hidden"
	return append([]timing.Profile{profiles[0], hidden}, profiles[1:]...)
}

// elrecBatch is of the paper's Figures 11 and 13, for each GPU; as many mini-batches are
// trained on.
const (
	elrecBatch   = 4096
	elrecBatches = 8
)

var elrecModels = []string{"rm2", "rm3", "rm4"}

// elrecRuns are trainings, each once.
type elrecRuns struct {
	ctx      context.Context
	profiles []timing.Profile
	runs     once[string, outcome]
}

// run trains a system, which the name tells from all others.
func (e *elrecRuns) run(name string, t training, c constructor) (outcome, error) {
	return e.runs.get(name, func() (outcome, error) { return t.run(e.ctx, c, nil) })
}

func elrecSystem(o elrec.Options) constructor {
	return func(s *server.Server, from *train.State) (train.System, error) { return elrec.New(s, from, o) }
}

func ttrecSystem(s *server.Server, from *train.State) (train.System, error) {
	return elrec.NewTTRec(s, from, elrec.DefaultOptions())
}

// source is a training on a timeline.
func (e *elrecRuns) source(system, model string, gpus int, c constructor) source {
	name := elrecName(system, model, gpus, elrecBatch)
	return source{name, func() (load, error) {
		t, err := trainingOf(model, gpus, elrecBatch, elrecBatches)
		if err != nil {
			return load{}, err
		}
		o, err := e.run(name, t, c)
		if err != nil {
			return load{}, err
		}
		return t.load(o), nil
	}}
}

// elrecName tells a training from all others.
func elrecName(system, model string, gpus, batch int) string {
	return fmt.Sprintf("%s, %s, %d GPUs, %d inputs", system, model, gpus, batch)
}

func (e *elrecRuns) elrec(model string, gpus int) mix {
	return all(e.source("elrec", model, gpus, elrecSystem(elrec.DefaultOptions())))
}

// released is EL-Rec on several GPUs, as its released program for Figures 12 and 13 has it: rank
// 64, a process for each GPU, and gradients of the rows that changed exchanged.
func (e *elrecRuns) released(model string, gpus int) mix {
	o := elrec.DefaultOptions()
	o.Rank = releasedRank
	return all(ownProcesses(e.source("elrec of rank 64", model, gpus, elrecSystem(o))))
}

const releasedRank = 64

// ownProcesses is a source whose software has a process for each GPU, whatever the profile has,
// and exchanges rows that changed.
func ownProcesses(of source) source {
	return source{of.name + ", own processes", func() (load, error) {
		l, err := of.make()
		order := l.system
		l.system = func(s *timing.Schedule, works []timing.Work) {
			s.Profile.Processes, s.Profile.HotExchange = "per-gpu", "sparse"
			order(s, works)
		}
		return l, err
	}}
}

func (e *elrecRuns) ttrec(model string) mix { return all(e.source("tt-rec", model, 1, ttrecSystem)) }

// queues is EL-Rec with the largest table in tensor-train form and the others in host memory.
func (e *elrecRuns) queues(model string, length int) mix {
	o := elrec.DefaultOptions()
	o.Host, o.Queue, o.Threshold = true, length, -1
	for _, t := range presets(model)[0].Tables {
		o.Threshold = max(o.Threshold, t.Rows-1)
	}
	return all(e.source(fmt.Sprintf("queues of %d", length), model, 1, elrecSystem(o)))
}

// plain is a system of which a mini-batch asks nothing but inputs.
func (e *elrecRuns) plain(system, model string, gpus int) mix {
	return at(presets(model)[0], gpus, elrecBatch).hotline(system)
}

// fae has a quarter of cold mini-batches, as the paper profiles.
func (e *elrecRuns) fae(model string) mix {
	return at(presets(model)[0], 1, elrecBatch).fae(0.25, hotTable)
}

// rows are those of EL-Rec over other systems, for each of the paper's models.
func (e *elrecRuns) rows(f Figure, systems []elrecOver) Figure {
	f.Labels, f.Columns = []string{"over", "model"}, columns(e.profiles)
	for _, s := range systems {
		var pairs []pair
		for _, m := range elrecModels {
			x := pair{s.of(m), s.over(m)}
			pairs = append(pairs, x)
			f.Rows = append(f.Rows, row(e.profiles, nil, func(p timing.Profile) measure { return speedUp(p, x) }, s.name, m))
		}
		f.Rows = append(f.Rows, row(e.profiles, beside(s.record), func(p timing.Profile) measure { return speedUp(p, pairs...) }, s.name, "mean"))
	}
	return f
}

// elrecOver is a comparison of the paper.
type elrecOver struct {
	name, record string
	of, over     func(model string) mix
}

func (e *elrecRuns) figure11() Figure {
	of := func(m string) mix { return e.elrec(m, 1) }
	return e.rows(Figure{
		Name: "EL-Rec Figure 11", Title: "EL-Rec over other systems, one GPU",
		Note: "4,096 inputs; counts of trainings. With fused CPU kernels (`sceptic`) EL-Rec is slower than the hybrid system: what it does not read from host memory it multiplies. " +
			"Over TT-Rec ours is too much, unless slices are found in a cache.",
	}, []elrecOver{
		{"hybrid", "elrec/figure-11/el-rec-over-other-systems/dlrm", of, func(m string) mix { return e.plain("hybrid", m, 1) }},
		{"fae", "elrec/figure-11/el-rec-over-other-systems/fae", of, e.fae},
		{"tt-rec", "elrec/figure-11/el-rec-over-other-systems/tt-rec", of, e.ttrec},
	})
}

func (e *elrecRuns) figure12() Figure {
	return e.rows(Figure{
		Name: "EL-Rec Figure 12", Title: "EL-Rec over a GPU-only, model-parallel system, 4 GPUs",
		Note: "4,096 inputs a GPU. The paper has up to 1.4 on average. EL-Rec is as its released program for this figure: rank 64, and a process for each GPU whatever the profile has. " +
			"Its DLRM, `dlrm-gpus`, is the reference's: it copies dense parameters where the profile does, and deals out the vectors of each table. With a process for each GPU it is faster than EL-Rec.",
	}, []elrecOver{{"dlrm-gpus", "elrec/figure-12/el-rec-over-dlrm-with-tables-on-the-gpus/4-gpus", func(m string) mix { return e.released(m, 4) }, func(m string) mix { return e.plain("dlrm-gpus", m, 4) }}})
}

func (e *elrecRuns) figure16() Figure {
	of := func(m string) mix { return e.queues(m, 2) }
	return e.rows(Figure{
		Name: "EL-Rec Figure 16", Title: "EL-Rec with plain tables in host memory over other systems, one GPU",
		Note: "The largest table in tensor-train form, queues of 2. Where the loader or the CPU bounds both, queues gain nothing.",
	}, []elrecOver{
		{"hybrid", "elrec/figure-16/el-rec-over-other-systems-plain-tables-in-host-memory/dlrm", of, func(m string) mix { return e.plain("hybrid", m, 1) }},
		{"queues of 1", "elrec/figure-16/el-rec-over-other-systems-plain-tables-in-host-memory/without-a-pipeline", of, func(m string) mix { return e.queues(m, 1) }},
	})
}

// large is the paper's table of 40 million rows of 128 values, which are read alike often:
// the paper does not say which.
func large(gpus int) (training, error) {
	m := dlrm.Config{Name: "40M rows", Dense: 1, Dim: 128, Bottom: []int{1, 128}, Top: []int{1}, LearningRate: 0.1, Tables: []dlrm.Table{{Name: "t", Rows: 40_000_000, Lookups: 1}}}
	p := gen.Params{Name: "uniform", Seed: Seed, Dense: 1, Contexts: 1, ContextZipf: 1, List: 1, Levels: 1, Signal: 1, Tables: []gen.Table{{Table: m.Tables[0]}}}
	clicks, err := gen.New(p, math.MaxInt64)
	return training{model: m, clicks: clicks, gpus: gpus, batch: elrecBatch, batches: elrecBatches}, err
}

func (e *elrecRuns) large(gpus int) mix {
	o := elrec.DefaultOptions()
	o.Rank = releasedRank
	name := fmt.Sprintf("elrec, 40M rows, %d GPUs", gpus)
	return all(ownProcesses(source{name, func() (load, error) {
		t, err := large(gpus)
		if err != nil {
			return load{}, err
		}
		x, err := e.run(name, t, elrecSystem(o))
		if err != nil {
			return load{}, err
		}
		return t.load(x), nil
	}}))
}

func (e *elrecRuns) figure13() Figure {
	f := Figure{
		Name: "EL-Rec Figure 13", Title: "mini-batches a second, times GPUs: a table of 40M rows of 128 values",
		Note:   "Rank 64, 4,096 inputs a GPU, a process for each. Rows are read alike often; the paper does not say. Its times are those of graphs and no loader, which `sceptic` is nearest to.",
		Labels: []string{"GPUs"}, Columns: columns(e.profiles),
	}
	eachGPUs(func(_, gpus int) {
		x := e.large(gpus)
		f.Rows = append(f.Rows, row(e.profiles, beside(elrecRate("EL-Rec", gpus)), func(p timing.Profile) measure { return rate(x, p, gpus) }, fmt.Sprint(gpus)))
	})
	return f
}

// elrecRate is a record of Figure 13.
func elrecRate(system string, gpus int) string {
	return id("elrec", "Figure 13", "mini-batches a second, times GPUs", system+", "+gpuCount(gpus))
}

// figure13HugeCTR is the same of the GPU-only system, which fits on two GPUs.
func (e *elrecRuns) figure13HugeCTR() Figure {
	f := Figure{
		Name: "EL-Rec Figure 13, HugeCTR", Title: "mini-batches a second, times GPUs, of a GPU-only system: the same table",
		Note:   "4,096 inputs in all, as in the released program, where EL-Rec has as many a GPU. 19 GiB of rows do not fit on one GPU.",
		Labels: []string{"GPUs"}, Columns: columns(e.profiles),
	}
	m, _ := large(1)
	for _, gpus := range []int{2, 4} {
		x := at(m.model, gpus, elrecBatch/gpus).hotline("hugectr")
		f.Rows = append(f.Rows, row(e.profiles, beside(elrecRate("HugeCTR", gpus)), func(p timing.Profile) measure { return rate(x, p, gpus) }, fmt.Sprint(gpus)))
	}
	return f
}

// figure12One is Figure 12 on one GPU, of the models that fit there.
func (e *elrecRuns) figure12One() Figure {
	f := Figure{
		Name: "EL-Rec Figure 12, 1 GPU", Title: "EL-Rec over a GPU-only system, one GPU",
		Note:   "4,096 inputs; rm2 and rm4, whose tables fit. The paper's DLRM is slightly faster there.",
		Labels: []string{"model"}, Columns: columns(e.profiles),
	}
	var pairs []pair
	for _, m := range []string{"rm2", "rm4"} {
		x := pair{e.released(m, 1), e.plain("dlrm-gpus", m, 1)}
		pairs = append(pairs, x)
		f.Rows = append(f.Rows, row(e.profiles, nil, func(p timing.Profile) measure { return speedUp(p, x) }, m))
	}
	f.Rows = append(f.Rows, row(e.profiles, beside("elrec/figure-12/el-rec-over-dlrm-with-tables-on-the-gpus/1-gpu"), func(p timing.Profile) measure { return speedUp(p, pairs...) }, "mean"))
	return f
}

// elrecPlace is a system's place in a figure, by what EL-Rec is over it.
func elrecPlace(system, item, what, on string) Place {
	return Place{system, number(id("elrec", item, what, on))}
}

// ttReason is what decides on the GPU.
const ttReason = "Products of a kernel read and write their slices in memory here; software with `slices` in a cache does not."

func (e *elrecRuns) order11() Order {
	return newOrder(Order{
		Name: "EL-Rec Figure 11, order", Title: "Kaggle (rm2), one GPU, 4,096 inputs", record: "elrec/figure-11/order-of-the-systems/kaggle-1-gpu",
		Paper: []Place{
			{"elrec", 1}, elrecPlace("tt-rec", "Figure 11", "EL-Rec over other systems", "TT-Rec"),
			elrecPlace("fae", "Figure 11", "EL-Rec over other systems", "FAE"), elrecPlace("hybrid", "Figure 11", "EL-Rec over other systems", "DLRM"),
		},
		Note: "The paper's are means over its data sets. " + ttReason,
	}, e.profiles, map[string]mix{"elrec": e.elrec("rm2", 1), "tt-rec": e.ttrec("rm2"), "fae": e.fae("rm2"), "hybrid": e.plain("hybrid", "rm2", 1)})
}

func (e *elrecRuns) order12() Order {
	return newOrder(Order{
		Name: "EL-Rec Figure 12, order", Title: "Kaggle (rm2), 4 GPUs, 4,096 inputs each", record: "elrec/figure-12/order-of-the-systems/kaggle-4-gpus",
		Paper: []Place{{"elrec", 1}, elrecPlace("dlrm-gpus", "Figure 12", "EL-Rec over DLRM with tables on the GPUs", "4 GPUs")},
		Note:  "On one GPU the paper's DLRM with all tables on it is slightly faster than EL-Rec. " + ttReason,
	}, e.profiles, map[string]mix{"elrec": e.released("rm2", 4), "dlrm-gpus": e.plain("dlrm-gpus", "rm2", 4)})
}

func (e *elrecRuns) order13() Order {
	m, _ := large(4)
	return newOrder(Order{
		Name: "EL-Rec Figure 13, order", Title: "a table of 40M rows, 4 GPUs, 4,096 inputs each, of HugeCTR in all", record: "elrec/figure-13/order-of-the-systems/4-gpus",
		Paper: []Place{{"elrec", 1}, elrecPlace("hugectr", "Figure 13", "EL-Rec over other systems, from the paper's rates", "over HugeCTR")},
		Note:  "TorchRec, the slowest in the paper, is not here: no constant tells its software from HugeCTR's. " + ttReason,
	}, e.profiles, map[string]mix{"elrec": e.large(4), "hugectr": at(m.model, 4, elrecBatch/4).hotline("hugectr")})
}

func (e *elrecRuns) order16() Order {
	return newOrder(Order{
		Name: "EL-Rec Figure 16, order", Title: "Kaggle (rm2), one GPU, 4,096 inputs, plain tables in host memory", record: "elrec/figure-16/order-of-the-systems/kaggle-1-gpu",
		Paper: []Place{
			{"queues of 2", 1}, elrecPlace("queues of 1", "Figure 16", "EL-Rec over other systems, plain tables in host memory", "without a pipeline"),
			elrecPlace("hybrid", "Figure 16", "EL-Rec over other systems, plain tables in host memory", "DLRM"),
		},
		Note: "The paper's are means over its data sets.",
	}, e.profiles, map[string]mix{"queues of 2": e.queues("rm2", 2), "queues of 1": e.queues("rm2", 1), "hybrid": e.plain("hybrid", "rm2", 1)})
}
