package sim_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

func hash[P any](t *testing.T, g hw.Generator[P]) string {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return sim.Hash(d)
}

func TestHash(t *testing.T) {
	seen := map[string]bool{}
	for _, h := range []string{
		hash(t, simtest.FIFO{Width: 8, Depth: 4}), hash(t, simtest.FIFO{Width: 9, Depth: 4}), hash(t, simtest.FIFO{Width: 8, Depth: 8}),
		hash(t, simtest.FIFOArray{Lanes: 2, Width: 8, Depth: 4}), hash(t, simtest.ALU{Width: 8}),
		hash(t, same{1, "a", false, false}), hash(t, same{2, "a", false, false}), hash(t, same{1, "b", false, false}),
		hash(t, same{1, "a", true, false}),
	} {
		require.Len(t, h, 32)
		require.False(t, seen[h])
		seen[h] = true
	}
	with, err := hw.Elaborate(simtest.Resets{Lanes: 1})
	require.NoError(t, err)
	without, err := hw.Elaborate(simtest.Resets{Lanes: 1})
	require.NoError(t, err)
	for _, in := range without.Top.Body.Insts {
		in.Reset = nil
	}
	require.NotEqual(t, sim.Hash(with), sim.Hash(without))
	with, err = hw.Elaborate(simtest.FIFO{Width: 8, Depth: 4})
	require.NoError(t, err)
	with.Top.Body.Mems[0].Init = []uint64{1, 0, 0, 0}
	require.NotEqual(t, hash(t, simtest.FIFO{Width: 8, Depth: 4}), sim.Hash(with))
	require.Equal(t, hash(t, same{1, "a", false, false}), hash(t, same{1, "a", false, true}), "positions and comments do not count")
}

// same is a module whose name does not depend on its parameters.
type same struct {
	Init    uint64
	Name    string
	Swapped bool
	Moved   bool
}

func (same) ModuleName() string { return "same" }

func (p same) Build(m *hw.Module) struct{ X, Q hw.Bits } {
	io := struct{ X, Q hw.Bits }{m.In("x", 4), m.Out("q", 4)}
	r := m.Reg("r_"+p.Name, 4, p.Init)
	if p.Moved {
		m.Doc("moved")
		r.Set(r.Sub(io.X))
	} else if p.Swapped {
		r.Set(io.X.Sub(r))
	} else {
		r.Set(r.Sub(io.X))
	}
	io.Q.Set(r)
	return io
}

// TestHashProcess checks that another process computes the same hash.
func TestHashProcess(t *testing.T) {
	if os.Getenv("HASH_CHILD") != "" {
		os.Stdout.WriteString("hash " + sim.Hash(random.Random(1, random.Options{Size: 8, Levels: 2})) + "\n")
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestHashProcess$")
	cmd.Env = append(os.Environ(), "HASH_CHILD=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	_, rest, ok := strings.Cut(string(out), "hash ")
	require.True(t, ok)
	require.Equal(t, sim.Hash(random.Random(1, random.Options{Size: 8, Levels: 2})), rest[:32])
}
