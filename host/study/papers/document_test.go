package papers

import (
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// everything evaluates all papers on the default machine, once.
var everything = sync.OnceValues(func() (*Reproduction, error) {
	return Reproduce(context.Background(), Options{Machine: machine.Default(), All: true})
})

// evaluated returns everything. The evaluation takes a minute, so it skips the test with -short.
func evaluated(t *testing.T) *Reproduction {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: evaluates all papers")
	}
	r, err := everything()
	require.NoError(t, err)
	return r
}

// document returns docs/evidence/reproduction.md without its title.
func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/evidence/reproduction.md")
	require.NoError(t, err)
	title, rest, _ := strings.Cut(string(text), "\n")
	require.Equal(t, "# The papers, on machine v100", title)
	return rest
}

// TestDocument compares the page with what the program prints, to the last figure.
func TestDocument(t *testing.T) {
	var printed strings.Builder
	require.NoError(t, Print(&printed, evaluated(t), machine.Default(), false))
	require.Equal(t, printed.String(), document(t), "make it again: hotline reproduce --all > docs/evidence/reproduction.md")
}

// quick reports whether a row is evaluated within moments: sizes, and times without a training.
func quick(r Record) bool {
	slow := []string{"skew", "sampled hot rows", "multi-hot EAL", "EAL held", "EAL hits", "other parameters", "FAE's optimiser", "hazards"}
	for _, system := range append([]string{r.Of, r.Over}, r.Systems...) {
		_, trains := trained[system]
		if trains || system == "scratchpipe" || system == "straw-man" {
			return false
		}
	}
	return r.Measure != "" && !slices.Contains(slow, r.Measure)
}

// TestPage checks the lines of the page that need no training, and the format of the page. It takes
// moments.
func TestPage(t *testing.T) {
	text, m := document(t), machine.Default()
	require.Less(t, len(strings.Fields(text)), 4800, "words")
	b, n := &bench{ctx: t.Context(), clock: newClock(timing.Variants{m})}, 0
	var rows []Row
	for _, r := range Records() {
		if !quick(r) {
			rows = append(rows, r.judge(nil))
			continue
		}
		f, err := b.find(m, r)
		require.NoError(t, err)
		rows = append(rows, r.judge(&f))
	}
	for _, series := range bySeries(withTrends(rows)) {
		name, _ := title(series)
		require.Regexp(t, `(?m)^\| `+regexp.QuoteMeta(name)+` \| |[|,] `+regexp.QuoteMeta(series[0].Item)+`[, ]`, text, "every series is on the page")
		for _, cells := range lines(series) {
			n++
			require.Contains(t, text, " | "+strings.Join(cells[1:], " | ")+" |\n")
			cells[3] += "1"
			require.NotContains(t, text, " | "+strings.Join(cells[1:], " | ")+" |\n", "another number is noticed")
		}
	}
	require.Greater(t, n, 80)
}

// TestRows checks that each row has a number, or a reason why there is none.
func TestRows(t *testing.T) {
	for _, row := range evaluated(t).Rows {
		if row.Ours == nil {
			require.Contains(t, []Verdict{NotRun, NoResult}, row.Verdict, row.ID)
			require.True(t, row.Verdict == NoResult || row.Note != "", "a reason: %s", row.ID)
			continue
		}
		require.False(t, math.IsNaN(*row.Ours) || math.IsInf(*row.Ours, 0), row.ID)
		require.Equal(t, slices.Contains(Listed, row.Class), row.Verdict == NoResult, row.ID)
		if row.Low != nil {
			require.True(t, *row.Low <= *row.Ours && *row.Ours <= *row.High, row.ID)
		}
	}
}

// rowOf returns an evaluated row.
func rowOf(t *testing.T, id string) Row {
	i := slices.IndexFunc(evaluated(t).Rows, func(r Row) bool { return r.ID == id })
	require.GreaterOrEqual(t, i, 0, id)
	return evaluated(t).Rows[i]
}

// TestReproduce: evaluating some rows gives the same findings as evaluating all, and unknown names
// are rejected.
func TestReproduce(t *testing.T) {
	r, err := Reproduce(t.Context(), Options{Machine: machine.Default(), What: []string{"cdlrm/figure-1b", "fae/table-6", "elrec/table-iii"}})
	require.NoError(t, err)
	require.Len(t, r.Papers, 3)
	require.Len(t, r.Rows, 2+12+12+8+12+6)
	var details, page strings.Builder
	require.NoError(t, Print(&details, r, machine.Default(), true))
	require.Contains(t, details.String(), "**Table III: embeddings in tensor-train form** (exact): rank 128, ")
	require.Contains(t, details.String(), "pageable_table_us 34 to 38: ")
	require.NoError(t, Print(&page, r, machine.Default(), false))
	require.NotContains(t, page.String(), "pageable_table_us 34 to 38: ")
	require.EqualError(t, Check([]string{"dlrm"}), `there is no paper or item "dlrm"; expected hotline, fae, cdlrm, elrec, scratchpipe, or PAPER/ITEM as in hotline/table-ii`)
	require.ErrorContains(t, Check([]string{"cdlrm/table-9"}), `there is no paper or item "cdlrm/table-9"; expected cdlrm/figure-1b, cdlrm/table-1a, `)
	require.Error(t, Check([]string{"fae/table-"}), "the beginning of a word")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Reproduce(ctx, Options{Machine: machine.Default(), What: []string{"fae/table-5"}})
	require.ErrorIs(t, err, context.Canceled)
	for _, row := range r.Rows {
		require.Equal(t, rowOf(t, row.ID), row)
	}
}

