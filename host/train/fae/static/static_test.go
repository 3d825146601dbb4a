package static_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
)

// newModel returns a model with two large tables, one of which is read twice, and a small table.
func newModel() dlrm.Config {
	return dlrm.Config{
		Dense: 2, Dim: 4, Bottom: []int{2, 4}, Top: []int{1}, LearningRate: 0.3,
		Tables: []dlrm.Table{{Name: "a", Rows: 3000, Lookups: 2}, {Name: "b", Rows: 30, Lookups: 1}, {Name: "c", Rows: 1500, Lookups: 1}},
	}
}

// options returns options for which tables of 1,000 rows are large.
func options() static.Options {
	return static.Options{Budget: 16 * 400, Sample: 0.5, Small: 16 * 1000, Seed: 3}
}

func newBatches(t testing.TB, model dlrm.Config, inputs, size int) *train.Batches {
	p := gen.Params{Name: "test", Seed: 7, Dense: model.Dense, Contexts: 100, ContextZipf: 1.1, List: 2, Levels: 1, Rho: 0.7, Signal: 2}
	for _, table := range model.Tables {
		p.Tables = append(p.Tables, gen.Table{Table: table, Zipf: 1})
	}
	clicks, err := gen.New(p, math.MaxInt32)
	require.NoError(t, err)
	b, err := train.NewBatches(model, clicks, size, int64(inputs))
	require.NoError(t, err)
	return b
}

// inputsOf reads all inputs.
func inputsOf(t testing.TB, b *train.Batches) []dlrm.Sample {
	var list []dlrm.Sample
	n, _ := b.Len()
	for m := range n {
		batch, err := b.At(m)
		require.NoError(t, err)
		for i := range batch.Len() {
			list = append(list, batch.At(i))
		}
	}
	return list
}

type row struct {
	table int
	index uint32
}

func rowsOf(model dlrm.Config, in dlrm.Sample) []row {
	var list []row
	for _, b := range model.Bags() {
		for range b.Lookups {
			list = append(list, row{b.Table, in.Sparse[len(list)]})
		}
	}
	return list
}

// TestPrepare compares with a small model in maps: the hot rows for the threshold, and the hot
// inputs. A lower threshold would exceed the budget.
func TestPrepare(t *testing.T) {
	model, o := newModel(), options()
	b := newBatches(t, model, 5000, 64)
	p, err := static.Prepare(b, model, o)
	require.NoError(t, err)

	reads, accesses := map[row]int{}, map[int]int{}
	sampled := 0
	inputs := inputsOf(t, b)
	for i, in := range inputs {
		if detmath.Unit(detmath.Hash(o.Seed, 0, uint64(i))) >= o.Sample {
			continue
		}
		sampled++
		for _, r := range rowsOf(model, in) {
			reads[r]++
			accesses[r.table]++
		}
	}
	require.InDelta(t, 2500, sampled, 150)
	require.EqualValues(t, sampled, p.Figures.Sampled)
	hot := func(r row, percent float64) bool {
		return r.table == 1 || reads[r] > 0 && float64(reads[r]) >= percent/100*float64(accesses[r.table])
	}
	n := 0
	for table, of := range model.Tables {
		var listed []uint32
		for index := range uint32(of.Rows) {
			slot, got := p.Hot.Slot(table, index)
			require.Equal(t, hot(row{table, index}, p.Figures.Threshold), got, "%d %d", table, index)
			if got {
				require.Equal(t, n, slot)
				listed = append(listed, index)
				n++
			}
		}
		require.Equal(t, listed, slices.Collect(p.Hot.Rows(table)))
	}
	require.Equal(t, n, p.Hot.Len())
	require.EqualValues(t, n-30, p.Figures.Rows)
	require.Equal(t, static.Estimate{Rows: float64(n - 30), Upper: float64(n - 30), Scanned: 4500, Entries: 4500}, p.Figures.Estimate, "so few chunks are all looked at")
	require.LessOrEqual(t, n, 400)
	require.False(t, p.Figures.Counted)
	require.Greater(t, n, 300, "most of the budget is used")

	popular := int64(0)
	require.EqualValues(t, len(inputs), p.Inputs.Len())
	for i, in := range inputs {
		want := true
		for _, r := range rowsOf(model, in) {
			want = want && hot(r, p.Figures.Threshold)
		}
		require.Equal(t, want, p.Inputs.Hot(int64(i)), i)
		if want {
			popular++
		}
	}
	require.Equal(t, popular, p.Inputs.Popular())
	require.Greater(t, popular, int64(500))
	require.Less(t, popular, int64(4500))
}

