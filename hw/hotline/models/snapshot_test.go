package models_test

import (
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/models/small"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// TestMain also implements the second process of TestSnapshotElsewhere.
func TestMain(m *testing.M) {
	if os.Getenv("CONTINUE") == "" {
		os.Exit(m.Run())
	}
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	var x small.Snapshot
	if err := x.UnmarshalBinary(data); err != nil {
		panic(err)
	}
	s := small.New(small.Options{Level: model.Portable})
	s.Restore(&x)
	fmt.Print(course(s))
}

// course returns a hash of the outputs of the next cycles.
func course(s interface {
	sim.Simulator
	sim.Framed
}) string {
	f := sim.NewFormat(s.Ports())
	h := fnv.New64a()
	inputs, in, out := sim.Random(f, 9), make([]uint64, f.InWords), make([]uint64, f.OutWords)
	for range 300 {
		s.GetFrame(out)
		fmt.Fprintln(h, s.Cycle(), out)
		if err := inputs.Next(in); err != nil {
			panic(err)
		}
		s.SetFrame(in)
		fmt.Fprintln(h, s.Step())
	}
	return fmt.Sprintf("%x", h.Sum64())
}

// underWay returns a model after some cycles, optionally in reset.
func underWay(t *testing.T, reset bool) *small.Model {
	s := small.New(small.Options{})
	sim.PowerUp(s, 1)
	require.NoError(t, sim.Drive(s, sim.Random(sim.NewFormat(s.Ports()), 5), 200))
	s.SetReset(reset)
	return s
}

// TestSnapshot: a snapshot restores a state, in the same model and in others.
func TestSnapshot(t *testing.T) {
	s := underWay(t, false)
	x := s.Snapshot()
	want := course(s)
	later := s.Snapshot()
	require.NotEqual(t, want, course(s))
	require.NoError(t, s.Run(100))
	s.Eval() // leave no evaluation pending that was pending before
	s.Restore(x)
	require.Equal(t, want, course(s))
	s.Restore(later)
	require.EqualValues(t, 500, s.Cycle())
	other := small.New(small.Options{Level: model.Portable})
	other.Restore(x)
	require.Equal(t, want, course(other))
}

// TestSnapshotElsewhere: a marshaled snapshot can be restored in another process, with another
// instruction set.
func TestSnapshotElsewhere(t *testing.T) {
	for _, reset := range []bool{false, true} {
		s := underWay(t, reset)
		data, err := s.Snapshot().MarshalBinary()
		require.NoError(t, err)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "CONTINUE=1")
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		go func() { _, _ = in.Write(data); _ = in.Close() }()
		got, err := cmd.Output()
		require.NoError(t, err)
		require.Equal(t, course(s), string(got))
	}
}

// TestSnapshotErrors: data that is not a snapshot of the model is refused and changes nothing.
func TestSnapshotErrors(t *testing.T) {
	s := underWay(t, false)
	x := s.Snapshot()
	want := course(s)
	data, err := x.MarshalBinary()
	require.NoError(t, err)

	foreign, err := model.Marshal(s, s.Reset, "another")
	require.NoError(t, err)
	require.EqualError(t, x.UnmarshalBinary(foreign), fmt.Sprintf("the snapshot is of design %q, expected %q", "another", small.DesignHash))
	require.EqualError(t, x.UnmarshalBinary(nil), "the snapshot is damaged: EOF")
	require.EqualError(t, x.UnmarshalBinary(data[:len(data)-9]), "the snapshot is damaged: unexpected EOF")
	require.ErrorContains(t, x.UnmarshalBinary(append(slices.Clone(data), 1)), "the snapshot is damaged: ")
	for at := 0; at < len(data); at += len(data) / 50 {
		damaged := slices.Clone(data)
		damaged[at] ^= 1 << (at % 8)
		if err := x.UnmarshalBinary(damaged); at < 3 || at > 10 { // other bytes of the gzip header are irrelevant
			require.ErrorContains(t, err, "the snapshot is damaged: ", "byte %d", at)
		}
	}
	s.Restore(x)
	require.Equal(t, want, course(s))
}

// TestSnapshotCopiesLittle: a snapshot copies only the pages that changed since the previous
// snapshot.
func TestSnapshotCopiesLittle(t *testing.T) {
	s := small.New(small.Options{})
	sim.PowerUp(s, 1)
	first := allocated(func() { s.Snapshot() })
	require.NoError(t, sim.Drive(s, sim.Random(sim.NewFormat(s.Ports()), 6), 100))
	second := allocated(func() { s.Snapshot() })
	require.Less(t, second, first/2)
}

// allocated returns the memory that f allocates, in bytes.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestPoke: a write by path sets a register or a memory word, and ignores bits beyond the width.
// Dependent values change immediately.
func TestPoke(t *testing.T) {
	s := underWay(t, false)
	list := s.State()
	memories := 0
	for i := range list {
		x := list[i]
		if x.Depth == 0 && i%97 != 0 {
			continue
		}
		full := slices.Repeat([]uint64{^uint64(0)}, (x.Width+63)/64)
		want := slices.Clone(full)
		want[len(want)-1] >>= (64 - x.Width%64) % 64
		word := x.Depth - 1
		if x.Depth == 0 {
			require.True(t, s.Poke(x.Path, full))
			got, ok := s.Peek(x.Path)
			require.True(t, ok)
			require.Equal(t, want, got, x.Path)
			require.False(t, s.PokeMem(x.Path, 0, full), "a register")
			_, ok = s.PeekMem(x.Path, 0)
			require.False(t, ok, "a register")
			continue
		}
		memories++
		require.True(t, s.PokeMem(x.Path, word, full))
		got, ok := s.PeekMem(x.Path, word)
		require.True(t, ok)
		require.Equal(t, want, got, x.Path)
		for _, beyond := range []int{-1, x.Depth} {
			require.False(t, s.PokeMem(x.Path, beyond, full))
			_, ok := s.PeekMem(x.Path, beyond)
			require.False(t, ok)
		}
		require.False(t, s.Poke(x.Path, full), "a memory")
		_, ok = s.Peek(x.Path)
		require.False(t, ok, "a memory")
	}
	require.Positive(t, memories)
	require.False(t, s.Poke("no.such.register", []uint64{1}))
	require.False(t, s.PokeMem("no.such.memory", 0, []uint64{1}))

	reference := small.New(small.Options{Level: model.Portable, Everything: true})
	for i, x := range s.State() {
		for word := range max(1, x.Depth) {
			reference.Write(i, word, slices.Clone(s.Read(i, word)))
		}
	}
	reference.In, reference.Reset = s.In, s.Reset
	reference.Skip(s.Cycle())
	require.Equal(t, course(reference), course(s))
}
