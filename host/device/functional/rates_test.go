package functional

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/model"
)

// TestLearningRate learns consecutive mini-batches of 4,096 generated inputs like Criteo Kaggle at
// paper scale, in an initially empty EAL. If HOTLINE_SHARED names a folder with real data, it
// learns them too.
func TestLearningRate(t *testing.T) {
	const inputs, batches, least = 4096, 4, 32
	kaggle, err := gen.Named("kaggle", 1)
	require.NoError(t, err)
	generated, err := gen.New(kaggle.Params, inputs*batches)
	require.NoError(t, err)
	clicks := map[string]data.Source{"generated": generated}
	if real := realClicks(t); real != nil {
		clicks["real"] = real
	}
	for name, source := range clicks {
		t.Run(name, func(t *testing.T) {
			p := arch.Paper()
			x, tracker := newEngines(p), eal.NewTracker(p)
			r, err := source.Open(0)
			require.NoError(t, err)
			defer r.Close()
			for m := 0; ; m++ {
				words, bases := lookups(t, source, r, inputs)
				if len(words) < inputs*len(bases) {
					require.Positive(t, m)
					return
				}
				cycles := x.sweep(lookup.IDs(p, words, bases), lookup.Keys(p, words, bases), len(bases), tracker)
				rate := float64(len(words)) / float64(cycles)
				t.Logf("%d lookups in %d cycles, %.1f a cycle", len(words), cycles, rate)
				require.GreaterOrEqual(t, rate, float64(least))
			}
		})
	}
}

// TestLookupRate looks up whole mini-batches at paper scale and with more engines. The keys are
// uniform, generated like Criteo Kaggle, or real if HOTLINE_SHARED names a folder with real data.
// The first mini-batch is not measured, because the caches are empty. Uniform keys distribute
// unevenly over the banks: the busiest of 64 banks limits the rate to 62.0 lookups per cycle.
func TestLookupRate(t *testing.T) {
	kaggle, err := gen.Named("kaggle", 1)
	require.NoError(t, err)
	clicks, err := gen.New(kaggle.Params, 2*16384)
	require.NoError(t, err)
	for _, c := range []struct {
		name    string
		engines int
		inputs  int
		slots   int
		clicks  data.Source // nil for uniform keys
		before  int         // inputs of the first mini-batch
		batches int         // number of measured mini-batches
		least   float64     // minimum lookups per cycle
	}{
		{"uniform", 64, 16384, 26, nil, 16384, 7, 60},
		{"uniform", 64, 4096, 26, nil, 4096, 3, 57},
		{"generated samples", 64, 16384, 26, clicks, 16384, 1, 63},
		{"generated samples", 64, 4096, 26, clicks, 4096, 3, 61},
		{"real samples", 64, 5400, 26, realClicks(t), 1800, 1, 62},
		{"real samples", 64, 1800, 26, realClicks(t), 1800, 3, 60},
		{"uniform", 128, 16384, 32, nil, 16384, 1, 117},
		{"uniform", 256, 16384, 64, nil, 16384, 1, 230},
	} {
		if c.name == "real samples" && c.clicks == nil {
			continue
		}
		p := arch.Paper()
		p.Engines, p.Banks, p.EDRAMWords = c.engines, c.engines, 2*16384*c.slots
		next := uniform(c.slots)
		if c.clicks != nil {
			next = batches(t, c.clicks)
		}
		x, cycles, n := newEngines(p), int64(0), 0
		sweep := func(inputs int) (lookups int, took int64) {
			words, bases := next(inputs)
			took = x.sweep(lookup.IDs(p, words, bases), lookup.Keys(p, words, bases), c.slots, nil)
			if inputs <= 4096 {
				require.Less(t, took, int64(2000), c.name)
			}
			return len(words), took
		}
		sweep(c.before)
		for range c.batches {
			lookups, took := sweep(c.inputs)
			cycles, n = cycles+took, n+lookups
		}
		rate := float64(n) / float64(cycles)
		t.Logf("%s, %d inputs, %d engines: %d lookups in %d cycles, %.2f a cycle", c.name, c.inputs, c.engines, n, cycles, rate)
		require.GreaterOrEqual(t, rate, c.least, c.name)
		expectLine(t, fmt.Sprintf("| %s | %d | %d | %.2f |", c.name, c.engines, c.inputs, rate))
	}
}

// TestWithoutCaches shows what the answer caches are for: without them, the banks of the hottest rows
// hold up all others. Keys that do not repeat are as fast.
func TestWithoutCaches(t *testing.T) {
	kaggle, err := gen.Named("kaggle", 1)
	require.NoError(t, err)
	clicks, err := gen.New(kaggle.Params, 2*4096)
	require.NoError(t, err)
	p := arch.Paper()
	for name, next := range map[string]func(int) (words, bases []uint32){"generated samples": batches(t, clicks), "uniform": uniform(26)} {
		x, rate := newEngines(p), 0.
		x.uncached = true
		for range 2 {
			words, bases := next(4096)
			rate = float64(len(words)) / float64(x.sweep(lookup.IDs(p, words, bases), lookup.Keys(p, words, bases), 26, nil))
		}
		expectLine(t, fmt.Sprintf("| %s, without caches | 64 | 4096 | %.2f |", name, rate))
		require.Equal(t, name == "uniform", rate > 50, "%s: %.2f", name, rate)
	}
}