// TestDeterminism: the outcome depends only on the inputs from the first mini-batch on, not on the
// size of mini-batches or the number of cores.
func TestDeterminism(t *testing.T) {
	model := newModel()
	var first *static.Prepared
	for cores := 1; cores <= 4; cores++ {
		before := runtime.GOMAXPROCS(cores)
		p, err := static.Prepare(newBatches(t, model, 1300, 13*cores), model, options())
		runtime.GOMAXPROCS(before)
		require.NoError(t, err)
		if first == nil {
			first = p
		}
		require.Equal(t, first, p)
	}
	rest, err := static.Prepare(newBatches(t, model, 1300, 100).From(4), model, options())
	require.NoError(t, err)
	require.EqualValues(t, 900, rest.Inputs.Len())
}

func TestSmallTablesMustFit(t *testing.T) {
	model, o := newModel(), options()
	o.Budget = 16 * 32
	p, err := static.Prepare(newBatches(t, model, 200, 64), model, o)
	require.NoError(t, err)
	require.GreaterOrEqual(t, p.Hot.Len(), 30)
	require.LessOrEqual(t, p.Hot.Len(), 32)
	o.Sample = 1e-9
	p, err = static.Prepare(newBatches(t, model, 200, 64), model, o)
	require.NoError(t, err)
	require.Equal(t, []any{int64(0), 30}, []any{p.Figures.Sampled, p.Hot.Len()}, "what nobody reads is not hot")
	o.Budget = 16 * 29
	_, err = static.Prepare(newBatches(t, model, 200, 64), model, o)
	require.EqualError(t, err, "fae: a budget of 464 bytes holds 29 rows, but small tables alone have 30 and each of the others its hottest: use a larger budget, or smaller small tables")
}

// TestQuantile checks Student's quantile for 35 chunks and 99.9 %.
func TestQuantile(t *testing.T) {
	require.InDelta(t, distuv.StudentsT{Sigma: 1, Nu: static.Drawn - 1}.Quantile(1-0.001/2), static.Quantile, 1e-6)
}

// tableOf returns a log of one table with the given number of rows; hot returns the count of a row.
func tableOf(t testing.TB, rows int, seed uint64, hot func(row int) int) static.Log {
	model := dlrm.Config{Dim: 16, Tables: []dlrm.Table{{Name: "a", Rows: rows, Lookups: 1}}}
	var batch dlrm.Batch
	for r := range rows {
		for range hot(r) {
			batch.Append(dlrm.Sample{Sparse: []uint32{uint32(r)}})
		}
	}
	source := data.InMemory("table", data.Shape{Tables: model.Tables}, batch)
	l, err := static.NewLog(source, int64(batch.Len()), model, static.Options{Sample: 1, Seed: seed})
	require.NoError(t, err)
	return l
}

// TestEstimate: as in Figure 10, the estimate is within 10 % of the count. The count is in its 99.9
// % interval or within 1 % of the estimate, wherever the hot rows are. 35 chunks are scanned.
func TestEstimate(t *testing.T) {
	const rows, hot = 2_000_000, 100_000
	for name, is := range map[string]func(row int) bool{
		"the first rows": func(row int) bool { return row < hot },
		"scattered":      func(row int) bool { return detmath.Hash(uint64(row))%(rows/hot) == 0 },
		"in stretches":   func(row int) bool { return row/5000%20 == 0 },
	} {
		l := tableOf(t, rows, 1, func(row int) int {
			if is(row) {
				return 2
			}
			return row % 2
		})
		count := l.Count(1e-4)
		require.InEpsilon(t, hot, count.Rows, 0.02, name)
		outside := 0
		for try := range 300 {
			e := l.Estimate(1e-4, try)
			require.InEpsilon(t, count.Rows, e.Rows, 0.1, name)
			if off := math.Abs(e.Rows - count.Rows); off > e.Upper-e.Rows && off > count.Rows/100 {
				outside++
			}
			require.InDelta(t, static.Drawn*static.ChunkRows, e.Scanned, static.Drawn)
			require.EqualValues(t, rows, e.Entries)
		}
		require.LessOrEqual(t, outside, 2, name)
	}
}

