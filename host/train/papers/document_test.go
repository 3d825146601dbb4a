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

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// everything is all papers on the default machine, evaluated once.
var everything = sync.OnceValues(func() ([]Paper, error) {
	return Evaluate(context.Background(), machine.Default(), Names(), nil)
})

func evaluated(t *testing.T) []Paper {
	list, err := everything()
	require.NoError(t, err)
	return list
}

// figure is one of the evaluated ones.
func figure(t *testing.T, name string) Figure {
	for _, p := range evaluated(t) {
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

// The document is what the program prints, to the last figure.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/papers.md")
	require.NoError(t, err)
	var printed strings.Builder
	require.NoError(t, Print(&printed, evaluated(t)))
	title, document, _ := strings.Cut(string(text), "\n")
	require.Equal(t, "# The papers, on machine v100", title)
	require.Equal(t, document, printed.String())
}

// A result is the same if it is within its tolerance, and what is not the same has a reason;
// what is not published is compared with nothing.
func TestResults(t *testing.T) {
	for _, p := range evaluated(t) {
		require.Equal(t, slices.Contains(Names(), p.Name), true)
		require.NotEmpty(t, p.Results, p.Name)
		seen := map[string]bool{}
		for _, r := range p.Results {
			require.False(t, seen[r.Name], "twice: %s", r.Name)
			seen[r.Name] = true
			require.Equal(t, r.Paper == "", r.Same == nil, r.Name)
			require.False(t, math.IsNaN(r.Ours) || math.IsInf(r.Ours, 0), r.Name)
			if r.Same != nil {
				require.Equal(t, r.Ours >= r.Low && r.Ours <= r.High, *r.Same, r.Name)
				require.True(t, *r.Same || r.Note != "", "no reason: %s", r.Name)
			}
		}
	}
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

// changed is a machine and a profile after a change as it is told.
func changed(t *testing.T, m *machine.Machine, p timing.Profile, text string) (*machine.Machine, timing.Profile) {
	name, value, _ := strings.Cut(text, " ")
	is := value == "true"
	switch name {
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
	for _, p := range evaluated(t) {
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
	for _, column := range f.Columns {
		require.Less(t, f.cell(t, column, "hugectr", "mean"), 1., "slower with every software")
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

// And of others: FAE's TBSM takes more than twice as long in the paper; a gather of Hotline's
// is hidden with the software of the papers.
func TestNotes(t *testing.T) {
	f := figure(t, "FAE Table 5")
	for _, r := range f.Rows[:2] {
		paper, err := strconv.ParseFloat(r.Paper[0], 64)
		require.NoError(t, err)
		require.Greater(t, paper, 1.8*r.Cells[0].Value, r.Labels)
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

// Two runs print the same, whatever is evaluated with them; a paper that there is not is told.
func TestEvaluate(t *testing.T) {
	text := func(names ...string) string {
		list, err := Evaluate(t.Context(), machine.Default(), names, nil)
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, Print(&b, list[len(list)-1:]))
		return b.String()
	}
	var whole strings.Builder
	require.NoError(t, Print(&whole, evaluated(t)[2:3]))
	require.Equal(t, whole.String(), text("cdlrm"))
	_, err := Evaluate(t.Context(), machine.Default(), []string{"dlrm"}, nil)
	require.EqualError(t, err, `there is no paper "dlrm", expected hotline, fae, cdlrm, elrec, scratchpipe`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Evaluate(ctx, machine.Default(), []string{"fae"}, nil)
	require.ErrorIs(t, err, context.Canceled)
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