// expectLine expects a line in the document of rates.
func expectLine(t *testing.T, line string) {
	page, err := os.ReadFile("../../../docs/evidence/rates.md")
	require.NoError(t, err)
	require.Contains(t, string(page), line)
}

// realClicks returns the samples of Criteo Kaggle, or nil if they are not available.
func realClicks(t *testing.T) data.Source {
	shared := os.Getenv("HOTLINE_SHARED")
	if shared == "" {
		return nil
	}
	log, err := schema.Load("criteo")
	require.NoError(t, err)
	s, err := clicklog.Open(t.Context(), log, []string{filepath.Join(shared, "data/criteo-kaggle/train-7200.tsv")}, clicklog.Options{})
	require.NoError(t, err)
	return s
}

// batches returns a function that returns the next mini-batch of a source, in the form of lookups.
func batches(t *testing.T, s data.Source) func(inputs int) (words, bases []uint32) {
	r, err := s.Open(0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return func(inputs int) ([]uint32, []uint32) { return lookups(t, s, r, inputs) }
}

// uniform returns a function that generates mini-batches of uniformly distributed rows.
func uniform(slots int) func(inputs int) (words, bases []uint32) {
	rng := rand.New(rand.NewPCG(1, 1))
	return func(inputs int) ([]uint32, []uint32) {
		words := make([]uint32, inputs*slots)
		for i := range words {
			words[i] = rng.Uint32() >> 1
		}
		return words, make([]uint32, slots)
	}
}

// TestMergedLearningKeepsHotRows: learning that skips lookups of near rows finds about as many
// popular inputs as word-by-word learning, in an EAL that is small for the log.
func TestMergedLearningKeepsHotRows(t *testing.T) {
	const inputs, batches = 4096, 10
	p := arch.Paper()
	p.Blocks = 1 << 14
	kaggle, err := gen.Named("kaggle", 1)
	require.NoError(t, err)
	source, err := gen.New(kaggle.Params, inputs*(batches+1))
	require.NoError(t, err)
	r, err := source.Open(0)
	require.NoError(t, err)
	defer r.Close()
	x, merged, each := newEngines(p), eal.NewTracker(p), eal.NewTracker(p)
	for range batches {
		words, bases := lookups(t, source, r, inputs)
		keys := lookup.Keys(p, words, bases)
		x.sweep(lookup.IDs(p, words, bases), keys, len(bases), merged)
		require.Greater(t, 3*x.cached, len(words), "lookups that are left out")
		for _, k := range keys {
			each.Access(k)
		}
	}
	words, bases := lookups(t, source, r, inputs)
	popular := func(tracker *eal.Tracker) (n int) {
		for _, yes := range dispatch.Classify(lookup.Probe(tracker, lookup.Keys(p, words, bases)), len(bases)) {
			if yes {
				n++
			}
		}
		return n
	}
	t.Logf("%d popular inputs; %d if each lookup had its turn", popular(merged), popular(each))
	require.Greater(t, popular(each), inputs/10)
	require.InEpsilon(t, popular(each), popular(merged), 0.06)
}

// TestReadOutRate lists the hot set at paper scale. The sets of an index take three cycles, and an
// entry takes about one cycle.
func TestReadOutRate(t *testing.T) {
	p := arch.Paper()
	a := &Accel{p: p, state: state{model: model.New(p)}}
	tracker := a.model.EAL
	const empty = 12_300 // cycles for an empty EAL
	list := func(what string, most func(entries int) int) {
		e := dispatch.HotEntries(p, tracker)
		_, cycles := a.readOut((len(e)*arch.HotRowBytes + arch.HotSetUnit - 1) / arch.HotSetUnit)
		t.Logf("%s: %d entries in %d cycles", what, len(e), cycles)
		require.LessOrEqual(t, int(cycles), most(len(e)), what)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 30_000 {
		tracker.Access(rng.Uint32() >> (32 - p.IDBits()))
	}
	list("some rows", func(entries int) int { return empty + entries*5/4 })
	tracker.Begin()
	list("nothing new", func(int) int { return empty })
	for bank := range p.Banks {
		for number := range p.BankSets() {
			*tracker.Changed(bank, number) = true
			for way := range p.Ways {
				tracker.Set(bank, number)[way].Valid = true
			}
		}
	}
	list("everything", func(entries int) int { return empty + entries })
}

// lookups returns the words of the next inputs, with one lookup in each table, and the ids of row 0
// of the tables. At the end of the source it returns fewer inputs.
func lookups(t *testing.T, s data.Source, r data.Reader, inputs int) (words, bases []uint32) {
	next := uint32(0)
	for _, table := range s.Shape().Tables {
		bases = append(bases, next)
		next += uint32(table.Rows)
	}
	var b dlrm.Batch
	if err := r.Read(&b, inputs); err != nil {
		require.ErrorIs(t, err, io.EOF)
		return nil, bases
	}
	for i := range b.Len() {
		words = append(words, b.At(i).Sparse...)
	}
	return words, bases
}