// TestInterval computes Equation 4 independently, for 35 of 50 chunks.
func TestInterval(t *testing.T) {
	const rows, chunks = 50 * static.ChunkRows, 50
	is := func(row int) bool { return detmath.Hash(uint64(row))%10 == 0 }
	l := tableOf(t, rows, 9, func(row int) int {
		if is(row) {
			return 1
		}
		return 0
	})
	var counts []float64
	for _, c := range static.Draw(static.Drawn, chunks, detmath.NewStream(9, 1, 4, 0)) {
		n := 0.0
		for row := range rows {
			if row%chunks == c && is(row) {
				n++
			}
		}
		counts = append(counts, n)
	}
	mean, deviation := stat.MeanStdDev(counts, nil)
	half := static.Quantile * math.Sqrt((50.-35)/50*deviation*deviation/35)
	e := l.Estimate(1e-9, 4)
	require.InEpsilon(t, 50*mean, e.Rows, 1e-12)
	require.InEpsilon(t, 50*(mean+half), e.Upper, 1e-12)
}

// neighbours returns the paper's estimate from 35 chunks of consecutive rows.
func neighbours(l static.Log, rows int, hot func(row int) bool, try int) float64 {
	chunks := rows / static.ChunkRows
	sum := 0
	for _, c := range static.Draw(static.Drawn, chunks, detmath.NewStream(uint64(try))) {
		for i := range static.ChunkRows {
			if hot(c*static.ChunkRows + i) {
				sum++
			}
		}
	}
	return float64(sum) / static.Drawn * float64(chunks)
}

// TestNeighboursAreAlike: chunks of adjacent rows are useless if the hot rows are the first rows.
// If one row in twenty is hot, most estimates are off by more than half or zero.
func TestNeighboursAreAlike(t *testing.T) {
	const rows, hot = 2_000_000, 100_000
	near := 0
	for try := range 300 {
		e := neighbours(static.Log{}, rows, func(row int) bool { return row < hot }, try)
		if math.Abs(e/hot-1) < 0.1 {
			near++
		}
	}
	require.Less(t, near, 100)
}

// TestBudgetIsKept: if the estimate is too low, rows are counted, and the budget is kept.
func TestBudgetIsKept(t *testing.T) {
	const rows = 200_000
	counted := 0
	for seed := range uint64(40) {
		// The worst case: all hot rows are in one chunk, which few samples contain.
		l := tableOf(t, rows, seed, func(row int) int {
			if row%196 == 17 {
				return 100
			}
			return 0
		})
		hot, f, err := l.Optimise(64, 64*500)
		require.NoError(t, err)
		require.LessOrEqual(t, hot.Len(), 500)
		require.EqualValues(t, hot.Len(), f.Rows)
		if f.Counted {
			counted++
		}
	}
	require.Positive(t, counted)
}

// TestSearch: the search finds a threshold that fits, near the budget if there is one.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		budget       float64
		size         func(percent float64) float64
		ok           bool
		least, tried int
	}{
		{1000, func(p float64) float64 { return 10 / p }, true, 900, 10},
		{1000, func(float64) float64 { return 1000 }, true, 1000, 1},
		{1000, func(float64) float64 { return 1001 }, false, 0, 2},
		{1000, func(p float64) float64 { return map[bool]float64{true: 500, false: 2000}[p > 0.123] }, true, 500, 20},
	} {
		asked := 0
		percent, tried, ok := static.Search(c.budget, func(p float64, try int) float64 {
			require.Equal(t, asked, try)
			asked++
			return c.size(p)
		})
		require.Equal(t, []any{c.ok, asked}, []any{ok, tried})
		require.LessOrEqual(t, tried, c.tried)
		if ok {
			require.LessOrEqual(t, c.size(percent), c.budget)
			require.GreaterOrEqual(t, c.size(percent), float64(c.least))
		}
	}
}

func TestDraw(t *testing.T) {
	seen := map[int]int{}
	for try := range 2000 {
		list := static.Draw(5, 20, detmath.NewStream(uint64(try)))
		distinct := map[int]bool{}
		for _, c := range list {
			distinct[c] = true
			seen[c]++
		}
		require.Len(t, distinct, 5)
	}
	for c := range 20 {
		require.InDelta(t, 500, seen[c], 100, fmt.Sprint(c))
	}
}
