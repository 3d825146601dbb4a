package cover

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	_ "github.com/hotline-rtl/hotline/hw/hotline/models/small"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// counter counts events up to 12 and has a separate state when it is full.
type counter struct{}

type counterPorts struct{ Tick, Count hw.Bits }

func (counter) Build(m *hw.Module) counterPorts {
	io := counterPorts{Tick: m.In("tick", 1), Count: m.Out("count", 4)}
	st := hw.FSM[struct{ Counting, Full, Lost hw.State }](m, "state")
	count := m.Reg("count_q", 4, 0)
	io.Count.Set(count)
	st.Counting.Do(func() {
		m.When(io.Tick, func() {
			count.Set(count.Inc())
			m.Cover(count.Eq(hw.K(3)), "the fourth event")
			m.When(count.Eq(hw.K(11)), st.Full.Next)
		})
	})
	st.Full.Do(func() { m.When(io.Tick, st.Lost.Next) })
	st.Lost.Do(nil)
	m.For("covered_0", 2, func(i hw.Index) {
		m.Cover(count.Eq(i.Bits(4).Add(hw.K(5))), "five or six")
	})
	return io
}

// pair has two counters.
type pair struct{}

type pairPorts struct{ Ticks, Counts hw.Vec }

func (pair) Build(m *hw.Module) pairPorts {
	io := pairPorts{Ticks: m.InVec("ticks", 2, 1), Counts: m.OutVec("counts", 2, 4)}
	m.For("each", 2, func(i hw.Index) {
		c := hw.Inst(m, "counter", counter{})
		c.Tick.Set(io.Ticks.At(i))
		io.Counts.At(i).Set(c.Count)
	})
	return io
}

// watch runs the pair with the given number of events for each counter and returns the record.
func watch(t *testing.T, reset bool, events ...int) *Record {
	t.Helper()
	d, err := hw.Elaborate(pair{})
	require.NoError(t, err)
	p, err := Of(d)
	require.NoError(t, err)
	require.Empty(t, ir.Verify(p.Design))
	r := p.Recorder()
	s, err := interp.New(p.Design, interp.Record(r))
	require.NoError(t, err)
	sim.PowerUp(s, 7)
	s.SetReset(true)
	require.NoError(t, s.Step())
	s.SetReset(!reset)
	for cycle := range 20 {
		mask := uint64(0)
		for i, n := range events {
			if cycle < n {
				mask |= 1 << i
			}
		}
		sim.Find(s, "ticks").Set(mask)
		require.NoError(t, s.Step())
	}
	return r.Record()
}

// report returns the output of Print.
func report(t *testing.T, r *Record) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.Print(&b))
	return b.String()
}

// here returns the position of a text in this file.
func here(t *testing.T, text string) string {
	t.Helper()
	source, err := os.ReadFile("cover_test.go")
	require.NoError(t, err)
	before, _, found := strings.Cut(string(source), text)
	require.True(t, found)
	return fmt.Sprintf("cover/cover_test.go:%d", strings.Count(before, "\n")+1)
}

func TestReport(t *testing.T) {
	require.Equal(t, `Coverage of pair: 1 runs, 21 cycles.

| module | bits that rose and fell | values | conditions |
| --- | ---: | ---: | ---: |
| counter | 2 of 8 (25.0 %) | 2 of 6 (33.3 %) | 3 of 6 (50.0 %) |
| pair | 2 of 10 (20.0 %) |  |  |
| all | 4 of 18 (22.2 %) | 2 of 6 (33.3 %) | 3 of 6 (50.0 %) |

Never, in no instance:

counter

- `+"`count_q` ("+here(t, `count := m.Reg`)+`): 3 never changes; 2 never falls
- `+"`state` ("+here(t, `st := hw.FSM`)+`): never full, lost

pair

- `+"`counts` ("+here(t, `Counts: m.OutVec`)+`): 7:3 never changes; 2 never falls
- `+"`ticks` ("+here(t, `Ticks: m.InVec`)+`): 1 never changes; 0 never rises
`, report(t, watch(t, true, 6)))
}

