package models

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/interp"
)

var shipped = map[string]arch.Params{"small": arch.Small(), "paper": arch.Paper()}

// The committed models are those that the generator makes of today's hardware.
func TestFresh(t *testing.T) {
	for name, p := range shipped {
		d, err := hw.Elaborate(top.Hotline{Params: p})
		require.NoError(t, err)
		files, err := gosim.Generate(d, name)
		require.NoError(t, err)
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(name, f.Name))
			require.NoError(t, err)
			require.True(t, string(text) == f.Text, "%s/%s is stale; run go generate ./sim/models", name, f.Name)
		}
		entries, err := os.ReadDir(name)
		require.NoError(t, err)
		require.Len(t, entries, len(files), "files in %s", name)
	}
}

// Ports and all registers of the models equal the interpreter's under random
// stimulus. (Training runs in co-simulation exercise them fully.)
func TestLockstep(t *testing.T) {
	for name, cycles := range map[string]uint64{"small": 20000, "paper": 1000} {
		d, err := hw.Elaborate(top.Hotline{Params: shipped[name]})
		require.NoError(t, err)
		m, ok := compiled.Find(d)
		require.True(t, ok, "the model of %s is stale; run go generate ./sim/models", name)
		reference, err := interp.New(d)
		require.NoError(t, err)
		l, err := sim.NewLockstep(d, sim.Engine{Name: "interp", Simulator: reference}, sim.Engine{Name: name, Simulator: m})
		require.NoError(t, err)
		require.NoError(t, sim.Drive(l, sim.Random(sim.NewFormat(l.Ports()), 1), cycles))
		require.NoError(t, l.CompareMemories())
		require.Len(t, m.(sim.Inspector).State(), len(reference.State()))
	}
}
