package papers

import (
	"context"
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/dlrm/data/profile"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// scratchpipePaper is ScratchPipe (ISCA 2022).
func scratchpipePaper(ctx context.Context, profile string, profiles []timing.Profile) []experiment {
	s := &scratchpipeRuns{ctx: ctx, profiles: profiles}
	list := []experiment{arithmetic("scratchpipe sizes", scratchpipeSizes), arithmetic("scratchpipe dollars", tableIDollars), counting("scratchpipe hazards", scratchpipeHazards)}
	for _, clicks := range allClicks {
		list = append(list, counting("scratchpipe hits "+clicks, s.hits(clicks)))
	}
	list = append(list, drawn(profile, s.figure5(), s.figure12(), s.tableI(), s.eightGPUs(), s.figure13(), s.figure13Strawman(), s.figure15a())...)
	list = append(list, lengthy(drawn(profile, s.figure15b())...)...)
	return append(list, ordered(profile, s.order("random"), s.order("high"))...)
}

// allClicks are the clicks of the paper, from the least skewed on.
var allClicks = []string{"random", "low", "medium", "high"}

// tableI is a number of Table I, by clicks.
func tableI(what, clicks string) float64 { return number(id("scratchpipe", "Table I", what, clicks)) }

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

// shape is what the paper varies of its model: values of a row, and lookups of a table.
type shape struct{ dim, lookups int }

// usualShape is that of all figures but one.
var usualShape = shape{128, 20}

// model is the paper's; MLPs are those of MLPerf's DLRM, as the paper does not say.
func (x shape) model() dlrm.Config {
	m := dlrm.Config{Name: "scratchpipe", Dense: 13, Dim: x.dim, Bottom: []int{13, 512, 256, x.dim}, Top: []int{1024, 1024, 512, 256, 1}, LearningRate: 0.1}
	for i := range 8 {
		m.Tables = append(m.Tables, dlrm.Table{Name: fmt.Sprintf("t%d", i), Rows: 10e6, Lookups: x.lookups})
	}
	return m
}

// paperModel is the model of the usual shape.
func paperModel() dlrm.Config { return usualShape.model() }

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

func (s *scratchpipeRuns) trace(clicks string, share float64, lookups int) (trace, error) {
	return s.runs.get(fmt.Sprint(clicks, share, lookups), func() (trace, error) { return s.train(clicks, share, lookups) })
}

func (s *scratchpipeRuns) train(clicks string, share float64, lookups int) (trace, error) {
	preset, err := gen.Named("scratchpipe-"+clicks, Seed)
	if err != nil {
		return trace{}, err
	}
	model := shape{usualShape.dim, lookups}.model()
	for i := range preset.Params.Tables {
		preset.Params.Tables[i].Rows /= scale
		preset.Params.Tables[i].Lookups = lookups
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
	p, err := gen.Named("scratchpipe-"+clicks, Seed)
	if err != nil {
		return 0, err
	}
	table := p.Params.Tables[0].Name
	return 1 - p.Params.Fit([]profile.Target{{Table: table, Rows: share}})[0].Reached, nil
}

// hits are what caches of either kind hold.
func (s *scratchpipeRuns) hits(clicks string) func(context.Context) (Finding, error) {
	return func(context.Context) (f Finding, err error) {
		for _, share := range shares {
			m, err := missed(clicks, share)
			if err != nil {
				return f, err
			}
			t, err := s.trace(clicks, share, usualShape.lookups)
			if err != nil {
				return f, err
			}
			of := fmt.Sprintf("%s, %.0f %%", clicks, 100*share)
			if record := id("scratchpipe", "Figure 5", "lookups that miss a static cache", of); library().byID[record].ID != "" {
				f.add(record, 100*m, "")
			} else {
				f.other("Figure 5: lookups that miss a static cache, "+of, 100*m, 1, "%", "by how popular the rows are")
			}
			f.other("lookups whose row is in the scratchpad, "+of, t.hits, 1, "%", "least recently used rows leave; tables and mini-batches 128 times smaller")
			f.other("rows that come and leave, "+of, float64(t.work.Fills), 0, "", "a mini-batch, times 128")
		}
		return f, nil
	}
}

// scratchpipeSizes are those of Section VI-D.
func scratchpipeSizes(f *Finding) error {
	m, o := paperModel(), scratchpipe.DefaultOptions()
	window, tenth := 0, 0
	for _, t := range m.Tables {
		window += scratchpipe.WindowSlots(t.Rows, t.Lookups, scratchpipeInputs, o.Past+1+o.Future)
		tenth += t.Rows / 10
	}
	storage := window * 4 * m.Dim
	hitMap, others := float64(tenth*scratchpipe.HitMapBytes), float64(tenth*scratchpipe.HeldBytes)
	f.add("scratchpipe/section-vi-d/memory/slots-of-six-mini-batches", float64(storage)/mib, "")
	f.add("scratchpipe/section-vi-d/memory/hit-map", hitMap/1e9, "")
	f.add("scratchpipe/section-vi-d/memory/masks-and-order-of-use", others/1e6, "")
	f.add("scratchpipe/section-vi-d/memory/in-all", (float64(storage)+hitMap+others)/1e9, "")
	f.add("scratchpipe/section-vi/slots-that-a-table-must-have-share-of-its-rows/smallest-scratchpad", 100*float64(window/len(m.Tables))/float64(m.Tables[0].Rows), "",
		fmt.Sprintf("six mini-batches without a common row have %d", window/len(m.Tables)))
	return nil
}

// dollars are what a million mini-batches cost at a price an hour.
func dollars(perHour, ms float64) float64 { return perHour * 1e6 * ms / 1e3 / 3600 }

// tableIDollars is that they follow from the paper's times, and what is saved.
func tableIDollars(f *Finding) error {
	most, sum := 0.0, 0.0
	for _, clicks := range allClicks {
		one, eight := tableI("ms a mini-batch of ScratchPipe", clicks), tableI("ms a mini-batch on 8 GPUs", clicks)
		f.add(id("scratchpipe", "Table I", "cost with ScratchPipe", clicks), dollars(oneGPUPrice, one), "")
		f.add(id("scratchpipe", "Table I", "cost with 8 GPUs", clicks), dollars(eightGPUPrice, eight), "",
			fmt.Sprintf("the paper's own %v ms at $%v an hour make $%.1f: it is an error of the paper", eight, eightGPUPrice, dollars(eightGPUPrice, eight)))
		f.add(id("scratchpipe", "Section VI-F", "time that 8 GPUs save", clicks), 100*(1-eight/one), "")
		saved := tableI("cost with 8 GPUs", clicks) / tableI("cost with ScratchPipe", clicks)
		sum, most = sum+saved/float64(len(allClicks)), max(most, saved)
	}
	f.add("scratchpipe/table-i/cost-saved/avg", sum, "")
	f.add("scratchpipe/table-i/cost-saved/max", most, "")
	return nil
}

// scratchpipeHazards are what a watch finds in the pipeline, and in one that looks at no
// mini-batch ahead.
func scratchpipeHazards(context.Context) (f Finding, err error) {
	t, err := watchable()
	if err != nil {
		return f, err
	}
	o := scratchpipe.DefaultOptions()
	o.Share = 0
	found, err := t.hazards(func(s *server.Server, from *train.State) (train.System, error) { return scratchpipe.New(s, from, o) })
	if err != nil {
		return f, err
	}
	ideal, err := t.hazards(func(s *server.Server, from *train.State) (train.System, error) {
		return scratchpipe.NewIdeal(s, from, o)
	})
	if err != nil {
		return f, err
	}
	f.add("scratchpipe/section-iv-c/hazards-in-the-pipeline/all-four-kinds", found, "")
	f.other("hazards without a look ahead, as Hotline's Figure 24 has it", ideal, 0, "", "stale reads and lost updates")
	return f, nil
}
