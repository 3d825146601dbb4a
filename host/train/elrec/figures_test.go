package elrec_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/experiment"
	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/host/rec/data/clicklog"
	"github.com/hotline-rtl/hotline/host/rec/data/gen"
	"github.com/hotline-rtl/hotline/host/rec/tt"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// figure is a training without values, whose counts and time are figures of the
// document.
type figure struct {
	model  rec.Config
	clicks data.Source
	gpus   int
	batch  int // of a GPU
}

// software are the profiles of the document. The paper gives its baselines a loader
// that is no bottleneck.
var software = []string{"fae-2022", fastLoader, "sceptic"}

const fastLoader = "fae-2022, loader hidden"

// mini-batches of a figure.
const batches = 8

// preset is a model of the papers with clicks like those of its log.
func preset(t *testing.T, name string) figure {
	c := configs.Paper()
	require.NoError(t, c.SetPreset(name))
	spec, err := experiment.ClicksFor(name)
	require.NoError(t, err)
	clicks, _, err := experiment.OpenData(t.Context(), spec, 1, clicklog.Options{})
	require.NoError(t, err)
	return figure{model: c.For(clicks.Shape()), clicks: clicks, gpus: 1, batch: 4096}
}

// train is the outcome with a system, and the time of a mini-batch, in ms, by profile.
func (f figure) train(t *testing.T, system func(*server.Server, *train.State) (train.System, error)) (train.Result, map[string]float64) {
	cfg := server.DefaultConfig()
	cfg.GPUs, cfg.Valueless = f.gpus, true
	s, err := server.New(cfg)
	require.NoError(t, err)
	from, err := train.Initial(f.model, 1)
	require.NoError(t, err)
	x, err := system(s, from)
	require.NoError(t, err)
	b, err := train.NewBatches(f.model, f.clicks, f.batch*f.gpus, int64(f.batch*f.gpus*batches))
	require.NoError(t, err)
	r, err := train.Run(x, b, train.Unwatched{}, nil)
	require.NoError(t, err)
	ms := map[string]float64{}
	for _, profile := range software {
		name, _, fast := strings.Cut(profile, ",")
		p, err := timing.LoadProfile(name)
		require.NoError(t, err)
		if fast {
			p.Loader = "hidden"
		}
		run, err := timing.Time(x.Order(), timing.Plan{Machine: machine.Default(), Profile: p, Model: f.model, GPUs: f.gpus, Nodes: 1}, r.Works)
		require.NoError(t, err)
		ms[profile] = run.Time.Seconds() / batches * 1e3
	}
	return r, ms
}

func hybridSystem(s *server.Server, from *train.State) (train.System, error) {
	return hybrid.New(s, from), nil
}

func elrecSystem(o elrec.Options) func(*server.Server, *train.State) (train.System, error) {
	return func(s *server.Server, from *train.State) (train.System, error) { return elrec.New(s, from, o) }
}

func ttrecSystem(s *server.Server, from *train.State) (train.System, error) {
	return elrec.NewTTRec(s, from, elrec.DefaultOptions())
}

// products are the rows of the table of Figures 4b, 14 and 17.
func products(t *testing.T) (rows []string) {
	for _, model := range []string{"rm2", "rm3", "rm4"} {
		for _, batch := range []int{1024, 4096} {
			f := preset(t, model)
			f.batch = batch
			o := elrec.DefaultOptions()
			with, _ := f.train(t, elrecSystem(o))
			o.Groups = 0
			without, _ := f.train(t, elrecSystem(o))
			share := func(r train.Result, label string) string {
				return fmt.Sprintf("%.1f %%", 100*float64(r.Count(label))/float64(r.Count(elrec.CountLookups)))
			}
			require.Less(t, int(with.Count(elrec.CountRows))/batches*(4*f.model.Dim+8), 4*cores(t, f.model), "the exchange of rows is smaller than that of cores")
			require.Equal(t, with.Count(elrec.CountRows), without.Count(elrec.CountRows), "reordering changes no number of rows")
			rows = append(rows, fmt.Sprintf("| `%s` | %d | %d | %s | %s | %s |", model, batch, with.Count(elrec.CountLookups)/batches,
				share(with, elrec.CountRows), share(without, elrec.CountPrefixes), share(with, elrec.CountPrefixes)))
		}
	}
	return rows
}

// cores is the number of values of all cores of a model.
func cores(t *testing.T, model rec.Config) int {
	n := 0
	for _, table := range model.Tables {
		if o := elrec.DefaultOptions(); table.Rows > o.Threshold {
			s, err := tt.ShapeOf(table.Rows, model.Dim, o.Rank)
			require.NoError(t, err)
			n += s.Len()
		}
	}
	return n
}

