package papers

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// everything is what is cheap of all papers on the default machine, found once.
var everything = sync.OnceValues(func() (*Reproduction, error) {
	return Reproduce(context.Background(), Options{Machine: machine.Default()})
})

// evaluated returns everything. It takes minutes, so with -short it skips the test.
func evaluated(t *testing.T) *Reproduction {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: evaluates the figures of all papers")
	}
	r, err := everything()
	require.NoError(t, err)
	return r
}

// figure is one of the evaluated ones.
func figure(t *testing.T, name string) Figure {
	for _, p := range evaluated(t).Papers {
		for _, f := range p.Figures {
			if f.Name == name {
				return f
			}
		}
	}
	require.Fail(t, "there is no "+name)
	return Figure{}
}

// cell is the value of a figure by the labels of its row, and its column.
func (f Figure) cell(t *testing.T, column string, labels ...string) float64 {
	i := slices.Index(f.Columns, column)
	for _, r := range f.Rows {
		if slices.Equal(r.Labels, labels) {
			return r.Cells[i].Value
		}
	}
	require.Fail(t, "there is no such row", labels)
	return 0
}

// The document is what the program prints, to the last figure; what takes minutes it prints with
// --all, and here is told apart by its line. Its counts are those of its rows.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/evidence/reproduction.md")
	require.NoError(t, err)
	var printed strings.Builder
	require.NoError(t, Print(&printed, evaluated(t), machine.Default()))
	title, document, _ := strings.Cut(string(text), "\n")
	require.Equal(t, "# The papers, on machine v100", title)
	ours, its := strings.Split(printed.String(), "\n"), strings.Split(withoutLong(t, document), "\n")
	require.Len(t, its, len(ours))
	long, counts := 0, make([]int, len(Verdicts))
	for i, line := range ours {
		switch {
		case strings.Contains(line, " |  | not run | "+takesMinutes):
			same, _, _ := strings.Cut(line, " |  | not run | ")
			require.True(t, strings.HasPrefix(its[i], same), its[i])
			require.NotContains(t, its[i], "not run", "made with --all")
			long++
		case slices.ContainsFunc(Classes, func(c Class) bool { return strings.HasPrefix(line, "| "+string(c)+" |") }):
			for j, n := range strings.Split(its[i], " | ")[1 : 1+len(Verdicts)] {
				count, err := strconv.Atoi(n)
				require.NoError(t, err)
				counts[j] += count
			}
		default:
			require.Equal(t, line, its[i])
		}
	}
	require.Equal(t, 15, long)
	for j, v := range Verdicts {
		require.Equal(t, strings.Count(document, "| "+string(v)+" | ")-1, counts[j], "rows that say %q, but for the head of the table", v)
	}
}

// withoutLong is the document without the figures of what takes minutes, and of real clicks.
func withoutLong(t *testing.T, document string) string {
	for {
		at := strings.Index(document, RealClicks+": ")
		if at < 0 {
			break
		}
		end := strings.Index(document[at:], "\n##")
		document = document[:strings.LastIndex(document[:at], "\n### ")] + document[at+end:]
	}
	for _, paper := range Names() {
		list, err := experiments(t.Context(), paper, newClock(machine.Default()), nil)
		require.NoError(t, err)
		for _, e := range list {
			before, rest, found := strings.Cut(document, "\n### "+e.name+": ")
			if e.long && found {
				document = before + rest[strings.Index(rest, "\n##"):]
			}
		}
	}
	return document
}

