package consistency_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// TestNothing: a correct system has no findings, and all reads have age 0.
func TestNothing(t *testing.T) {
	for _, optimiser := range dlrm.Optimisers() {
		model := newModel()
		model.Optimiser = optimiser
		findings, summary := watched(t, newToy(t, model), 5)
		require.Empty(t, findings)
		reads := int64(5 * 16 * 4)
		require.Equal(t, consistency.Summary{Kinds: []consistency.KindCount{}, First: []consistency.Finding{},
			Staleness: consistency.Staleness{Reads: reads, Ages: []consistency.AgeCount{{Age: 0, Reads: reads}}}}, summary)
	}
}

// TestForgottenState: a state that is lost at any time is found, also after the row's last update.
func TestForgottenState(t *testing.T) {
	for _, optimiser := range dlrm.Optimisers()[1:] {
		for _, lost := range []int{1, 4} {
			model := newModel()
			model.Optimiser = optimiser
			s := newToy(t, model)
			s.during = func(m int, _ train.Watch) {
				if m == lost {
					for k := range s.states {
						clear(s.states[k])
					}
				}
			}
			findings, _ := watched(t, s, 5)
			found := of(consistency.LostUpdate, findings)
			require.NotEmpty(t, found, "%v, mini-batch %d", optimiser.Rule, lost)
		}
	}
}

func of(kind consistency.Kind, findings []consistency.Finding) (list []consistency.Finding) {
	for _, f := range findings {
		if f.Kind == kind {
			list = append(list, f)
		}
	}
	return list
}

// TestStop: after an early stop, a mini-batch that has only begun is no finding. A mini-batch that
// was trained on and has not ended is.
func TestStop(t *testing.T) {
	s := newToy(t, newModel())
	w := consistency.New(initial(t, s.model))
	b := newBatches(t, s.model, 3)
	s.unended = func(m int) bool { return m == 1 }
	_, err := train.Run(s, b, w, func(step train.Step) error {
		if step.MiniBatch == 1 {
			return train.ErrEnough
		}
		return nil
	})
	require.NoError(t, err)
	next, err := b.At(2)
	require.NoError(t, err)
	w.Begin(2, next)
	w.Stop()
	findings, err := w.Finish(s)
	require.NoError(t, err)
	require.Equal(t, "lost update, mini-batch 1: it has not ended", fmt.Sprint(findings[0]))
	for _, f := range findings {
		require.NotEqual(t, 2, f.MiniBatch)
	}
}