// TestCache: a finding is reused only for the same program and machine, and only if its file is
// complete.
func TestCache(t *testing.T) {
	m := machine.Default()
	const row = "elrec/table-iii/plain-over-tensor-train-form/avazu"
	c := Cache{Dir: t.TempDir(), Program: "this one"}
	o := Options{Machine: m, What: []string{"elrec/table-iii", "cdlrm/figure-1b", "fae/abstract"}, Cache: c}
	first, err := Reproduce(t.Context(), o)
	require.NoError(t, err)
	again, err := Reproduce(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, first, again, "with ranges and causes")

	f, ok := c.get(row, m)
	require.True(t, ok)
	f.Ours = 1e9
	require.NoError(t, c.put(row, m, f))
	marked, err := Reproduce(t.Context(), o)
	require.NoError(t, err)
	require.NotEqual(t, first, marked, "it was read")
	for _, other := range []struct {
		c Cache
		m *machine.Machine
	}{{Cache{Dir: c.Dir, Program: "another"}, m}, {c, m.With("dispatch_us", 7)}} {
		_, ok := other.c.get(row, other.m)
		require.False(t, ok)
	}
	require.NoError(t, os.WriteFile(c.path(row, m), []byte(`{"ours": `), 0o600))
	mended, err := Reproduce(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, first, mended)

	interrupted := Options{Machine: m, What: []string{"elrec/table-iii", "cdlrm/figure-1b", "fae/table-6"}, Cache: Cache{Dir: t.TempDir()}}
	ctx, cancel := context.WithCancel(t.Context())
	interrupted.Progress = func(done, _ int) {
		if done == 1 {
			cancel()
		}
	}
	part, err := Reproduce(ctx, interrupted)
	require.ErrorIs(t, err, context.Canceled)
	require.Positive(t, part.Done)
	require.Less(t, part.Done, part.Total)
	require.NotEmpty(t, part.Rows)
	for _, row := range part.Rows {
		require.NotNil(t, row.Ours, row.ID)
	}
	left, err := os.ReadDir(interrupted.Cache.Dir)
	require.NoError(t, err)
	require.NotEmpty(t, left, "what was done before the interrupt is kept")
	var unkept []error
	o.Cache, o.Unkept = Cache{Dir: "document_test.go/folder"}, func(err error) { unkept = append(unkept, err) }
	lost, err := Reproduce(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, first.Rows, lost.Rows, "a cache that cannot be written loses no result")
	require.Len(t, unkept, 1, "said once")
	require.ErrorContains(t, unkept[0], `cannot be kept: `)

	old := time.Now().Add(-2 * unused)
	require.NoError(t, os.Chtimes(c.path(row, m), old, old))
	require.NoError(t, c.put("another", m, Finding{}))
	_, ok = c.get(row, m)
	require.False(t, ok, "what nobody asks for goes")
}

// TestInParallel: all steps run, in any order, up to the first error.
func TestInParallel(t *testing.T) {
	var mu sync.Mutex
	var done, shown []int
	var steps []step
	for i := range 20 {
		steps = append(steps, func() error {
			mu.Lock()
			defer mu.Unlock()
			done = append(done, i)
			return nil
		})
	}
	require.NoError(t, inParallel(t.Context(), steps, func(n, total int) {
		require.Equal(t, 20, total)
		shown = append(shown, n)
	}))
	require.Len(t, done, 20)
	require.True(t, slices.IsSorted(shown))
	broken := fmt.Errorf("broken")
	require.ErrorIs(t, inParallel(t.Context(), []step{func() error { return broken }, func() error { return nil }}, nil), broken)
}

// TestClock: a source is made and timed once for each software, whatever its name.
func TestClock(t *testing.T) {
	k, made := newClock(timing.Variants{machine.Default()}), 0
	m, err := Workload{Model: "rm2"}.config()
	require.NoError(t, err)
	x := all(source{"one", func() (load, error) {
		made++
		return steady(hybrid.Order, m, Case{GPUs: 1, Nodes: 1}, timing.Work{Inputs: 1024}, usual), nil
	}})
	p, err := timing.LoadProfile("sceptic")
	require.NoError(t, err)
	for _, name := range []string{"sceptic", "other"} {
		p.Name = name
		_, err := k.mix(x, p)
		require.NoError(t, err)
		require.Len(t, k.timed.made, 1)
	}
	p.Launch = "eager"
	_, err = k.mix(x, p)
	require.NoError(t, err)
	require.Equal(t, 1, made)
	require.Len(t, k.timed.made, 2)
}
