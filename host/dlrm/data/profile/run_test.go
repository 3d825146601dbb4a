package profile

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// handmade has two tables. Accesses: a0 4, a1 1; b7 2, b5 1, b0 1, b3 1. From hot to cold: a0 b7 a1
// b0 b3 b5.
func handmade() *fake {
	return &fake{tables: []dlrm.Table{{Name: "a", Rows: 2, Lookups: 1}, {Name: "b", Rows: 8, Lookups: 1}},
		inputs: [][]uint32{{0, 7}, {0, 7}, {0, 5}, {1, 0}, {0, 3}}}
}

// fake is a source of given lookups; every second label is a click.
type fake struct {
	tables  []dlrm.Table
	inputs  [][]uint32
	unknown bool
	fail    error
}

func (f *fake) Name() string               { return "fake" }
func (f *fake) Shape() data.Shape          { return data.Shape{Dense: 1, Tables: f.tables} }
func (f *fake) Len() (n int64, known bool) { return int64(len(f.inputs)), !f.unknown }
func (f *fake) Open(at int64) (data.Reader, error) {
	if f.fail != nil {
		return nil, f.fail
	}
	var b dlrm.Batch
	for i, sparse := range f.inputs {
		b.Append(dlrm.Sample{Label: float32(i % 2), Dense: []float32{0}, Sparse: sparse})
	}
	return data.InMemory("", f.Shape(), b).Open(at)
}

func TestHandmade(t *testing.T) {
	targets := []Target{
		{Kind: Accesses, Rows: 0.3, Value: 0.5},                           // 3 of 10 rows: a0 b7 a1
		{Kind: Popular, Rows: 0.3, Value: 0.3, AtLeast: true},             // the first and the second input
		{Kind: Popular, Rows: 0.4, Value: 0.8, AtLeast: true},             // also b0: the fourth input
		{Kind: Accesses, Table: "b", Rows: 0.25, Value: 0.6, Source: "x"}, // 2 of 8 rows
	}
	r, err := Run(t.Context(), handmade(), Options{Windows: 2, Targets: targets})
	require.NoError(t, err)
	require.Equal(t, []any{"fake", int64(5), 2, 0.4, int64(10), int64(6)}, []any{r.Name, r.Inputs, r.Lookups, r.Clicks, r.Rows, r.Seen})

	require.Len(t, r.Tables, 2)
	a, b := r.Tables[0], r.Tables[1]
	require.Equal(t, Table{Name: "a", Rows: 2, Seen: 2, Accesses: 5, Exact: true, Top: a.Top}, a)
	require.Equal(t, Table{Name: "b", Rows: 8, Seen: 4, Accesses: 5, Exact: true, Top: b.Top}, b)
	require.Equal(t, Share{0.01, 0.8}, a.Top[3], "at least one row")
	require.Equal(t, Share{0.5, 0.8}, a.Top[8])
	require.Equal(t, Share{1, 1}, a.Top[9])
	require.Equal(t, Share{0.01, 0.4}, b.Top[3])
	require.Equal(t, Share{0.5, 0.6}, b.Top[8])

	// Of 6 rows that were read, parts give 1, 1, ..., 1 (0.2), 3 (0.5), 6 (1); the targets give 3
	// and 4.
	var sizes []int64
	for _, h := range r.HotSets {
		sizes = append(sizes, h.Rows)
	}
	require.Equal(t, []int64{1, 3, 4, 6}, sizes)
	require.Equal(t, HotSet{Rows: 1, OfSeen: 1. / 6, OfAll: 0.1, Accesses: 0.4, Inputs: 0, Independent: 0, ColdLookups: 6. / 5}, r.HotSets[0])
	require.Equal(t, HotSet{Rows: 3, OfSeen: 0.5, OfAll: 0.3, Accesses: 0.7, Inputs: 0.4, Independent: 1 * 0.4, ColdLookups: 1}, r.HotSets[1])
	require.Equal(t, HotSet{Rows: 4, OfSeen: 4. / 6, OfAll: 0.4, Accesses: 0.8, Inputs: 0.6, Independent: 1 * 0.6, ColdLookups: 1}, r.HotSets[2])
	require.Equal(t, HotSet{Rows: 6, OfSeen: 1, OfAll: 0.6, Accesses: 1, Inputs: 1, Independent: 1}, r.HotSets[3])

	require.Len(t, r.Targets, 4)
	for i, want := range []struct{ reached, wrong float64 }{{0.7, 0.2}, {0.4, 0}, {0.6, -0.2}, {0.6, 0}} {
		require.Equal(t, targets[i], r.Targets[i].Target)
		require.InDelta(t, want.reached, r.Targets[i].Reached, 1e-12, i)
		require.InDelta(t, want.wrong, r.Targets[i].Error, 1e-12, i)
	}

	// Window 1: inputs 0 and 1; rows a0 2, b7 2; its hot set is one row, a0. Window 2: inputs 2 to
	// 4.
	require.Equal(t, []Window{
		{From: 0, To: 2, HotRows: 1, Own: 0.5},
		{From: 2, To: 5, HotRows: 1, Own: 2. / 6, Previous: 2. / 6, First: 2. / 6},
	}, r.Windows)
}

