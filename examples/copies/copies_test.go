package copies_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/copies"
	"github.com/hotline-rtl/hotline/examples/copies/cores"
	"github.com/hotline-rtl/hotline/examples/rv32i"
	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/campaign"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
)

func design(t *testing.T) *ir.Design {
	d, err := hw.Elaborate(rv32i.Core{})
	require.NoError(t, err)
	return d
}

func TestRandomInstructions(t *testing.T) { require.NoError(t, copies.Run(1, 1000)) }

// TestFresh: the generated package is up to date with the core and the generator.
func TestFresh(t *testing.T) {
	files, err := gosim.GenerateCopies(design(t), 64, "cores")
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join("cores", f.Name))
		require.NoError(t, err)
		require.Equal(t, f.Text, string(text), "%s is stale: go generate ./examples/copies", f.Name)
	}
}

// halts feeds ebreak to some seeds at a late cycle. Higher seeds halt earlier.
type halts struct {
	campaign.Player
	c    sim.Copy
	seed uint64
}

func (h halts) Drive(cycle int) {
	h.Player.Drive(cycle)
	if h.seed%100 == 77 && cycle == 190-2*int(h.seed/100) {
		for i, p := range h.c.Ports() {
			if p.Name == "memory_word" {
				h.c.Set(i, []uint64{0x00100073})
				return
			}
		}
	}
}

// TestLowestFailure: a campaign finds the lowest failing seed with any number of processors, and
// this seed fails in the same way in a single core.
func TestLowestFailure(t *testing.T) {
	test := copies.Test
	test.Begin = func(c sim.Copy, seed uint64) campaign.Player {
		return halts{copies.Test.Begin(c, seed), c, seed}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var found []campaign.Failure
	for _, n := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(n)
		var f *campaign.Failure
		require.ErrorAs(t, campaign.Run(test, copies.New, 100, 900), &f)
		found = append(found, *f)
	}
	s, err := interp.New(design(t))
	require.NoError(t, err)
	var alone *campaign.Failure
	require.ErrorAs(t, campaign.Repeat(test, s, 177), &alone)
	require.Equal(t, errors.New("the core has halted").Error(), alone.Err.Error())
	for _, f := range found {
		require.Equal(t, *alone, f)
	}
	require.NoError(t, campaign.Repeat(test, s, 178))
}

// TestCopies: an instance is independent of the others, with its own inputs, reset and state.
func TestCopies(t *testing.T) {
	m := cores.New(cores.Options{})
	m.In.Rst = [cores.Copies]bool{5: true}
	for i := range cores.Copies {
		sim.PowerUp(m.Copy(i), uint64(i))
	}
	require.NoError(t, m.Step())
	five := m.Copy(5).(cores.Copy)
	pc, ok := five.Peek("pc")
	require.True(t, ok)
	require.Equal(t, []uint64{0}, pc)
	require.True(t, five.Poke("pc", []uint64{8}))
	pc, _ = five.Peek("pc")
	require.Equal(t, []uint64{8}, pc)
	require.False(t, five.Poke("registers", []uint64{8}))
	require.True(t, five.PokeMem("x", 31, []uint64{7}))
	require.False(t, five.PokeMem("x", 32, []uint64{7}))
	for i, want := range map[int]bool{4: false, 5: true, 6: false} {
		x, ok := m.Copy(i).(cores.Copy).PeekMem("x", 31)
		require.True(t, ok)
		require.Equal(t, want, x[0] == 7, "copy %d", i)
	}
	before := m.Snapshot()
	m.In.MemoryWord[9] = 0x00100093 // addi x1, x0, 1
	require.NoError(t, m.Run(4))
	after := m.Out
	m.Restore(before)
	m.In.MemoryWord[9] = 0x00100093
	require.NoError(t, m.Run(4))
	m.Eval()
	require.Equal(t, after.MemoryAddress, m.Out.MemoryAddress)

	data, err := before.MarshalBinary()
	require.NoError(t, err)
	var same cores.Snapshot
	require.NoError(t, same.UnmarshalBinary(data))
	m.Restore(before)
	other := cores.New(cores.Options{})
	other.Restore(&same)
	require.Equal(t, m.In, other.In)
	require.Equal(t, m.Cycle(), other.Cycle())
	for range 4 {
		require.NoError(t, m.Step())
		require.NoError(t, other.Step())
		m.Eval()
		other.Eval()
		require.Equal(t, m.Out, other.Out)
	}
	require.ErrorContains(t, same.UnmarshalBinary(data[:9]), "the snapshot is damaged: ")

	one, err := interp.New(design(t))
	require.NoError(t, err)
	data, err = model.Marshal(one, false, ir.Hash(design(t)))
	require.NoError(t, err)
	require.ErrorContains(t, same.UnmarshalBinary(data), "the snapshot is of design ", "a single core")
}

// TestResetOfAll: the common reset of all instances works in addition to their own resets, for
// every target.
func TestResetOfAll(t *testing.T) {
	for _, l := range model.Levels() {
		m := cores.New(cores.Options{Level: l})
		for i := range cores.Copies {
			sim.PowerUp(m.Copy(i), uint64(i))
		}
		x, _ := m.Copy(7).(cores.Copy).PeekMem("x", 3)
		before := slices.Clone(x)
		m.Reset = true
		require.NoError(t, m.Step())
		for i := range cores.Copies {
			pc, _ := m.Copy(i).(cores.Copy).Peek("pc")
			require.Equal(t, []uint64{0}, pc, "%s, copy %d", l, i)
		}
		x, _ = m.Copy(7).(cores.Copy).PeekMem("x", 3)
		require.Equal(t, before, x, "a memory has no reset")
		m.Eval()
		require.Equal(t, [cores.Copies]uint32{}, m.Out.MemoryAddress, l)
	}
}

