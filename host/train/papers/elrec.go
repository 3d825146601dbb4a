package papers

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data/gen"
	"github.com/hotline-rtl/hotline/host/rec/tt"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// elrecPaper is EL-Rec (SC 2022).
func elrecPaper(ctx context.Context, profiles []timing.Profile) Paper {
	e := &elrecRuns{ctx: ctx, profiles: withHiddenLoader(profiles)}
	return Paper{
		Name: "elrec", Title: "EL-Rec (SC 2022)",
		Figures: []Figure{e.figure11(), e.figure12(), e.figure13(), e.figure16()},
		Orders:  []Order{e.order11(), e.order12(), e.order13(), e.order16()},
		results: []trained{elrecTables, e.memory, e.products("rm2"), e.products("rm3"), e.products("rm4")},
	}
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

// elrecData are Tables II and III: tables, the size of a row, and sizes in MiB.
var elrecData = []struct {
	name        string
	dim         int
	tables      []int
	plain, size float64
	ratio       float64
}{
	{"Avazu", 16, []int{8, 4680, 7567, 27, 8380, 550, 36, 2512738, 6385037, 8165, 6, 5, 2621, 9, 10, 434, 5, 69, 173, 61}, 550, 87.6, 6.22},
	{"Terabyte", 64, []int{49999999, 38372, 17051, 7425, 20266, 4, 7040, 1522, 64, 49999999, 2953986, 397019, 11, 2209, 11797, 128, 4, 977, 15,
		49999999, 38415840, 49999999, 578540, 12787, 109, 37}, 59200, 797.9, 74.19},
	{"Kaggle", 16, []int{1461, 581, 9214729, 2031648, 306, 24, 12471, 634, 4, 90948, 5633, 7607629, 3183, 28, 14825, 4995567, 11, 5606, 2172, 4,
		6431684, 18, 16, 272266, 105, 138045}, 1900, 258.2, 7.29},
}

// elrecTables are Tables II and III.
func elrecTables(context.Context) ([]Result, error) {
	var list []Result
	o := elrec.DefaultOptions()
	for _, d := range elrecData {
		plain, compressed := 0, 0
		for _, rows := range d.tables {
			plain += rows * d.dim
			if rows <= o.Threshold {
				compressed += rows * d.dim
				continue
			}
			s, err := tt.ShapeOf(rows, d.dim, o.Rank)
			if err != nil {
				return nil, err
			}
			compressed += s.Len()
		}
		size := func(values int) float64 { return float64(4*values) / mib }
		list = append(list,
			exact("Table II: embeddings of "+d.name, d.plain, 0.02*d.plain, size(plain), 0, "MiB", "the paper's GB is 1000 MiB"),
			exact("Table III: in tensor-train form, "+d.name, d.size, 0.05, size(compressed), 1, "MiB", ""),
			exact("Table III: ratio, "+d.name, d.ratio, 0.005, float64(plain)/float64(compressed), 2, "", ""))
	}
	return append(list, Result{Name: "Figure 13: 40M rows of 128 values, plain", Class: Exact, Paper: "19", Low: 19, High: 19.1, Ours: 40e6 * 128 * 4 / gib, Unit: "GiB", Digits: 2,
		Note: "above the 16 of a GPU: HugeCTR and TorchRec are out of memory on one"}.judged()), nil
}

// memory is what rm3 takes on a GPU in either form.
func (e *elrecRuns) memory(context.Context) ([]Result, error) {
	plain, compressed := elrec.DefaultOptions(), elrec.DefaultOptions()
	plain.Threshold = math.MaxInt32
	var needs [2]float64
	for i, o := range []elrec.Options{plain, compressed} {
		t, err := trainingOf("rm3", 1, elrecBatch, 1)
		if err != nil {
			return nil, err
		}
		x, b, err := t.begun(elrecSystem(o), 0.01)
		if err != nil {
			return nil, err
		}
		_, err = train.Run(x, b, train.Unwatched{}, nil)
		full := &server.OutOfMemory{}
		if !errors.As(err, &full) {
			return nil, fmt.Errorf("papers: EL-Rec fits into 0.01 GiB: %w", err)
		}
		needs[i] = float64(full.Needs) / gib
	}
	return []Result{
		Result{Name: "Sec. VI: rm3 on a GPU of 16 GiB, all tables plain", Class: Exact, Paper: "out of memory", Low: 16, High: math.MaxFloat64, Ours: needs[0], Unit: "GiB", Digits: 1}.judged(),
		Result{Name: "Sec. VI: rm3 on such a GPU, in tensor-train form", Class: Exact, Paper: "fits", Low: 0, High: 16, Ours: needs[1], Unit: "GiB", Digits: 2, Note: "with mini-batches of 4,096 inputs"}.judged(),
	}, nil
}

// products are what Figures 4b, 14 and 17 rest on: in small mini-batches, of which all
// inputs were in the graph that numbers rows anew, and in those of the paper.
func (e *elrecRuns) products(model string) trained {
	return func(context.Context) ([]Result, error) {
		var list []Result
		for _, batch := range []int{elrecBatch / 4, elrecBatch} {
			results, err := e.productsOf(model, batch)
			if err != nil {
				return nil, err
			}
			list = append(list, results...)
		}
		return list, nil
	}
}

func (e *elrecRuns) productsOf(model string, batch int) ([]Result, error) {
	t, err := trainingOf(model, 1, batch, elrecBatches)
	if err != nil {
		return nil, err
	}
	o := elrec.DefaultOptions()
	graph := o.Groups * elrec.GroupInputs
	with, err := e.run(elrecName("elrec", model, 1, batch), t, elrecSystem(o))
	if err != nil {
		return nil, err
	}
	o.Groups = 0
	without, err := e.run(elrecName("not reordered", model, 1, batch), t, elrecSystem(o))
	if err != nil {
		return nil, err
	}
	lookups := float64(with.Count(elrec.CountLookups))
	share := func(o outcome, label string) float64 { return 100 * float64(o.Count(label)) / lookups }
	rows, prefixes, reordered := share(with, elrec.CountRows), share(without, elrec.CountPrefixes), share(with, elrec.CountPrefixes)
	name := fmt.Sprintf("%s, %d inputs", model, batch)
	of := fmt.Sprintf("of %.0f lookups in tables of that form", lookups/elrecBatches)
	return []Result{
		counted("Figure 4b: distinct rows, "+name, "fewer", 0, 99, rows, 1, "%", of),
		counted("Figure 17: products of two slices, "+name, "fewer still", 0, rows, prefixes, 1, "%", of),
		counted("Figure 17: the same, reordered, "+name, "fewer", 0, prefixes, reordered, 1, "%", fmt.Sprintf("%.0f %% of the inputs were in the graph", 100*float64(graph)/float64(with.Inputs))),
	}, nil
}

// rows are those of EL-Rec over other systems, for each of the paper's models.
func (e *elrecRuns) rows(f Figure, systems []elrecOver) Figure {
	f.Labels, f.Columns = []string{"over", "model"}, columns(e.profiles)
	for _, s := range systems {
		var pairs []pair
		for _, m := range elrecModels {
			x := pair{s.of(m), s.over(m)}
			pairs = append(pairs, x)
			f.Rows = append(f.Rows, row(e.profiles, "", func(p timing.Profile) measure { return speedUp(p, x) }, s.name, m))
		}
		f.Rows = append(f.Rows, row(e.profiles, s.paper, func(p timing.Profile) measure { return speedUp(p, pairs...) }, s.name, "mean"))
	}
	return f
}

// elrecOver is a comparison of the paper.
type elrecOver struct {
	name, paper string
	of, over    func(model string) mix
}

func (e *elrecRuns) figure11() Figure {
	of := func(m string) mix { return e.elrec(m, 1) }
	return e.rows(Figure{
		Name: "EL-Rec Figure 11", Title: "EL-Rec over other systems, one GPU",
		Note: "4,096 inputs; counts of trainings. With fused CPU kernels (`sceptic`) EL-Rec is slower than the hybrid system: what it does not read from host memory it multiplies. Over TT-Rec ours is too much, " +
			"as TT-Rec's repeated slices would be found in a cache, which is not modelled.",
	}, []elrecOver{
		{"hybrid", "3", of, func(m string) mix { return e.plain("hybrid", m, 1) }},
		{"fae", "1.5", of, e.fae},
		{"tt-rec", "1.4", of, e.ttrec},
	})
}

func (e *elrecRuns) figure12() Figure {
	return e.rows(Figure{
		Name: "EL-Rec Figure 12", Title: "EL-Rec over a GPU-only, model-parallel system, 4 GPUs",
		Note: "4,096 inputs a GPU. The paper has up to 1.4 on average. Products of slices take longer than to look rows up, unless software hides both.",
	}, []elrecOver{{"hugectr", "1.4", func(m string) mix { return e.elrec(m, 4) }, func(m string) mix { return e.plain("hugectr", m, 4) }}})
}

func (e *elrecRuns) figure16() Figure {
	of := func(m string) mix { return e.queues(m, 2) }
	return e.rows(Figure{
		Name: "EL-Rec Figure 16", Title: "EL-Rec with plain tables in host memory over other systems, one GPU",
		Note: "The largest table in tensor-train form, queues of 2. Where the loader or the CPU bounds both, queues gain nothing.",
	}, []elrecOver{
		{"hybrid", "2.44", of, func(m string) mix { return e.plain("hybrid", m, 1) }},
		{"queues of 1", "1.30", of, func(m string) mix { return e.queues(m, 1) }},
	})
}

// large is the paper's table of 40 million rows of 128 values, which are read alike often:
// the paper does not say which.
func large(gpus int) (training, error) {
	m := rec.Config{Name: "40M rows", Dense: 1, Dim: 128, Bottom: []int{1, 128}, Top: []int{1}, LearningRate: 0.1, Tables: []rec.Table{{Name: "t", Rows: 40_000_000, Lookups: 1}}}
	p := gen.Params{Name: "uniform", Seed: seed, Dense: 1, Contexts: 1, ContextZipf: 1, List: 1, Levels: 1, Signal: 1, Tables: []gen.Table{{Table: m.Tables[0]}}}
	clicks, err := gen.New(p, math.MaxInt64)
	return training{model: m, clicks: clicks, gpus: gpus, batch: elrecBatch, batches: elrecBatches}, err
}

func (e *elrecRuns) large(gpus int) mix {
	o := elrec.DefaultOptions()
	o.Rank = 64
	name := fmt.Sprintf("elrec, 40M rows, %d GPUs", gpus)
	return all(source{name, func() (load, error) {
		t, err := large(gpus)
		if err != nil {
			return load{}, err
		}
		x, err := e.run(name, t, elrecSystem(o))
		if err != nil {
			return load{}, err
		}
		return t.load(x), nil
	}})
}

func (e *elrecRuns) figure13() Figure {
	f := Figure{
		Name: "EL-Rec Figure 13", Title: "mini-batches a second, times GPUs: a table of 40M rows of 128 values",
		Note:   "Rank 64, 4,096 inputs a GPU. Rows are read alike often; the paper does not say. Its times are those of graphs and no loader, which `sceptic` is nearest to.",
		Labels: []string{"GPUs"}, Columns: columns(e.profiles),
	}
	eachGPUs(func(i, gpus int) {
		x := e.large(gpus)
		f.Rows = append(f.Rows, row(e.profiles, []string{"489.76", "938.86", "1779.44"}[i], func(p timing.Profile) measure { return rate(x, p, gpus) }, fmt.Sprint(gpus)))
	})
	return f
}

// ttReason is what no constant changes.
const ttReason = "All products of a kernel read their slices from memory here, nothing is found in a cache: that is most of what EL-Rec and TT-Rec wait for on the GPU, and no constant changes it."

func (e *elrecRuns) order11() Order {
	return newOrder(Order{
		Name: "EL-Rec Figure 11", Title: "Kaggle (rm2), one GPU, 4,096 inputs", Paper: []Place{{"elrec", 1}, {"tt-rec", 1.4}, {"fae", 1.5}, {"hybrid", 3}},
		Note: "The paper's are means over its data sets. " + ttReason,
	}, e.profiles, map[string]mix{"elrec": e.elrec("rm2", 1), "tt-rec": e.ttrec("rm2"), "fae": e.fae("rm2"), "hybrid": e.plain("hybrid", "rm2", 1)})
}

func (e *elrecRuns) order12() Order {
	return newOrder(Order{
		Name: "EL-Rec Figure 12", Title: "Kaggle (rm2), 4 GPUs, 4,096 inputs each", Paper: []Place{{"elrec", 1}, {"hugectr", 1.4}},
		Note: "On one GPU the paper's DLRM with all tables on it is slightly faster than EL-Rec. " + ttReason,
	}, e.profiles, map[string]mix{"elrec": e.elrec("rm2", 4), "hugectr": e.plain("hugectr", "rm2", 4)})
}

func (e *elrecRuns) order13() Order {
	m, _ := large(4)
	return newOrder(Order{
		Name: "EL-Rec Figure 13", Title: "a table of 40M rows, 4 GPUs, 4,096 inputs each", Paper: []Place{{"elrec", 1}, {"hugectr", 1.07}},
		Note: "TorchRec, the slowest in the paper, is not here: no constant tells its software from HugeCTR's. " + ttReason,
	}, e.profiles, map[string]mix{"elrec": e.large(4), "hugectr": at(m.model, 4, elrecBatch).hotline("hugectr")})
}

func (e *elrecRuns) order16() Order {
	return newOrder(Order{
		Name: "EL-Rec Figure 16", Title: "Kaggle (rm2), one GPU, 4,096 inputs, plain tables in host memory", Paper: []Place{{"queues of 2", 1}, {"queues of 1", 1.30}, {"hybrid", 2.44}},
		Note: "The paper's are means over its data sets.",
	}, e.profiles, map[string]mix{"queues of 2": e.queues("rm2", 2), "queues of 1": e.queues("rm2", 1), "hybrid": e.plain("hybrid", "rm2", 1)})
}
