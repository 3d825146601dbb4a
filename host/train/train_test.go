package train_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

var model = dlrm.Config{
	Dense: 1, Dim: 2, Bottom: []int{1, 2}, Top: []int{1}, LearningRate: 0.1,
	Tables: []dlrm.Table{{Name: "one", Rows: 3, Lookups: 1}, {Name: "two", Rows: 4, Lookups: 2}},
}

// samples returns samples with alternating labels.
func samples(n int) []dlrm.Sample {
	list := make([]dlrm.Sample, n)
	for i := range list {
		list[i] = dlrm.Sample{Label: float32(i % 2), Dense: []float32{float32(i)}, Sparse: []uint32{uint32(i % 3), 0, 3}}
	}
	return list
}

// fake is a system with given predictions.
type fake struct {
	name    string
	model   dlrm.Config
	net     *dlrm.Net
	rows    map[[2]int][]float32
	states  map[[2]int][]float32
	predict func(in dlrm.Sample) float32
	failAt  int
	err     error
}

func newFake(t *testing.T, name string) *fake {
	net, err := dlrm.NewNet(model, 1)
	require.NoError(t, err)
	return &fake{name: name, model: model, net: net, rows: map[[2]int][]float32{}, failAt: -1,
		predict: func(in dlrm.Sample) float32 { return 0.25 + in.Label/2 }}
}

// unequal is a system whose replicas differ.
type unequal struct{ *fake }

func (unequal) CheckReplicas() error { return errors.New("replicas differ") }

func (f *fake) Name() string       { return f.name }
func (f *fake) Model() dlrm.Config { return f.model }
func (f *fake) Net() *dlrm.Net     { return f.net }

func (f *fake) Train(b *train.Batches, _ train.Watch, done func(train.Step) error) error {
	for m := b.First(); ; m++ {
		if m == f.failAt {
			return errors.New("broken")
		}
		batch, err := b.At(m)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var p []float32
		for i := range batch.Len() {
			p = append(p, f.predict(batch.At(i)))
		}
		if err := done(train.Step{MiniBatch: m, Loss: float32(m), Labels: batch.Labels, Probabilities: p, Work: timing.Work{Inputs: batch.Len()}}); err != nil {
			return err
		}
	}
}

func (f *fake) Row(table int, index uint32, dst []float32) error {
	clear(dst)
	copy(dst, f.rows[[2]int{table, int(index)}])
	return f.err
}

func (f *fake) Counts() []train.Count { return []train.Count{{Label: "things", N: 5}} }
func (f *fake) Order() timing.System  { return nil }

func (f *fake) RowState(table int, index uint32) []float32 {
	return f.states[[2]int{table, int(index)}]
}

// Touched returns the rows that the test has set, and the first row, which the test reads.
func (f *fake) Touched(table int) []train.Span {
	list := []train.Span{{First: 0, End: 1}}
	for at := range f.rows {
		if at[0] == table {
			list = append(list, train.Span{First: at[1], End: at[1] + 1})
		}
	}
	return train.Union(list)
}

// source returns a source with the tables of the model.
func source(name string, list []dlrm.Sample) data.Source {
	return datatest.Source(name, data.Shape{Dense: model.Dense, Tables: model.Tables}, list)
}

// counting counts how often a source is opened.
type counting struct {
	data.Source
	opened []int64
}

func (c *counting) Open(at int64) (data.Reader, error) {
	c.opened = append(c.opened, at)
	return c.Source.Open(at)
}

