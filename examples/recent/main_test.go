package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

func TestSequential(t *testing.T) {
	systemtest.Sequential(t, func(s *server.Server, from *train.State) (train.System, error) { return newRecent(s, from, options{1}) })
}

// TestStay: rows that leave immediately and rows that stay longer yield the same parameters.
func TestStay(t *testing.T) {
	for _, stay := range []int{0, 3} {
		systemtest.Sequential(t, func(s *server.Server, from *train.State) (train.System, error) {
			return newRecent(s, from, options{stay})
		})
	}
}

// TestOutOfMemory: if the rows exceed the GPU memory, training fails before it starts.
func TestOutOfMemory(t *testing.T) {
	config := server.DefaultConfig()
	config.GPUMemoryGiB = 1. / 1024
	machine, err := server.New(config)
	require.NoError(t, err)
	s, err := newRecent(machine, systemtest.Initial(t, systemtest.DLRM()), options{1000})
	require.NoError(t, err)
	full := &server.OutOfMemory{}
	require.ErrorAs(t, s.Train(systemtest.Clicks(t, s.Model()), train.Unwatched{}, nil), &full)
	require.Equal(t, "GPU 0 memory", full.Where)
}

func TestRefusals(t *testing.T) {
	for _, stay := range []int{-1, 1001} {
		_, err := newRecent(systemtest.Server(t, 1, false), systemtest.Initial(t, systemtest.DLRM()), options{stay})
		require.EqualError(t, err, fmt.Sprintf("rows stay for %d mini-batches; expected 0 to 1000", stay))
	}
}

// slotCounts counts the notifications that a train.Watch receives about cache slots.
type slotCounts struct {
	train.Unwatched
	kept, dropped int
}

func (w *slotCounts) Keep(string, int, int, uint32) { w.kept++ }
func (w *slotCounts) Drop(string, int)              { w.dropped++ }

// TestCounts compares the arriving, remaining and leaving rows with a small model, and checks that
// the watch is notified.
func TestCounts(t *testing.T) {
	const gpus = 3
	tables := []int{0, 1, 1, 1, 2, 2} // of the lookups of a sample
	for _, stay := range []int{0, 1, 3} {
		s, err := newRecent(systemtest.Server(t, gpus, true), systemtest.Initial(t, systemtest.DLRM()), options{stay})
		require.NoError(t, err)
		w := &slotCounts{}
		var hits []int
		got, err := train.Run(s, systemtest.Clicks(t, s.Model()), w, func(step train.Step) error {
			hits = append(hits, *step.Hits)
			return nil
		})
		require.NoError(t, err)
		var reads []map[[2]int]bool
		here := map[[2]int]bool{}
		came, left := 0, 0
		require.NoError(t, systemtest.Clicks(t, s.Model()).Each(func(m int, b dlrm.Batch) error {
			read, listed, hit := map[[2]int]bool{}, map[[3]int]bool{}, 0
			for i := range b.Len() {
				for slot, index := range b.At(i).Sparse {
					row := [2]int{tables[slot], int(index)}
					read[row], listed[[3]int{i % gpus, row[0], row[1]}] = true, true
					if here[row] {
						hit++
					}
				}
			}
			reads = append(reads, read)
			want := timing.Work{Inputs: b.Len(), HotRows: len(read), Listed: len(listed)}
			next := map[[2]int]bool{}
			for _, list := range reads[max(0, m-stay):] {
				for row := range list {
					next[row] = true
				}
			}
			for row := range next {
				if !here[row] {
					want.Promoted++
				}
			}
			for row := range here {
				if !next[row] {
					want.Demoted++
				}
			}
			here, want.HotTable = next, len(next)
			came, left = came+want.Promoted, left+want.Demoted
			require.Equal(t, want, got.Works[m], "mini-batch %d", m)
			require.Equal(t, hit, hits[m])
			return nil
		}))
		require.Positive(t, left)
		require.EqualValues(t, came, got.Count("rows that came"))
		require.EqualValues(t, left, got.Count("rows that left"))
		require.Equal(t, []int{came, left}, []int{w.kept, w.dropped})
	}
}

// TestRowTakenTooEarly: the consistency checker detects a row that leaves while a mini-batch reads
// it.
func TestRowTakenTooEarly(t *testing.T) {
	s, err := newRecent(systemtest.Server(t, 1, false), systemtest.Initial(t, systemtest.DLRM()), options{0})
	require.NoError(t, err)
	kinds, _ := systemtest.Kinds(t, s, &systemtest.Hooks{OnFirst: func(m int) {
		if m == 1 {
			_, _, err := s.Set(nil)
			require.NoError(t, err)
		}
	}})
	require.True(t, kinds[consistency.HeldSlot])
}

// TestOrder: every row moves once in each direction, with its optimizer state if it has one. Rows
// are written to host memory while the GPUs train.
func TestOrder(t *testing.T) {
	profile, err := timing.LoadProfile("sceptic")
	require.NoError(t, err)
	profile.Loader, profile.Replicate = "exposed", true
	plan := timing.Plan{Machine: machine.Default(), Profile: profile, Model: systemtest.DLRM(), GPUs: 2, Nodes: 1}
	w := timing.Work{Inputs: 100_000, Promoted: 700, Demoted: 300, HotTable: 900, HotRows: 800, Listed: 1100}
	for tables, optimiser := range map[int64]dlrm.Optimiser{1: dlrm.SGD, 2: dlrm.Adagrad} {
		plan.Model.Optimiser = optimiser
		run, last := lastOf(t, plan, w)
		row := tables * 4 * 8
		require.Equal(t, []int64{700 * row, 2 * 700 * row, 300 * row, 300 * row},
			[]int64{last["CPU: read rows"].Bytes, last["copies to GPUs: rows that come"].Bytes, last["copies to host: rows that leave"].Bytes, last["CPU: write rows"].Bytes})
		require.Equal(t, last["loader: load inputs"].End, last["CPU: read rows"].Start)
		require.Greater(t, last["GPU: collect rows"].Start, last["loader: load inputs"].End)
		require.Greater(t, last["GPU: place rows"].Start, last["copies to GPUs: rows that come"].End)
		require.GreaterOrEqual(t, last["GPU: place rows"].Start, last["GPU: collect rows"].End)
		require.Equal(t, last["GPU: place rows"].End, last["host thread: dispatch embedding"].Start)
		require.Less(t, last["CPU: write rows"].End, last["GPU: MLP"].End, "hidden")
		require.Equal(t, last["GPU network: all-reduce"].End, last["host thread: replicate"].Start)
		require.Equal(t, run.Ends[1], run.Time)
	}
	w.Demoted = 3_000_000
	run, last := lastOf(t, plan, w)
	require.Equal(t, last["CPU: write rows"].End, run.Time, "not hidden")
	require.Greater(t, run.Time, run.Ends[1])
}

// lastOf returns the events of the last of two mini-batches, by resource and label.
func lastOf(t *testing.T, plan timing.Plan, w timing.Work) (timing.Run, map[string]timeline.Event) {
	run, line, err := timing.Trace(order, plan, []timing.Work{w, w}, func(m int) bool { return m == 1 })
	require.NoError(t, err)
	events := map[string]timeline.Event{}
	for _, e := range line.Events() {
		events[e.Resource+": "+e.Label] = e
	}
	return run, events
}