// TestMerge: a merged record combines the coverage of both runs.
func TestMerge(t *testing.T) {
	a, b := watch(t, true, 4), watch(t, true, 0, 13)
	all := *watch(t, true, 4)
	require.NoError(t, all.Merge(b))
	require.Equal(t, 2, all.Runs)
	require.Equal(t, a.Cycles+b.Cycles, all.Cycles)
	_, sum := all.Modules()
	_, first := a.Modules()
	require.Greater(t, sum.Bits.Seen, first.Bits.Seen)
	require.Equal(t, 4, sum.Values.Seen)

	d, err := hw.Elaborate(counter{})
	require.NoError(t, err)
	p, err := Of(d)
	require.NoError(t, err)
	require.ErrorContains(t, all.Merge(p.Recorder().Record()), "records of two designs, pair (")

	// These records claim the same design but have different entries.
	for name, change := range map[string]func(*Record){
		"order": func(r *Record) { slices.Reverse(r.Bits) },
		"fewer": func(r *Record) { r.Values = r.Values[1:] },
		"width": func(r *Record) { r.Bits[0].Width, r.Bits[0].Rise, r.Bits[0].Fall = 65, Mask{0, 0}, Mask{0, 0} },
		"names": func(r *Record) {
			r.Values[0].Names, r.Values[0].Seen = append(r.Values[0].Names, "NEVER"), append(r.Values[0].Seen, true)
		},
		"condition": func(r *Record) { r.Conditions[0].Text += "!" },
	} {
		other := watch(t, true, 4)
		change(other)
		require.ErrorContains(t, watch(t, true, 4).Merge(other), "in which not the same counts", name)
	}
}

// TestReset: nothing counts before and during the reset.
func TestReset(t *testing.T) {
	_, all := watch(t, false, 20, 20).Modules()
	require.Zero(t, all.Bits.Seen+all.Values.Seen+all.Conditions.Seen)
	_, all = watch(t, true).Modules()
	require.Zero(t, all.Bits.Seen)
	require.Equal(t, 2, all.Values.Seen, "each counter counts")

	d, err := hw.Elaborate(pair{})
	require.NoError(t, err)
	p, err := Of(d)
	require.NoError(t, err)
	_, all = p.Recorder().Record().Modules()
	require.Zero(t, all.Values.Seen, "nothing was simulated")
}

// TestFiles: a file contains the complete record, and Load rejects an invalid file.
func TestFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "seen.json")
	want := watch(t, true, 9, 2)
	require.NoError(t, want.Save(file))
	got, err := Load(file)
	require.NoError(t, err)
	require.Equal(t, want, got)

	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{`"hotline.cover/1"`, `"hotline.cover/9"`, `schema is "hotline.cover/9", expected "hotline.cover/1"; record the coverage again with --cover`},
		{`"width": 4`, `"width": 65`, `expected numbers of 65 bits, with 16 digits for each 64`},
		{`"rise": "000000000000`, `"rise": "00000000000`, `has 15 digits, expected 16 for each 64 bits`},
		{`"rise": "00`, `"rise": "0x`, `is not a hexadecimal number`},
		{`"counting",`, ``, `expected as many names as values`},
		{`{`, `[`, `not a record of coverage`},
	} {
		require.Contains(t, string(text), c.old)
		require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o644))
		_, err := Load(file)
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, err, file)
	}
	_, err = Load(file + "x")
	require.ErrorContains(t, err, file+"x")
}

// TestEngines: a compiled model and the interpreter give the same coverage.
func TestEngines(t *testing.T) {
	d, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	require.NoError(t, err)
	m, ok := compiled.Find(d)
	require.True(t, ok)
	p := &Plan{Design: d, at: map[string]int{}}
	require.NoError(t, p.list())
	run := func(s sim.Simulator) {
		sim.PowerUp(s.(sim.Writable), 3)
		require.NoError(t, simtest.Run(s, 3, 300, func() error { return nil }))
	}
	a, b := p.Recorder(), p.Recorder()
	require.NoError(t, m.Record(a))
	run(m)
	s, err := interp.New(d, interp.Record(b))
	require.NoError(t, err)
	run(s)
	require.Equal(t, b.Record(), a.Record())
	_, all := a.Record().Modules()
	require.Greater(t, all.Bits.Seen, 500)
}