// TestSeededBugs: a seeded bug of every kind is found at its place.
func TestSeededBugs(t *testing.T) {
	for _, c := range []struct {
		name string
		bug  func(s *toy)
		kind consistency.Kind
		want string // the first finding of the kind
	}{
		{"wrong vector", func(s *toy) {
			s.spoil = func(m, input int, pooled []float32) {
				if m == 2 && input == 5 {
					pooled[4]++
				}
			}
		}, consistency.WrongRead, `wrong read, mini-batch 2, table 1, row \d+: the vector of input 5 is of no values that its rows are known to have had`},
		{"update not made", func(s *toy) {
			done := false
			s.forget = func(m int, g dlrm.RowGrad) bool {
				hit := m == 4 && g.Table == 0 && !done
				done = done || hit
				return hit
			}
		}, consistency.LostUpdate, `lost update, table 0, row \d+: at the end: element \d is `},
		{"dense part not updated", func(s *toy) { s.frozen = true }, consistency.LostUpdate, `lost update: at the end: dense part: `},
		{"input left out", func(s *toy) { s.skip = func(m, input int) bool { return m == 1 && input == 15 } },
			consistency.LostUpdate, `lost update, mini-batch 1: nobody trains on input 15`},
		{"input taken twice", func(s *toy) { s.again = true }, consistency.LostUpdate, `lost update, mini-batch 0: input 0 is trained on twice`},
		{"the last has not ended", func(s *toy) { s.unended = func(m int) bool { return m == 4 } }, consistency.LostUpdate, `lost update, mini-batch 4: it has not ended`},
		{"one has not ended", func(s *toy) { s.unended = func(m int) bool { return m == 2 } },
			consistency.LostUpdate, `lost update, mini-batch 2: it has not ended before mini-batch 3, which began later`},
		{"one has not begun", func(s *toy) { s.unstarted = func(m int) bool { return m == 3 } },
			consistency.WrongRead, `wrong read, mini-batch 3: it is trained on, but not under way`},
		{"nor ended", func(s *toy) { s.unstarted = func(m int) bool { return m == 3 } },
			consistency.LostUpdate, `lost update, mini-batch 3: it ends, but is not under way`},
		{"held slot", func(s *toy) {
			s.during = func(m int, w train.Watch) {
				for i := range uint32(s.model.Tables[0].Rows) {
					w.Keep("cache", int(i), 0, i)
				}
				if m == 1 {
					for i := range s.model.Tables[0].Rows {
						w.Drop("cache", i)
					}
				}
			}
		}, consistency.HeldSlot, `held slot, mini-batch 1, table 0, row (\d+): slot \d+ of cache is taken from it`},
		{"held slot of another row", func(s *toy) {
			s.during = func(m int, w train.Watch) {
				for i := range uint32(s.model.Tables[0].Rows) {
					w.Keep("cache", int(i), m%2, i%30)
				}
			}
		}, consistency.HeldSlot, `held slot, mini-batch 1, table 0, row (\d+): slot \d+ of cache is taken from it`},
		{"two places", func(s *toy) {
			s.during = func(m int, w train.Watch) {
				if m == 0 {
					w.Keep("cache", 3, 1, 2)
					w.Keep("cache", 3, 1, 2)
					w.Keep("victims", 3, 1, 2)
				}
			}
		}, consistency.TwoPlaces, `two places, table 1, row 2: it is in slot 3 of cache and in slot 3 of victims`},
	} {
		s := newToy(t, newModel())
		c.bug(s)
		findings, summary := watched(t, s, 5)
		found := of(c.kind, findings)
		require.NotEmpty(t, found, c.name)
		require.Regexp(t, `^`+c.want, found[0].String(), c.name)
		require.NotZero(t, summary.Findings, c.name)
	}
}

// TestNotEnded: the reference also trains on a mini-batch that does not end, so there are no
// further findings.
func TestNotEnded(t *testing.T) {
	s := newToy(t, newModel())
	s.unended = func(m int) bool { return m == 2 }
	findings, _ := watched(t, s, 5)
	require.Len(t, findings, 1)
}

// TestSlotsOfOtherRows: unread rows may leave, and a row may move.
func TestSlotsOfOtherRows(t *testing.T) {
	s := newToy(t, newModel())
	w := consistency.New(initial(t, s.model))
	for i := range 3 {
		w.Keep("cache", 1, 0, uint32(i))
		w.Drop("cache", 2) // an empty slot
	}
	w.Drop("cache", 1)
	w.Keep("other", 1, 0, 2)
	findings, err := w.Finish(s)
	require.NoError(t, err)
	require.Empty(t, findings)
}

// TestStaleReads: stale values are found with their ages, also if mixed in a vector. There are no
// other findings: no lost updates, and no consequences of stale values.
func TestStaleReads(t *testing.T) {
	for name, late := range map[string]func(table int, index uint32) int{
		"1 update":  func(int, uint32) int { return 1 },
		"4 updates": func(int, uint32) int { return 4 },
		"mixed":     func(_ int, index uint32) int { return int(index % 4) },
		"one table": func(table int, _ uint32) int { return 2 * table },
	} {
		s := newToy(t, newModel())
		s.late = late
		findings, summary := watched(t, s, 8)
		require.Len(t, findings, 10, name)
		require.Equal(t, []consistency.KindCount{{Kind: consistency.StaleRead, N: summary.Findings}}, summary.Kinds, name)
		for _, f := range findings {
			require.Equal(t, consistency.StaleRead, f.Kind)
			require.Positive(t, f.Age)
			require.LessOrEqual(t, f.Age, late(f.Table, f.Row), name)
			require.Contains(t, f.Text, fmt.Sprintf(" reads it %d update", f.Age))
		}
		var sum, stale int64
		got := map[int]int64{}
		for _, a := range summary.Staleness.Ages {
			got[a.Age] = a.Reads
			sum += int64(a.Age) * a.Reads
			if a.Age > 0 {
				stale += a.Reads
			}
			require.LessOrEqual(t, a.Age, summary.Staleness.Max)
		}
		require.Equal(t, s.ages, got, name)
		require.Equal(t, stale, summary.Staleness.Stale)
		require.EqualValues(t, 8*16*4, summary.Staleness.Reads)
		require.InDelta(t, float64(sum)/(8*16*4), summary.Staleness.Mean, 1e-9)
	}
}