// A row holds within its bounds and nowhere else; a calibration never does, and counts as no result.
func TestVerdicts(t *testing.T) {
	r := Record{Role: HeldOut, From: 1, To: 2}
	for _, c := range []struct {
		ours    float64
		because []string
		bounds  *[2]float64
		want    Verdict
	}{
		{1, nil, nil, Holds}, {2, nil, nil, Holds}, {2.01, nil, nil, Fails}, {0.99, nil, nil, Fails},
		{3, []string{"loader hidden: 1.5"}, nil, Explained}, {1.5, []string{"no matter"}, nil, Holds}, {3, nil, &[2]float64{3, 4}, Holds}, {1, nil, &[2]float64{3, 4}, Fails},
	} {
		o := Outcome{Ours: c.ours, Because: c.because, Bounds: c.bounds}
		require.Equal(t, c.want, r.beside(o).Verdict, c)
		calibrated := r
		calibrated.Role = Calibration
		require.Equal(t, Calibrated, calibrated.beside(o).Verdict, c)
	}
	for _, row := range evaluated(t).Rows {
		require.Equal(t, row.Role == Calibration && row.Ours != nil, row.Verdict == Calibrated, row.ID)
	}
}

// What is found for a row is a number, within its own range's reach, and what holds needs no
// explanation.
func TestRows(t *testing.T) {
	ran := 0
	for _, row := range evaluated(t).Rows {
		require.Equal(t, row.Ours == nil, row.Verdict == NotRun, row.ID)
		if row.Ours == nil {
			require.NotEmpty(t, row.Note, "a reason: %s", row.ID)
			continue
		}
		ran++
		require.False(t, math.IsNaN(*row.Ours) || math.IsInf(*row.Ours, 0), row.ID)
		require.LessOrEqual(t, *row.Low, *row.High, row.ID)
		require.Equal(t, row.Verdict == Explained, len(row.Because) > 0, row.ID)
	}
	require.Greater(t, ran, 250)
	require.Zero(t, evaluated(t).Count(Exact, Fails), "exact rows hold, or it is shown that the paper's are not")
}

// What is told of a time that does not hold makes it hold: each change, evaluated anew.
func TestExplanations(t *testing.T) {
	m, tried := machine.Default(), 0
	for _, p := range evaluated(t).Papers {
		for _, f := range p.Figures {
			for _, r := range f.Rows {
				tried += tryExplanations(t, m, p.Profile, r)
			}
		}
	}
	require.Greater(t, tried, 20)
}

func tryExplanations(t *testing.T, m *machine.Machine, profile string, r FigureRow) (tried int) {
	for _, c := range r.Cells {
		for _, id := range r.Records {
			row := rowOf(t, id)
			if c.profile.Name != profile || row.Verdict != Explained || strings.HasPrefix(row.Because[0], "constants together") || row.Class == Exact {
				continue
			}
			if partly, told, ok := strings.Cut(row.Because[0], "; with all: "); ok {
				require.Equal(t, "slices in part in a cache", partly)
				p := c.profile
				p.Slices = "cache"
				v := value(t, c.what(p))
				require.Equal(t, told, short(v), id)
				require.Negative(t, (c.Value-row.From)*(v-row.To), "on either side: %s", id)
				tried++
				continue
			}
			if len(r.readings) > 0 && strings.HasPrefix(row.Because[0], r.readings[0].name) {
				tryReading(t, row, c.profile, r.readings[0])
				tried++
				continue
			}
			for _, because := range []string{row.Because[0], row.Because[len(row.Because)-1]} {
				change, told, _ := strings.Cut(because, ": ")
				other, p := changed(t, m, c.profile, change)
				values, err := c.what(p)(&clock{variants: timing.Variants{other}, loads: new(once[string, load])})
				require.NoError(t, err)
				require.True(t, row.holds(values[0]), "%s, %s: %v", id, change, values[0])
				require.Equal(t, told, short(values[0]), "%s, %s", id, change)
				tried++
			}
		}
	}
	return tried
}

// tryReading finds that a row holds as its paper can be read, too, or that the paper has what is
// below the row.
func tryReading(t *testing.T, row Row, p timing.Profile, r reading) {
	if r.what == nil {
		most, err := strconv.ParseFloat(strings.TrimSuffix(r.name[strings.LastIndex(strings.TrimSuffix(r.name, " %"), " ")+1:], " %"), 64)
		require.NoError(t, err)
		require.Less(t, most, row.From, row.ID)
		return
	}
	v := value(t, r.what(p))
	require.True(t, row.holds(v), row.ID)
	require.Equal(t, r.name+": "+short(v), row.Because[0])
}

