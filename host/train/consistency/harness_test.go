package consistency_test

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// newModel returns a model with bags of one row and of three, possibly equal, rows.
func newModel() dlrm.Config {
	return dlrm.Config{
		Dense: 2, Dim: 4, Bottom: []int{2, 4}, Top: []int{3, 1}, LearningRate: 0.3,
		Tables: []dlrm.Table{{Name: "a", Rows: 40, Lookups: 1}, {Name: "b", Rows: 30, Lookups: 3}},
	}
}

func newBatches(t testing.TB, model dlrm.Config, batches int) *train.Batches {
	p := gen.Params{Name: "test", Seed: 1, Dense: model.Dense, Contexts: 30, ContextZipf: 1, List: 2, Levels: 1, Rho: 0.8, Signal: 2}
	for _, table := range model.Tables {
		p.Tables = append(p.Tables, gen.Table{Table: table, Zipf: 0.9})
	}
	clicks, err := gen.New(p, int64(16*batches))
	require.NoError(t, err)
	b, err := train.NewBatches(model, clicks, 16, 0)
	require.NoError(t, err)
	return b
}

func initial(t testing.TB, model dlrm.Config) *train.State {
	s, err := train.Initial(model, 7)
	require.NoError(t, err)
	return s
}

// toy is a system without a machine. It is correct except for the faults in its fields.
type toy struct {
	train.System // only its name is used
	model        dlrm.Config
	from         *train.State
	net          *dlrm.Net
	rows, states map[[2]uint32][]float32
	old          map[[2]uint32][][]float32 // past values, the latest first

	late      func(table int, index uint32) int    // number of updates that a read row lacks
	ages      map[int]int64                        // ages of the rows read
	spoil     func(m, input int, pooled []float32) // changes vectors
	skip      func(m, input int) bool              // inputs to omit
	again     bool                                 // reports input 0 twice
	forget    func(m int, g dlrm.RowGrad) bool     // updates to omit
	frozen    bool                                 // the dense part is not updated
	unended   func(m int) bool                     // mini-batches that do not end
	unstarted func(m int) bool                     // mini-batches that do not begin
	during    func(m int, w train.Watch)           // between begin and end
}

func newToy(t testing.TB, model dlrm.Config) *toy {
	from := initial(t, model)
	return &toy{
		model: model, from: from, net: from.Net.Clone(),
		rows: map[[2]uint32][]float32{}, states: map[[2]uint32][]float32{}, old: map[[2]uint32][][]float32{}, ages: map[int]int64{},
	}
}

func (s *toy) Name() string          { return "toy" }
func (s *toy) Model() dlrm.Config    { return s.model }
func (s *toy) Net() *dlrm.Net        { return s.net }
func (s *toy) Counts() []train.Count { return nil }
func (s *toy) Order() timing.System  { return nil }
func (s *toy) Touched(table int) (list []train.Span) {
	for k := range s.rows {
		if int(k[0]) == table {
			list = append(list, train.Span{First: int(k[1]), End: int(k[1]) + 1})
		}
	}
	return train.Union(list)
}

func (s *toy) Row(table int, index uint32, dst []float32) error {
	copy(dst, s.at(table, index))
	return nil
}

func (s *toy) RowState(table int, index uint32) []float32 {
	return s.states[[2]uint32{uint32(table), index}]
}

func (s *toy) at(table int, index uint32) []float32 {
	k := [2]uint32{uint32(table), index}
	if s.rows[k] == nil {
		s.rows[k] = make([]float32, s.model.Dim)
		s.from.Row(table, index, s.rows[k])
	}
	return s.rows[k]
}

// read returns a row from some updates ago, or its initial value.
func (s *toy) read(table int, index uint32) []float32 {
	old, age := s.old[[2]uint32{uint32(table), index}], 0
	if s.late != nil {
		age = min(s.late(table, index), len(old))
	}
	s.ages[age]++
	if age == 0 {
		return s.at(table, index)
	}
	return old[age-1]
}

func (s *toy) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	for m := b.First(); ; m++ {
		batch, err := b.At(m)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if s.unstarted == nil || !s.unstarted(m) {
			w.Begin(m, batch)
		}
		if s.during != nil {
			s.during(m, w)
		}
		if err := s.step(m, batch, w); err != nil {
			return err
		}
		if s.unended == nil || !s.unended(m) {
			w.End(m)
		}
		if err := done(train.Step{MiniBatch: m, Labels: batch.Labels}); err != nil {
			return err
		}
	}
}

func (s *toy) step(m int, batch dlrm.Batch, w train.Watch) error {
	size := len(s.model.Bags()) * s.model.Dim
	pooled, dPooled := make([]float32, batch.Len()*size), make([]float32, batch.Len()*size)
	for i := range batch.Len() {
		s.model.PoolSample(pooled[i*size:][:size], batch.At(i).Sparse, s.read)
		if s.spoil != nil {
			s.spoil(m, i, pooled[i*size:][:size])
		}
		if s.skip == nil || !s.skip(m, i) {
			w.Pooled(m, i, pooled[i*size:][:size])
		}
		if s.again && i == 0 {
			w.Pooled(m, i, pooled[i*size:][:size])
		}
	}
	grads, rows := s.net.NewGradients(), dlrm.NewRowGrads(s.model.Dim)
	s.net.Worker().Train(batch, pooled, batch.Len(), grads, make([]float32, batch.Len()), dPooled)
	rows.AddBatch(s.model.Bags(), batch, dPooled)
	if !s.frozen {
		if err := s.net.Apply(m, grads); err != nil {
			return err
		}
	}
	list, err := rows.Round()
	for _, g := range list {
		s.update(m, g)
	}
	return err
}

func (s *toy) update(m int, g dlrm.RowGrad) {
	if s.forget != nil && s.forget(m, g) {
		return
	}
	k := [2]uint32{uint32(g.Table), g.Index}
	if s.states[k] == nil {
		s.states[k] = make([]float32, s.model.Optimiser.RowStateLen(s.model.Dim))
	}
	s.model.Update(m).Row(s.states[k], g.Grad)
	s.old[k] = append([][]float32{append([]float32{}, s.at(g.Table, g.Index)...)}, s.old[k]...)
	dlrm.UpdateRow(s.at(g.Table, g.Index), g.Grad, -s.model.LearningRate)
}

// watched trains a toy under a watch.
func watched(t testing.TB, s *toy, batches int) ([]consistency.Finding, consistency.Summary) {
	w := consistency.New(initial(t, s.model))
	_, err := train.Run(s, newBatches(t, s.model, batches), w, nil)
	require.NoError(t, err)
	findings, err := w.Finish(s)
	require.NoError(t, err)
	return findings, w.Summary()
}