// TestManyFindings: all findings are counted, and the first of each kind are kept.
func TestManyFindings(t *testing.T) {
	s := newToy(t, newModel())
	s.skip = func(m, input int) bool { return input%2 == 1 }
	s.spoil = func(_, input int, pooled []float32) { pooled[0] += float32(1 - input%2) }
	findings, summary := watched(t, s, 5)
	require.Len(t, of(consistency.WrongRead, findings), 10)
	require.Len(t, of(consistency.LostUpdate, findings), 10)
	require.Equal(t, findings, summary.First)
	require.Equal(t, consistency.WrongRead, summary.Kinds[0].Kind)
	require.EqualValues(t, 5*8, summary.Kinds[0].N)
	require.EqualValues(t, 5*8, summary.Kinds[1].N)
	require.EqualValues(t, 5*8*3, summary.Staleness.Reads, "less inputs and reads that nobody knows")
	require.Equal(t, summary.Findings, summary.Kinds[0].N+summary.Kinds[1].N)
	text, err := json.Marshal(summary)
	require.NoError(t, err)
	require.Contains(t, string(text), `"kinds":[{"kind":"wrong read","n":40},`)
}

// TestGoesOn: the reference can start from any state.
func TestGoesOn(t *testing.T) {
	model := newModel()
	model.Optimiser = dlrm.Adagrad
	whole := newToy(t, model)
	watched(t, whole, 3)
	half, err := whole.from.After(whole)
	require.NoError(t, err)
	s := newToy(t, model)
	s.from, s.net = half, half.Net.Clone()
	for table, rows := range half.Tables {
		for i, index := range rows.Index {
			s.states[[2]uint32{uint32(table), index}] = append([]float32{}, rows.States[i*model.Dim:][:model.Dim]...)
		}
	}
	w := consistency.New(half)
	_, err = train.Run(s, newBatches(t, model, 5).From(3), w, nil)
	require.NoError(t, err)
	findings, err := w.Finish(s)
	require.NoError(t, err)
	require.Empty(t, findings)
}

// TestConcurrency: watches of concurrent systems share a state, and GPUs share a watch.
func TestConcurrency(t *testing.T) {
	from, batches := initial(t, newModel()), newBatches(t, newModel(), 1)
	batch, err := batches.At(0)
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 2 {
		w := consistency.New(from)
		w.Begin(0, batch)
		size := len(newModel().Bags()) * newModel().Dim
		var gpus sync.WaitGroup
		for g := range 4 {
			gpus.Go(func() {
				for i := g; i < batch.Len(); i += 4 {
					pooled := make([]float32, size)
					newModel().PoolSample(pooled, batch.At(i).Sparse, func(table int, index uint32) []float32 {
						row := make([]float32, newModel().Dim)
						from.Row(table, index, row)
						return row
					})
					w.Pooled(0, i, pooled)
				}
			})
		}
		all.Go(func() {
			gpus.Wait()
			w.End(0)
		})
		all.Wait()
		require.Zero(t, w.Summary().Findings, fmt.Sprint(w.Summary()))
	}
}

// unsaved is a toy whose embedding parameters are not rows.
type unsaved struct{ *toy }

func (unsaved) Unsaved() error   { return errors.New("no rows") }
func (unsaved) Embedding() int64 { return 1 }

// TestUnsaved: for a system whose parameters are not rows, only the dense part is compared.
func TestUnsaved(t *testing.T) {
	for _, frozen := range []bool{false, true} {
		s := newToy(t, newModel())
		s.forget, s.frozen = func(int, dlrm.RowGrad) bool { return true }, frozen
		w := consistency.New(s.from)
		_, err := train.Run(unsaved{s}, newBatches(t, s.model, 5), w, nil)
		require.NoError(t, err)
		findings, err := w.Finish(unsaved{s})
		require.NoError(t, err)
		require.Equal(t, frozen, len(of(consistency.LostUpdate, findings)) == 1)
	}
}