// rowOf is an evaluated row.
func rowOf(t *testing.T, id string) Row {
	i := slices.IndexFunc(evaluated(t).Rows, func(r Row) bool { return r.ID == id })
	require.GreaterOrEqual(t, i, 0, id)
	return evaluated(t).Rows[i]
}

// direct is the time of a mini-batch without what the package keeps, in ms.
func direct(t *testing.T, x mix, m *machine.Machine, p timing.Profile) float64 {
	sum := 0.0
	for _, part := range x {
		l, err := part.make()
		require.NoError(t, err)
		ms, err := l.time(m, p)
		require.NoError(t, err)
		sum += part.share * ms * 1e3
	}
	return sum
}

// changed is a machine and a profile after a change, or two, as it is told.
func changed(t *testing.T, m *machine.Machine, p timing.Profile, text string) (*machine.Machine, timing.Profile) {
	if first, second, two := strings.Cut(text, " and "); two {
		m, p = changed(t, m, p, first)
		text = second
	}
	name, value, _ := strings.Cut(text, " ")
	is := value == "true"
	switch name {
	case "profile":
		profile, err := timing.LoadProfile(value)
		require.NoError(t, err)
		return m, profile
	case "loader":
		p.Loader = value
	case "cpu":
		p.CPU = value
	case "launch":
		p.Launch = value
	case "tables":
		p.Tables = value
	case "copies":
		p.Copies = value
	case "hot_exchange":
		p.HotExchange = value
	case "processes":
		p.Processes = value
	case "slices":
		p.Slices = value
	case "misses":
		p.Misses = value
	case "replicate":
		p.Replicate = is
	case "pipelined":
		p.Pipelined = is
	default:
		v, err := strconv.ParseFloat(value, 64)
		require.NoError(t, err)
		m = m.With(name, v)
	}
	return m, p
}

// An order is that of the times, evaluated anew; it is the paper's if no two systems are the
// other way round; and the changes that are told turn these round.
func TestOrders(t *testing.T) {
	m := machine.Default()
	reversals := 0
	for _, p := range evaluated(t).Papers {
		require.NotEmpty(t, p.Orders, p.Name)
		for _, o := range p.Orders {
			for i, r := range o.Rows {
				times := map[string]float64{}
				for j, s := range r.Systems {
					times[s.System] = direct(t, o.mixes[s.System], m, o.profiles[i])
					require.InEpsilon(t, times[s.System], s.Value, 1e-9, "%s, %s, %s", o.Title, r.Profile, s.System)
					require.True(t, j == 0 || r.Systems[j-1].Value <= s.Value)
				}
				require.Len(t, times, len(o.Paper))
				same := true
				for _, a := range o.Paper {
					for _, b := range o.Paper {
						same = same && (a.Time >= b.Time || times[a.System] <= times[b.System])
					}
				}
				require.Equal(t, same, r.Same, "%s, %s", o.Title, r.Profile)
				require.Equal(t, same, len(r.Swapped) == 0, "%s, %s", o.Title, r.Profile)
				for _, s := range r.Swapped {
					reversals++
					require.Greater(t, times[s.Faster], times[s.Slower])
					require.Greater(t, s.Waits, s.Other, "%s waits longer for %s", s.Faster, s.Resource)
					for _, c := range s.Changes[:min(2, len(s.Changes))] {
						other, p := changed(t, m, o.profiles[i], c)
						require.LessOrEqual(t, direct(t, o.mixes[s.Faster], other, p), direct(t, o.mixes[s.Slower], other, p), "%s, %s: %s", o.Title, r.Profile, c)
					}
				}
			}
		}
	}
	require.Greater(t, reversals, 20)
}