// feed feeds a random instruction to each core, the same in all models.
func feed(r *rand.Rand, models []*cores.Model) {
	for i := range cores.Copies {
		word := r.Uint32()&^0x7f | uint32(rv32i.OpImm)
		for _, m := range models {
			m.In.MemoryWord[i] = word
		}
	}
}

// TestSnapshotsOfLevels: a model can continue from a snapshot taken with another target, whose
// kernels differ, also while it is recorded.
func TestSnapshotsOfLevels(t *testing.T) {
	for _, from := range model.Levels() {
		for _, to := range model.Levels() {
			models := []*cores.Model{cores.New(cores.Options{Level: from}), cores.New(cores.Options{Level: to}), cores.New(cores.Options{Level: to})}
			require.NoError(t, models[2].Record(nothing{}))
			for i := range cores.Copies {
				sim.PowerUp(models[0].Copy(i), uint64(i))
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range 10 {
				feed(r, models)
				require.NoError(t, models[0].Step())
			}
			for _, m := range models[1:] {
				require.NoError(t, m.Step(), "whatever it has done before")
				m.Eval()
				m.Restore(models[0].Snapshot())
			}
			for range 10 {
				feed(r, models)
				for _, m := range models {
					m.Eval()
					require.Equal(t, models[0].Out, m.Out, "%s to %s", from, to)
					require.NoError(t, m.Step())
				}
			}
			for i, x := range models[0].State() {
				for w := range max(1, x.Depth) {
					want := slices.Clone(models[0].Read(i, w))
					require.Equal(t, want, models[1].Read(i, w), x.Path)
					require.Equal(t, want, models[2].Read(i, w), x.Path)
				}
			}
		}
	}
}

// nothing is a recorder that discards everything.
type nothing struct{}

func (nothing) Begin(string, []wave.Signal) error { return nil }
func (nothing) Cycle(uint64)                      {}
func (nothing) Change(int, []uint64)              {}

// TestQuiet: halted cores are idle for every target, and idle cores skip many cycles.
func TestQuiet(t *testing.T) {
	for _, l := range model.Levels() {
		m := cores.New(cores.Options{Level: l})
		for i := range m.In.MemoryWord {
			m.In.MemoryWord[i] = 0x00100073 // ebreak
		}
		require.False(t, m.Quiet(), l)
		require.NoError(t, m.Run(1<<50))
		require.Equal(t, uint64(1)<<50, m.Cycle(), l)
		require.True(t, m.Quiet(), l)
		m.Eval()
		require.True(t, m.Out.Halted[63], l)
		m.In.Rst[3] = true
		require.False(t, m.Quiet(), l)
		require.NoError(t, m.Step())
		m.Eval()
		require.False(t, m.Out.Halted[3], l)
		require.True(t, m.Out.Halted[4], l)
	}
}

// TestInputsInPlace: for every target, a model reads inputs in the caller's memory without copying
// them, and only operations that set inputs write there. A model restored from a snapshot has its
// own inputs again.
func TestInputsInPlace(t *testing.T) {
	for _, l := range model.Levels() {
		placed, copied := cores.New(cores.Options{Level: l}), cores.New(cores.Options{Level: l})
		r := rand.New(rand.NewPCG(3, 4))
		var inputs [20]cores.In
		for n := range inputs {
			feed(r, []*cores.Model{copied})
			inputs[n] = *copied.In
		}
		want := inputs
		start := placed.Snapshot()
		for n := range inputs {
			placed.In, *copied.In = &inputs[n], inputs[n]
			placed.Eval()
			copied.Eval()
			require.Equal(t, copied.Out, placed.Out, l)
			require.NoError(t, placed.Step())
			require.NoError(t, copied.Step())
		}
		for i, x := range copied.State() {
			for w := range max(1, x.Depth) {
				want := slices.Clone(copied.Read(i, w))
				require.Equal(t, want, placed.Read(i, w), x.Path)
			}
		}
		placed.Restore(start)
		require.Equal(t, want, inputs, l)
		require.Equal(t, cores.In{}, *placed.In, l)
		placed.Copy(7).SetReset(true)
		require.Equal(t, want, inputs, l)
	}
}

// TestBatch: a batch contains the instances of all its models in order. Each model plays its own
// inputs with the same results as single steps.
func TestBatch(t *testing.T) {
	for _, l := range model.Levels() {
		played, stepped := cores.NewBatch(2*cores.Copies+1, cores.Options{Level: l}), cores.NewBatch(3*cores.Copies, cores.Options{Level: l})
		require.Len(t, played, 3)
		require.Len(t, stepped, 3)
		r := rand.New(rand.NewPCG(5, 6))
		inputs := make([][]cores.In, len(stepped))
		for range 20 {
			for k, m := range stepped {
				feed(r, []*cores.Model{m})
				inputs[k] = append(inputs[k], *m.In)
				require.NoError(t, m.Step())
			}
		}
		for k, m := range played {
			require.NoError(t, m.Play(inputs[k]))
			require.Equal(t, uint64(20), m.Cycle())
			require.Equal(t, inputs[k][19], *m.In)
		}
		for i := range 3 * cores.Copies {
			require.Equal(t, stepped[i/cores.Copies].Copy(i%cores.Copies), stepped.Copy(i))
			for n, x := range stepped.Copy(i).State() {
				for w := range max(1, x.Depth) {
					want := slices.Clone(stepped.Copy(i).Read(n, w))
					require.Equal(t, want, played.Copy(i).Read(n, w), "copy %d: %s", i, x.Path)
				}
			}
		}
	}
	require.Empty(t, cores.NewBatch(0, cores.Options{}))
}