func TestBatches(t *testing.T) {
	list := samples(10)
	from := &counting{Source: source("ten", list)}
	b, err := train.NewBatches(model, from, 4, 0)
	require.NoError(t, err)
	n, known := b.Len()
	require.Equal(t, []any{3, true, 4}, []any{n, known, b.Size()})
	// Sequential access with a short look-ahead and step back reads the source once.
	for _, m := range []int{0, 2, 1, 0, 2} {
		batch, err := b.At(m)
		require.NoError(t, err)
		require.Equal(t, []int{4, 4, 2}[m], batch.Len())
		for i := range batch.Len() {
			require.Equal(t, list[4*m+i], batch.At(i))
		}
	}
	require.Equal(t, []int64{0}, from.opened)
	_, err = b.At(3)
	require.ErrorIs(t, err, io.EOF)
	more, err := b.Has(3)
	require.NoError(t, err)
	require.False(t, more)
	more, err = b.Has(2)
	require.NoError(t, err)
	require.True(t, more)
	require.NoError(t, b.Close())

	// Distant mini-batches are reached by a jump.
	far, err := train.NewBatches(model, &counting{Source: source("many", samples(1000))}, 1, 0)
	require.NoError(t, err)
	for _, m := range []int{10, 70, 500, 3} {
		batch, err := far.At(m)
		require.NoError(t, err)
		require.Equal(t, samples(1000)[m], batch.At(0))
	}
	require.Equal(t, []int64{10, 500, 3}, far.Source().(*counting).opened)

	// With Keep, a longer look-ahead reads the source once.
	ahead, err := train.NewBatches(model, &counting{Source: source("many", samples(100))}, 1, 0)
	require.NoError(t, err)
	ahead.Keep(50)
	for _, m := range []int{0, 49, 0, 50, 1} {
		batch, err := ahead.At(m)
		require.NoError(t, err)
		require.Equal(t, samples(100)[m], batch.At(0))
	}
	require.Equal(t, []int64{0}, ahead.Source().(*counting).opened)

	few, err := train.NewBatches(model, source("ten", list), 4, 7)
	require.NoError(t, err)
	n, known = few.Again().Len()
	require.Equal(t, []any{2, true}, []any{n, known})
	for first, want := range []int{2, 1} {
		n, err = few.From(first).Rest()
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	endless, err := train.NewBatches(model, unknown{source("ten", list)}, 4, 0)
	require.NoError(t, err)
	n, err = endless.From(1).Rest()
	require.NoError(t, err)
	require.Equal(t, 2, n, "read to the end")
	batch, err := few.At(1)
	require.NoError(t, err)
	require.Equal(t, 3, batch.Len())
	_, err = few.At(2)
	require.ErrorIs(t, err, io.EOF)
}

// unknown is a source that does not know its length.
type unknown struct{ data.Source }

func (unknown) Len() (int64, bool) { return 0, false }

// TestBehind: inputs beyond the limit follow the mini-batches.
func TestBehind(t *testing.T) {
	list := samples(10)
	for _, c := range []struct {
		limit    int64
		n, first int
		want     int
	}{{7, 2, 7, 2}, {7, 5, 7, 3}, {10, 5, 0, 0}, {0, 5, 0, 0}, {7, 0, 0, 0}} {
		b, err := train.NewBatches(model, source("ten", list), 4, c.limit)
		require.NoError(t, err)
		got, err := b.Behind(c.n)
		require.NoError(t, err)
		require.Equal(t, c.want, got.Len())
		for i := range got.Len() {
			require.Equal(t, list[c.first+i], got.At(i))
		}
	}
}

func TestBatchErrors(t *testing.T) {
	_, err := train.NewBatches(model, source("ten", samples(10)), 0, 0)
	require.EqualError(t, err, "train: mini-batches of 0 inputs, and 0 inputs, expected at least 1 and 0")
	_, err = train.NewBatches(model, datatest.Source("wide", data.Shape{Dense: model.Dense + 1, Tables: model.Tables}, nil), 1, 0)
	require.ErrorContains(t, err, "train: inputs of wide have 2 dense features, the model has 1")
	_, err = train.NewBatches(model, datatest.Source("short", data.Shape{Dense: model.Dense, Tables: model.Tables[:1]}, nil), 1, 0)
	require.ErrorContains(t, err, "train: inputs of short have 1 lookups, the model has 3")
	b, err := train.NewBatches(model, source("none", nil), 1, 0)
	require.NoError(t, err)
	_, err = b.At(0)
	require.EqualError(t, err, "train: none has no inputs")
	list := samples(10)
	list[7].Sparse[2] = 4
	b, err = train.NewBatches(model, source("ten", list), 4, 0)
	require.NoError(t, err)
	_, err = b.At(0)
	require.NoError(t, err)
	_, err = b.At(1)
	require.EqualError(t, err, `train: input 7 of ten: row index 4 in table 1 ("two"), expected below its 4 rows`)
}

func TestRun(t *testing.T) {
	b, err := train.NewBatches(model, source("ten", samples(10)), 4, 0)
	require.NoError(t, err)
	f := newFake(t, "fake")
	seen := 0
	got, err := train.Run(f, b, train.Unwatched{}, func(s train.Step) error {
		require.Equal(t, seen, s.MiniBatch)
		seen++
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 3, seen)
	require.Equal(t, 3, got.MiniBatches)
	require.EqualValues(t, (1+1)*2+(5+1)*1+7*2, got.Parameters, "bottom, top, rows")
	require.InDelta(t, (0*4+1*4+2*2)/10., got.Loss, 1e-12, "the last mini-batch has half the weight")
	require.EqualValues(t, 1, *got.AUC, "all clicks above all others")
	require.Equal(t, []timing.Work{{Inputs: 4}, {Inputs: 4}, {Inputs: 2}}, got.Works)
	require.EqualValues(t, 5, got.Count("things"))
	require.Zero(t, got.Count("others"))

	f.predict = func(in dlrm.Sample) float32 { return 0.5 }
	got, err = train.Run(f, b, train.Unwatched{}, nil)
	require.NoError(t, err)
	require.EqualValues(t, 0.5, *got.AUC)
	_, err = train.Run(f, b, train.Unwatched{}, func(s train.Step) error { return errors.New("cut") })
	require.EqualError(t, err, "fake, mini-batch 1: cut")

	part := func(s train.Step) error {
		if s.MiniBatch == 1 {
			return fmt.Errorf("stopped: %w", train.ErrEnough)
		}
		return nil
	}
	got, err = train.Run(f, b, train.Unwatched{}, part)
	require.NoError(t, err)
	require.Equal(t, []int{2, 8, 2}, []int{got.MiniBatches, got.Inputs, len(got.Works)})
	require.NotNil(t, got.AUC)
	_, err = train.Run(unequal{f}, b, train.Unwatched{}, part)
	require.EqualError(t, err, "fake, mini-batch 2: replicas differ", "also compared after an early stop")

	f.failAt = 2
	_, err = train.Run(f, b, train.Unwatched{}, nil)
	require.EqualError(t, err, "fake, mini-batch 2: broken")
	_, err = train.Run(f, b.From(1), train.Unwatched{}, nil)
	require.EqualError(t, err, "fake, mini-batch 2: broken")
}

func TestAUCOfOneClass(t *testing.T) {
	list := samples(4)
	for i := range list {
		list[i].Label = 1
	}
	b, err := train.NewBatches(model, source("ones", list), 4, 0)
	require.NoError(t, err)
	got, err := train.Run(newFake(t, "fake"), b, train.Unwatched{}, nil)
	require.NoError(t, err)
	require.Nil(t, got.AUC)
}

func TestCompare(t *testing.T) {
	a, b := newFake(t, "this"), newFake(t, "that")
	n, err := train.Compare(a, b)
	require.NoError(t, err)
	require.Equal(t, train.Parameters(a), n)

	// The very last row, and a difference only in the sign of a zero.
	b.rows[[2]int{1, 3}] = []float32{0, float32(math.Copysign(0, -1))}
	_, err = train.Compare(a, b)
	require.EqualError(t, err, `train: table 1 ("two"), row 3, element 1: this has 0 (0x00000000), that has -0 (0x80000000)`)
	var d *train.Difference
	require.ErrorAs(t, err, &d)
	require.Equal(t, []int{1, 3, 1}, []int{d.Table, int(d.Row), d.Element})

	// The first difference is reported.
	a.rows[[2]int{0, 2}] = []float32{1.5, 2}
	_, err = train.Compare(a, b)
	require.EqualError(t, err, `train: table 0 ("one"), row 2, element 0: this has 1.5 (0x3fc00000), that has 0 (0x00000000)`)

	b.net, err = dlrm.NewNet(model, 2)
	require.NoError(t, err)
	_, err = train.Compare(a, b)
	require.ErrorContains(t, err, "train: dense part of this, compared with that: bottom.0.weight[0] is ")

	b.model.Tables = []dlrm.Table{{Rows: 3, Lookups: 1}, {Rows: 5, Lookups: 2}}
	_, err = train.Compare(a, b)
	require.EqualError(t, err, "train: this and that: table 1 has 4 rows and 5 rows")
	b.model.Dim = 3
	_, err = train.Compare(a, b)
	require.EqualError(t, err, "train: this and that: 2 tables of dimension 2 and 2 of dimension 3 cannot be compared")

	b = newFake(t, "that")
	b.err = errors.New("lost")
	_, err = train.Compare(newFake(t, "this"), b)
	require.EqualError(t, err, `train: table 0 ("one"), row 0 of that: lost`)
}

func TestUnion(t *testing.T) {
	require.Empty(t, train.Union(nil, nil))
	require.Equal(t, []train.Span{{First: 0, End: 5}, {First: 7, End: 9}},
		train.Union([]train.Span{{First: 7, End: 8}, {First: 0, End: 2}}, []train.Span{{First: 1, End: 4}, {First: 4, End: 5}, {First: 7, End: 9}}))
}

// TestCompareLooksAtBothSides: rows that only one of the systems has touched are compared.
func TestCompareLooksAtBothSides(t *testing.T) {
	for i := range 2 {
		f := [2]*fake{newFake(t, "this"), newFake(t, "that")}
		f[i].rows[[2]int{1, 2}] = []float32{1, 0}
		_, err := train.Compare(f[0], f[1])
		require.ErrorContains(t, err, `table 1 ("two"), row 2, element 0`)
	}
}

func TestEvaluate(t *testing.T) {
	f := newFake(t, "fake")
	list := samples(10)
	got, err := train.Evaluate(f, source("test", list), 4)
	require.NoError(t, err)
	require.Equal(t, 10, got.Inputs)
	// The model's own prediction, from rows of zeros.
	var batch dlrm.Batch
	for _, in := range list {
		batch.Append(in)
	}
	p := make([]float32, 10)
	f.net.Worker().Predict(batch, make([]float32, 10*2*model.Dim), p)
	want, err := dlrm.LogLoss(p, batch.Labels)
	require.NoError(t, err)
	require.Equal(t, want, got.LogLoss)
	want, err = dlrm.Accuracy(p, batch.Labels)
	require.NoError(t, err)
	require.Equal(t, want, got.Accuracy)
	want, err = dlrm.AUC(p, batch.Labels)
	require.NoError(t, err)
	require.Equal(t, want, *got.AUC)
	want, _ = dlrm.Calibration(p, batch.Labels)
	require.Equal(t, want, *got.Calibration)

	for i := range list {
		list[i].Label = 1
	}
	got, err = train.Evaluate(f, source("ones", list), 4)
	require.NoError(t, err)
	require.Nil(t, got.AUC)
	require.NotNil(t, got.Calibration)
	for i := range list {
		list[i].Label = 0
	}
	got, err = train.Evaluate(f, source("zeros", list), 4)
	require.NoError(t, err)
	require.Nil(t, got.Calibration)
	f.err = errors.New("lost")
	_, err = train.Evaluate(f, source("test", list), 4)
	require.EqualError(t, err, "fake: lost")
}
