package models

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/models/small"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/external"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
)

func design(t *testing.T, p arch.Params) *ir.Design {
	d, err := hw.Elaborate(top.Hotline{Params: p})
	require.NoError(t, err)
	return d
}

// TestOneModel: importing this package makes the model of the configuration small
// available, and no other model is committed.
func TestOneModel(t *testing.T) {
	var got []string
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() {
			got = append(got, e.Name())
		}
	}
	require.Equal(t, []string{"small"}, got)
	_, ok := compiled.Find(design(t, arch.Small()))
	require.True(t, ok)
	_, ok = compiled.Find(design(t, arch.Paper()))
	require.False(t, ok)
}

// TestFresh: the committed model is identical to the output of the generator for the current
// hardware.
func TestFresh(t *testing.T) {
	files, err := gosim.Generate(design(t, arch.Small()), "small")
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join("small", f.Name))
		require.NoError(t, err)
		require.True(t, string(text) == f.Text, "small/%s is stale; run go generate ./hw/hotline/models", f.Name)
	}
	entries, err := os.ReadDir("small")
	require.NoError(t, err)
	require.Len(t, entries, len(files), "files in small")
}

// TestLockstep: under random stimulus, ports and all registers of the model have the same values as
// in the interpreter. (Training runs in co-simulation exercise them fully.)
func TestLockstep(t *testing.T) {
	d := design(t, arch.Small())
	m, ok := compiled.Find(d)
	require.True(t, ok, "the model is stale; run go generate ./hw/hotline/models")
	l, reference := lockstep(t, d, sim.Engine{Name: "model", Simulator: m})
	require.NoError(t, sim.Drive(l, sim.Random(sim.NewFormat(l.Ports()), 1), 20000))
	require.NoError(t, l.CompareMemories())
	require.Len(t, m.(sim.Inspector).State(), len(reference.State()))
}

// TestLockstepAtPaperScale: the ports of a model built during the test have the same values as in
// the interpreter.
func TestLockstepAtPaperScale(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a model")
	}
	d := design(t, arch.Paper())
	m, err := external.Model(d, "")
	require.NoError(t, err)
	defer m.Close()
	l, _ := lockstep(t, d, sim.Engine{Name: "model", Simulator: m})
	require.NoError(t, sim.Drive(l, sim.Random(sim.NewFormat(l.Ports()), 1), 1000))
}

// lockstep runs an engine together with the interpreter, from the same state.
func lockstep(t *testing.T, d *ir.Design, e sim.Engine) (*sim.Lockstep, *interp.Sim) {
	reference, err := interp.New(d)
	require.NoError(t, err)
	sim.PowerUp(reference, 1)
	sim.PowerUp(e.Simulator.(sim.Writable), 1)
	l, err := sim.NewLockstep(d, sim.Engine{Name: "interp", Simulator: reference}, e)
	require.NoError(t, err)
	return l, reference
}

// history stores the recorded changes by the path of the signal.
type history struct {
	names   []string
	cycle   uint64
	changes map[string][]string
}

func (h *history) Begin(_ string, signals []wave.Signal) error {
	h.changes = map[string][]string{}
	for _, s := range signals {
		h.names = append(h.names, strings.Join(s.Path, "."))
	}
	return nil
}

func (h *history) Cycle(n uint64) { h.cycle = n }

func (h *history) Change(signal int, value []uint64) {
	name := h.names[signal]
	h.changes[name] = append(h.changes[name], fmt.Sprint(h.cycle, value))
}

// TestRecord: a model records the same changes of registers and reset as the interpreter, also
// around a restored snapshot.
func TestRecord(t *testing.T) {
	d := design(t, arch.Small())
	var got, want history
	m := small.New(small.Options{})
	require.NoError(t, m.Record(&got))
	reference, err := interp.New(d, interp.Record(&want), interp.AllSignals())
	require.NoError(t, err)
	format := sim.NewFormat(m.Ports())
	for _, s := range []sim.Simulator{m, reference} {
		require.NoError(t, sim.Drive(s, sim.Random(format, 3), 1500))
	}
	require.Contains(t, got.names, "rst")
	registers := 0
	for _, x := range m.State() {
		if x.Depth == 0 {
			registers++
			require.Equal(t, want.changes[x.Path], got.changes[x.Path], x.Path)
		}
	}
	require.Greater(t, registers, 1000)
	require.Equal(t, want.changes["rst"], got.changes["rst"])

	earlier := m.Snapshot()
	require.NoError(t, sim.Drive(m, sim.Random(format, 4), 200))
	now := map[string][]uint64{}
	m.Restore(earlier)
	for _, x := range m.State() {
		if x.Depth == 0 {
			value, _ := m.Peek(x.Path)
			now[x.Path] = slices.Clone(value)
		}
	}
	cycle := m.Cycle()
	require.NoError(t, m.Step())
	for path, value := range now {
		last := got.changes[path][len(got.changes[path])-1]
		require.Contains(t, last, fmt.Sprint(value), path)
	}
	require.Equal(t, cycle, got.cycle)
}

// TestRecordSkipped: skipped cycles are recorded as if they were executed one by one.
func TestRecordSkipped(t *testing.T) {
	d := design(t, arch.Small())
	type engine interface {
		sim.Simulator
		sim.Skipper
	}
	engines := map[string]func(h *history) engine{
		"model": func(h *history) engine {
			m := small.New(small.Options{})
			require.NoError(t, m.Record(h))
			return m
		},
		"interp": func(h *history) engine {
			s, err := interp.New(d, interp.Record(h))
			require.NoError(t, err)
			return s
		},
	}
	for name, make := range engines {
		skipped := 0
		record := func(skips bool) map[string][]string {
			var h history
			s := make(&h)
			for c := range 2000 {
				s.SetReset(c < 20 || 1900 < c && c < 1950)
				if skips && s.Quiet() {
					s.Skip(1)
					skipped++
				} else {
					require.NoError(t, s.Step())
				}
			}
			return h.changes
		}
		require.Equal(t, record(false), record(true), name)
		require.Greater(t, skipped, 100, name)
	}
}