// What the notes of EL-Rec's figures say of them.
func TestELRecBesideThePaper(t *testing.T) {
	f := figure(t, "EL-Rec Figure 11")
	require.InEpsilon(t, 3, f.cell(t, "fae-2022, loader hidden", "hybrid", "mean"), 0.2, "near")
	require.Less(t, f.cell(t, "sceptic", "hybrid", "mean"), 1., "slower")
	for _, column := range f.Columns {
		require.Greater(t, f.cell(t, column, "tt-rec", "mean"), 1.4, "too much")
	}
	f = figure(t, "EL-Rec Figure 12")
	for _, column := range []string{"fae-2022", "fae-2022, loader hidden", "hotline-2024-a"} {
		require.Greater(t, f.cell(t, column, "dlrm-gpus", "mean"), 1., "DLRM has one process")
	}
	for _, column := range []string{"hotline-2024-b", "sceptic", "sceptic-pipelined"} {
		require.Less(t, f.cell(t, column, "dlrm-gpus", "mean"), 1., "DLRM has a process for each GPU")
	}
	f = figure(t, "EL-Rec Figure 16")
	require.InDelta(t, 1, f.cell(t, "fae-2022", "queues of 1", "mean"), 0.005, "queues gain nothing")
	f = figure(t, "EL-Rec Figure 13")
	for _, r := range f.Rows {
		paper, err := strconv.ParseFloat(r.Paper[0], 64)
		require.NoError(t, err)
		require.InEpsilon(t, paper, f.cell(t, "sceptic", r.Labels...), 0.5)
	}
}

// And of others: FAE's TBSM takes about twice as long in the paper; a gather of Hotline's
// is hidden with the software of the papers.
func TestNotes(t *testing.T) {
	f := figure(t, "FAE Table 5")
	for _, r := range f.Rows[:3] {
		require.InEpsilon(t, number(r.Records[0]), 2*r.Cells[0].Value, 0.15, r.Labels)
	}
	f = figure(t, "Hotline Figure 25")
	require.InDelta(t, 1, f.cell(t, "hotline-2024-a", "30 %"), 0.005)
	require.Greater(t, f.cell(t, "sceptic", "30 %"), 1.1)
	f = figure(t, "cDLRM Figure 3")
	require.InEpsilon(t, f.cell(t, "fae-2022", "50", "1"), f.cell(t, "fae-2022", "50", "8"), 0.05, "victims take about as much more")
	for _, column := range f.Columns {
		require.Less(t, f.cell(t, column, "5000", "8"), f.cell(t, column, "5000", "1"), "falls")
	}
}

// Two runs find the same, whatever is found with them; a name that there is not is told, with those
// that there are.
func TestReproduce(t *testing.T) {
	r, err := Reproduce(t.Context(), Options{Machine: machine.Default(), What: []string{"cdlrm/figure-1b", "elrec/table-iii"}})
	require.NoError(t, err)
	require.Len(t, r.Papers, 2)
	for _, row := range r.Rows {
		require.Equal(t, rowOf(t, row.ID), row)
	}
	require.Len(t, r.Rows, 9)
	require.EqualError(t, Check([]string{"dlrm"}), `nothing is called "dlrm", expected hotline, fae, cdlrm, elrec, scratchpipe, or PAPER/ITEM as in hotline/table-ii`)
	require.ErrorContains(t, Check([]string{"cdlrm/table-9"}), `nothing is called "cdlrm/table-9", expected cdlrm/figure-1b, cdlrm/table-1a, `)
	require.Error(t, Check([]string{"fae/table-"}), "the beginning of a word")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Reproduce(ctx, Options{Machine: machine.Default(), What: []string{"fae/table-5"}})
	require.ErrorIs(t, err, context.Canceled)
}