// TestWindows: the popular rows change after the first third.
func TestWindows(t *testing.T) {
	f := &fake{tables: []dlrm.Table{{Name: "a", Rows: 100, Lookups: 2}}}
	for i := range 300 {
		hot := uint32(0)
		if i >= 100 {
			hot = 50
		}
		rows := []uint32{hot, hot}
		if i%10 == 9 {
			rows[1] = uint32(i/10%9) + 1 // nine other rows in each window
		}
		f.inputs = append(f.inputs, rows)
	}
	r, err := Run(t.Context(), f, Options{Windows: 3})
	require.NoError(t, err)
	require.Equal(t, []Window{
		{From: 0, To: 100, HotRows: 1, Own: 0.95},
		{From: 100, To: 200, HotRows: 1, Own: 0.95},
		{From: 200, To: 300, HotRows: 1, Own: 0.95, Previous: 0.95, Inputs: 0.9},
	}, r.Windows)
	require.InDelta(t, 380./600, r.HotSets[0].Accesses, 1e-12, "row 50")
	require.InDelta(t, math.Pow(380./600, 2), r.HotSets[0].Independent, 1e-12, "two lookups")
}

// TestWhicheverLookupIsCold: an input with any cold lookup is not popular.
func TestWhicheverLookupIsCold(t *testing.T) {
	f := handmade()
	f.inputs = [][]uint32{{0, 0}, {0, 0}, {0, 1}, {1, 0}, {1, 0}}
	f.inputs = append(f.inputs, f.inputs[0])
	r, err := Run(t.Context(), f, Options{Targets: []Target{{Kind: Popular, Rows: 0.2}}}) // a0, b0
	require.NoError(t, err)
	require.InDelta(t, 0.5, r.Targets[0].Reached, 1e-12)
}

// TestSharedCounters: with fewer counters than rows, small tables stay exact, and the share that a
// hot set serves is overestimated.
func TestSharedCounters(t *testing.T) {
	f := &fake{tables: []dlrm.Table{{Name: "big", Rows: 1 << 20, Lookups: 1}, {Name: "small", Rows: 4, Lookups: 1}}}
	for i := range uint32(5000) {
		f.inputs = append(f.inputs, []uint32{i * 199, i % 4})
	}
	exact, err := Run(t.Context(), f, Options{})
	require.NoError(t, err)
	require.True(t, exact.Tables[0].Exact)
	require.EqualValues(t, 5000, exact.Tables[0].Seen)
	shared, err := Run(t.Context(), f, Options{Counters: 1000})
	require.NoError(t, err)
	require.False(t, shared.Tables[0].Exact)
	require.True(t, shared.Tables[1].Exact)
	require.Equal(t, exact.Tables[1], shared.Tables[1])
	require.InDelta(t, 990, shared.Tables[0].Seen, 10)
	require.Greater(t, shared.Tables[0].Top[6].Accesses, exact.Tables[0].Top[6].Accesses)
}

func TestLimits(t *testing.T) {
	f := handmade()
	done := int64(0)
	r, err := Run(t.Context(), f, Options{Inputs: 3, Progress: func(now, all int64) { require.LessOrEqual(t, done, now); done = now; require.EqualValues(t, 3, all) }})
	require.NoError(t, err)
	require.EqualValues(t, 3, r.Inputs)
	require.EqualValues(t, 3, done)
	require.Len(t, r.Windows, 3, "no window without an input")

	f.unknown = true
	_, err = Run(t.Context(), f, Options{})
	require.EqualError(t, err, "fake: it is not known how many inputs there are; say how many to profile, or index the log by a first pass")
	_, err = Run(t.Context(), f, Options{Inputs: 9})
	require.EqualError(t, err, "fake ends after 5 inputs, expected 9")
	_, err = Run(t.Context(), &fake{}, Options{})
	require.EqualError(t, err, "fake has no inputs")
	f.fail = errors.New("no disk")
	_, err = Run(t.Context(), f, Options{Inputs: 1})
	require.ErrorIs(t, err, f.fail)
	_, err = Run(t.Context(), handmade(), Options{Targets: []Target{{Kind: Accesses, Table: "c", Rows: 0.02}}})
	require.EqualError(t, err, "fake: there is no share of accesses that the hottest 2 % of rows of table c serve")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Run(ctx, handmade(), Options{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestTooManyHotSets(t *testing.T) {
	f := &fake{tables: []dlrm.Table{{Name: "a", Rows: 1000, Lookups: 1}}}
	var targets []Target
	for i := range uint32(300) {
		f.inputs = append(f.inputs, []uint32{i})
		targets = append(targets, Target{Kind: Popular, Rows: float64(i) / 1000})
	}
	_, err := Run(t.Context(), f, Options{Targets: targets})
	require.EqualError(t, err, "fake: targets ask for 300 sizes of hot sets, expected at most 255")
	_, err = Run(t.Context(), f, Options{Targets: targets[:240]})
	require.NoError(t, err)
}

func TestCountersDoNotOverflow(t *testing.T) {
	n := uint32(math.MaxUint32)
	add(&n)
	require.EqualValues(t, math.MaxUint32, n)
}
