package train_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

func TestInitial(t *testing.T) {
	s, err := train.Initial(model, 5)
	require.NoError(t, err)
	want, got := make([]float32, 2), make([]float32, 2)
	dlrm.InitRow(model, 5, 1, 3, want)
	s.Row(1, 3, got)
	require.Equal(t, want, got)
	require.Nil(t, s.RowState(1, 3))
	net, err := dlrm.NewNet(model, 5)
	require.NoError(t, err)
	require.True(t, net.Equal(s.Net))

	wrong := model
	wrong.LearningRate = 0
	_, err = train.Initial(wrong, 5)
	require.EqualError(t, err, "model: learning rate is 0, expected a positive number")
}

// trainedOn returns a fake system that started from a state and set some rows of table 1.
func trainedOn(t *testing.T, from *train.State, set map[int][]float32, states map[int][]float32) *fake {
	f := newFake(t, "fake")
	f.rows, f.states = map[[2]int][]float32{}, map[[2]int][]float32{}
	for table := range model.Tables { // the first row of each table is touched
		f.rows[[2]int{table, 0}] = make([]float32, 2)
		from.Row(table, 0, f.rows[[2]int{table, 0}])
	}
	for row, values := range set {
		f.rows[[2]int{1, row}] = values
	}
	for row, values := range states {
		f.states[[2]int{1, row}] = values
	}
	return f
}

// TestAfter: a state holds exactly the rows that differ from the initial rows, however often the
// training was stopped and whichever rows were touched.
func TestAfter(t *testing.T) {
	adagrad := model
	adagrad.Optimiser = dlrm.Adagrad
	first, err := train.Initial(adagrad, 5)
	require.NoError(t, err)
	same := make([]float32, 2)
	first.Row(1, 2, same)

	// Row 1 changes; row 2 is only touched; row 3 has only a state.
	third := make([]float32, 2)
	first.Row(1, 3, third)
	a := trainedOn(t, first, map[int][]float32{1: {7, 8}, 2: same, 3: third}, map[int][]float32{1: {1, 2}, 2: {0, 0}, 3: {0, 4}})
	one, err := first.After(a)
	require.NoError(t, err)
	require.Equal(t, train.Rows{Index: []uint32{1, 3}, Values: append([]float32{7, 8}, third...), States: []float32{1, 2, 0, 4}}, one.Tables[1])
	require.Empty(t, one.Tables[0].Index)
	require.True(t, one.Net.Equal(a.net))
	got := make([]float32, 2)
	one.Row(1, 1, got)
	require.Equal(t, []float32{7, 8}, got)
	require.Equal(t, []float32{1, 2}, one.RowState(1, 1))
	require.Nil(t, one.RowState(1, 2))
	a.net.Params()(func(_ string, values []float32) bool { values[0]++; return false })
	require.False(t, one.Net.Equal(a.net), "a copy")

	// Rows that a second training does not touch stay; row 3 returns to its initial value.
	second := trainedOn(t, one, map[int][]float32{2: {5, 6}, 3: third}, nil)
	two, err := one.After(second)
	require.NoError(t, err)
	require.Equal(t, train.Rows{Index: []uint32{1, 2}, Values: []float32{7, 8, 5, 6}, States: []float32{1, 2, 0, 0}}, two.Tables[1])

	second.err = errors.New("lost")
	_, err = one.After(second)
	require.EqualError(t, err, `train: state of fake: table 0 ("one"), row 0: lost`)
}

// TestBatchesFrom: mini-batches keep their numbers when the first mini-batches are omitted.
func TestBatchesFrom(t *testing.T) {
	from := &counting{Source: source("ten", samples(10))}
	all, err := train.NewBatches(model, from, 4, 0)
	require.NoError(t, err)
	b := all.From(1)
	require.Equal(t, []int{0, 1, 1}, []int{all.First(), b.First(), b.Again().First()})
	got, err := b.At(1)
	require.NoError(t, err)
	require.Equal(t, samples(10)[4], got.At(0))
	require.Equal(t, []int64{4}, from.opened, "read from there on")
	n, known := b.Len()
	require.Equal(t, []any{3, true}, []any{n, known})
}