// What was found is found again in the folder, by the same program on the same machine only, and
// if its file is whole.
func TestCache(t *testing.T) {
	m := machine.Default()
	c := Cache{Dir: t.TempDir(), Program: "this one"}
	o := Options{Machine: m, What: []string{"fae/table-2", "fae/table-7/copied-by-dlrm"}, Cache: c}
	first, err := Reproduce(t.Context(), o)
	require.NoError(t, err)
	again, err := Reproduce(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, first, again)

	f, ok := c.get("fae sizes", m)
	require.True(t, ok)
	f.Outcomes[0].Ours = 1e9
	require.NoError(t, c.put("fae sizes", m, f))
	marked, err := Reproduce(t.Context(), o)
	require.NoError(t, err)
	require.NotEqual(t, first, marked, "it was read")
	for _, other := range []struct {
		c Cache
		m *machine.Machine
	}{{Cache{Dir: c.Dir, Program: "another"}, m}, {c, m.With("dispatch_us", 7)}} {
		_, ok := other.c.get("fae sizes", other.m)
		require.False(t, ok)
	}
	require.NoError(t, os.WriteFile(c.path("fae sizes", m), []byte(`{"outcomes": [`), 0o600))
	mended, err := Reproduce(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, first, mended)
	figure, err := Reproduce(t.Context(), Options{Machine: m, What: []string{"cdlrm/figure-1b"}, Cache: c})
	require.NoError(t, err)
	kept, err := Reproduce(t.Context(), Options{Machine: m, What: []string{"cdlrm/figure-1b"}, Cache: c})
	require.NoError(t, err)
	var a, b strings.Builder
	require.NoError(t, Print(&a, figure, m))
	require.NoError(t, Print(&b, kept, m))
	require.Equal(t, a.String(), b.String(), "figures and orders, too")

	interrupted := Options{Machine: m, What: []string{"fae/table-2", "scratchpipe/table-i", "cdlrm/figure-1b", "elrec/table-iii"}, Cache: Cache{Dir: t.TempDir()}}
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
	require.NotEmpty(t, part.Rows, "of the experiments that are done")
	for _, row := range part.Rows {
		require.NotNil(t, row.Ours, row.ID)
	}
	left, err := os.ReadDir(interrupted.Cache.Dir)
	require.NoError(t, err)
	require.NotEmpty(t, left, "what was done before the interrupt is kept")
	var unkept []error
	lost, err := Reproduce(t.Context(), Options{
		Machine: m, What: []string{"fae/table-2", "fae/table-7/copied-by-dlrm"}, Cache: Cache{Dir: "document_test.go/folder"},
		Unkept: func(err error) { unkept = append(unkept, err) },
	})
	require.NoError(t, err)
	require.Equal(t, first.Rows, lost.Rows, "a cache that cannot be written loses no result")
	require.Len(t, unkept, 1, "said once")
	require.ErrorContains(t, unkept[0], `cannot be kept: `)

	old := time.Now().Add(-2 * unused)
	require.NoError(t, os.Chtimes(c.path("fae sizes", m), old, old))
	require.NoError(t, c.put("another", m, Finding{}))
	_, ok = c.get("fae sizes", m)
	require.False(t, ok, "what nobody asks for goes")
}

// Steps are done all, in any order; the first error ends it.
func TestInParallel(t *testing.T) {
	var mu sync.Mutex
	var done, told []int
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
		told = append(told, n)
	}))
	require.Len(t, done, 20)
	require.True(t, slices.IsSorted(told))
	broken := fmt.Errorf("broken")
	require.ErrorIs(t, inParallel(t.Context(), []step{func() error { return broken }, func() error { return nil }}, nil), broken)
}

// A source is made and timed once for a software, whatever that is called.
func TestClock(t *testing.T) {
	k, made := newClock(machine.Default()), 0
	s := source{"one", func() (load, error) {
		made++
		return steady(timing.Hybrid, presets("rm2")[0], 1, timing.Work{Inputs: perGPU}, usual), nil
	}}
	p := loaded(t, "sceptic")
	first, err := k.source(s, p)
	require.NoError(t, err)
	p.Name, p.Title = "other", "other"
	again, err := k.source(s, p)
	require.NoError(t, err)
	require.Same(t, &first[0], &again[0])
	p.Launch = "eager"
	_, err = k.source(s, p)
	require.NoError(t, err)
	require.Equal(t, 1, made)
	require.Len(t, k.timed.made, 2)
}