// speedUps are the rows of the tables of Figures 11 and 16.
func speedUps(t *testing.T) (all, pipelined []string) {
	mean := map[string]float64{}
	over := map[string]*[4][]string{}
	for _, profile := range software {
		over[profile] = &[4][]string{}
	}
	for _, model := range []string{"rm2", "rm3", "rm4"} {
		f := preset(t, model)
		_, plain := f.train(t, hybridSystem)
		_, full := f.train(t, elrecSystem(elrec.DefaultOptions()))
		_, naive := f.train(t, ttrecSystem)
		o := elrec.DefaultOptions()
		o.Host, o.Threshold = true, largest(f.model)-1
		_, queues := f.train(t, elrecSystem(o))
		o.Queue = 1
		_, one := f.train(t, elrecSystem(o))
		for _, p := range software {
			mean[p] += plain[p] / full[p] / 3
			require.Greater(t, naive[fastLoader]/full[fastLoader], 1.4, "too large beside the paper")
			for i, x := range []float64{plain[p] / full[p], naive[p] / full[p], plain[p] / queues[p], one[p] / queues[p]} {
				over[p][i] = append(over[p][i], fmt.Sprintf("%.2f", x))
			}
		}
	}
	require.InEpsilon(t, 3, mean[fastLoader], 0.2, "near")
	require.Less(t, mean["sceptic"], 1.)
	for _, p := range software {
		row := func(i int) string { return strings.Join(over[p][i], " / ") }
		all = append(all, fmt.Sprintf("| %s | %s | %s |", p, row(0), row(1)))
		pipelined = append(pipelined, fmt.Sprintf("| %s | %s | %s |", p, row(2), row(3)))
	}
	return all, pipelined
}

func largest(model rec.Config) int {
	n := 0
	for _, t := range model.Tables {
		n = max(n, t.Rows)
	}
	return n
}

// oneTable are the rows of the table of Figure 13: a table of 40 million rows of 128
// values that are read alike often.
func oneTable(t *testing.T) (rows []string) {
	model := rec.Config{Dense: 1, Dim: 128, Bottom: []int{1, 128}, Top: []int{1}, LearningRate: 0.1, Tables: []rec.Table{{Name: "t", Rows: 40_000_000, Lookups: 1}}}
	p := gen.Params{Name: "uniform", Seed: 1, Dense: 1, Contexts: 1, ContextZipf: 1, List: 1, Levels: 1, Signal: 1, Tables: []gen.Table{{Table: model.Tables[0]}}}
	clicks, err := gen.New(p, math.MaxInt64)
	require.NoError(t, err)
	o := elrec.DefaultOptions()
	o.Rank = 64
	for i, paper := range []float64{489.76, 938.86, 1779.44} {
		f := figure{model: model, clicks: clicks, gpus: 1 << i, batch: 4096}
		_, ms := f.train(t, elrecSystem(o))
		ours := float64(f.gpus) * 1000 / ms["sceptic"]
		require.InEpsilon(t, paper, ours, 0.5)
		rows = append(rows, fmt.Sprintf("| %d | %.2f | %.0f |", f.gpus, paper, ours))
	}
	return rows
}

// memory is the sentence of the document about RM3 on one GPU.
func memory(t *testing.T) string {
	f := preset(t, "rm3")
	o := elrec.DefaultOptions()
	o.Threshold = math.MaxInt32
	needs := func(o elrec.Options, gib float64) *server.OutOfMemory {
		cfg := server.DefaultConfig()
		cfg.GPUs, cfg.GPUMemoryGiB, cfg.Valueless = 1, gib, true
		s, err := server.New(cfg)
		require.NoError(t, err)
		from, err := train.Initial(f.model, 1)
		require.NoError(t, err)
		x, err := elrec.New(s, from, o)
		require.NoError(t, err)
		b, err := train.NewBatches(f.model, f.clicks, 4096, 4096)
		require.NoError(t, err)
		_, err = train.Run(x, b, train.Unwatched{}, nil)
		full := &server.OutOfMemory{}
		if errors.As(err, &full) {
			return full
		}
		require.NoError(t, err)
		return nil
	}
	require.Nil(t, needs(elrec.DefaultOptions(), 16))
	gib := func(o *server.OutOfMemory) float64 { return float64(o.Needs) / (1 << 30) }
	return fmt.Sprintf("RM3 needs %.1f GiB on a GPU with all tables plain, which is out of memory, and %.2f GiB with those of more than a million rows in this form",
		gib(needs(o, 16)), gib(needs(elrec.DefaultOptions(), 0.01)))
}

// The document names the options and their defaults, and how many inputs of its
// figures were in the graph.
func TestOptionsOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/systems/elrec.md")
	require.NoError(t, err)
	o := elrec.DefaultOptions()
	require.Contains(t, string(text), fmt.Sprintf("`threshold` (%d), `rank` (%d), `host` (%v), `queue` (%d), `reorder_groups` (%d, 0 for none) and `hot_ratio` (%v)",
		o.Threshold, o.Rank, o.Host, o.Queue, o.Groups, o.Hot))
	require.Equal(t, batches*1024, o.Groups*elrec.GroupInputs, "all of the small mini-batches")
	require.Equal(t, batches*4096, 4*o.Groups*elrec.GroupInputs, "a quarter of the large ones")
}

// TestFiguresOfTheDocument: docs/systems/elrec.md has what is computed here.
func TestFiguresOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/systems/elrec.md")
	require.NoError(t, err)
	all, pipelined := speedUps(t)
	for _, rows := range [][]string{products(t), oneTable(t), all, pipelined, {memory(t)}} {
		require.Contains(t, string(text), strings.Join(rows, "\n"))
	}
}
