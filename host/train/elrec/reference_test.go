package elrec_test

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/exact"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
	"github.com/hotline-rtl/hotline/host/train"
)

// reference is sequential training of the same model without machine, queues, reuse and
// several GPUs: a network, plain rows and slices in maps, and products written out
// value by value.
type reference struct {
	train.System // only its name is used
	j            *job
	number       func(table int, index uint32) uint32
	each         bool // gradients are multiplied lookup by lookup
	net          *dlrm.Net
	rows         map[[2]int][]float32 // plain, by table and index
	slices       map[[3]int][]float32 // by table, core and number
	states       map[[3]int][]float32 // of slices; of rows with core -1
	sums         map[[3]int]*exact.Sum
}

func newReference(t testing.TB, j *job, each bool, number func(int, uint32) uint32) *reference {
	net, err := dlrm.NewNet(j.Model, j.Seed)
	require.NoError(t, err)
	return &reference{j: j, number: number, each: each, net: net, rows: map[[2]int][]float32{}, slices: map[[3]int][]float32{}, states: map[[3]int][]float32{}}
}

func (u *reference) isTT(table int) bool { return u.j.Model.Tables[table].Rows > u.j.opts.Threshold }

func (u *reference) shape(table int) tt.Shape {
	s, err := tt.ShapeOf(u.j.Model.Tables[table].Rows, u.j.Model.Dim, u.j.opts.Rank)
	if err != nil {
		panic(err)
	}
	return s
}

func (u *reference) slice(table, core, no int) []float32 {
	at := [3]int{table, core, no}
	if u.slices[at] == nil {
		s := u.shape(table)
		u.slices[at] = make([]float32, s.SliceLen(core))
		s.InitSlice(u.j.Seed, table, core, no, u.slices[at])
	}
	return u.slices[at]
}

// numbers of the slices of a row.
func (u *reference) numbers(table int, index uint32) (i1, i2, i3 int) {
	m, n := u.shape(table).Rows, int(u.number(table, index))
	return n / m[2] / m[1], n / m[2] % m[1], n % m[2]
}

// row returns the present value of a row.
func (u *reference) row(table int, index uint32) []float32 {
	if !u.isTT(table) {
		at := [2]int{table, int(index)}
		if u.rows[at] == nil {
			u.rows[at] = make([]float32, u.j.Model.Dim)
			dlrm.InitRow(u.j.Model, u.j.Seed, table, index, u.rows[at])
		}
		return u.rows[at]
	}
	i1, i2, i3 := u.numbers(table, index)
	a, b, c := u.slice(table, 0, i1), u.slice(table, 1, i2), u.slice(table, 2, i3)
	s := u.shape(table)
	var row []float32
	for j1 := range s.Dims[0] {
		for j2 := range s.Dims[1] {
			for j3 := range s.Dims[2] {
				var v float32
				for r := range s.Rank {
					v += float32(u.prefix(s, a, b, j1, j2, r) * c[r*s.Dims[2]+j3])
				}
				row = append(row, v)
			}
		}
	}
	return row
}

func (u *reference) prefix(s tt.Shape, a, b []float32, j1, j2, r int) (v float32) {
	for q := range s.Rank {
		v += float32(a[j1*s.Rank+q] * b[(q*s.Dims[1]+j2)*s.Rank+r])
	}
	return v
}

// backward adds the gradients of the slices of a row to the sums.
func (u *reference) backward(table int, index uint32, g []float32) {
	i1, i2, i3 := u.numbers(table, index)
	a, b, c := u.slice(table, 0, i1), u.slice(table, 1, i2), u.slice(table, 2, i3)
	s := u.shape(table)
	n1, n2, n3, rank := s.Dims[0], s.Dims[1], s.Dims[2], s.Rank
	da, db, dc := make([]float32, len(a)), make([]float32, len(b)), make([]float32, len(c))
	dp := make([]float32, n1*n2*rank)
	for j1 := range n1 {
		for j2 := range n2 {
			for r := range rank {
				for j3 := range n3 {
					v := g[(j1*n2+j2)*n3+j3]
					dc[r*n3+j3] += float32(u.prefix(s, a, b, j1, j2, r) * v)
					dp[(j1*n2+j2)*rank+r] += float32(v * c[r*n3+j3])
				}
			}
		}
	}
	for j1 := range n1 {
		for q := range rank {
			for k := range n2 * rank {
				db[q*n2*rank+k] += float32(a[j1*rank+q] * dp[j1*n2*rank+k])
				da[j1*rank+q] += float32(dp[j1*n2*rank+k] * b[q*n2*rank+k])
			}
		}
	}
	for core, d := range [][]float32{da, db, dc} {
		at := [3]int{table, core, [3]int{i1, i2, i3}[core]}
		if u.sums[at] == nil {
			u.sums[at] = exact.NewSum(len(d))
		}
		u.sums[at].Add(d, exact.Magnitude(d))
	}
}

// run trains on all mini-batches and returns the probabilities.
func (u *reference) run(t testing.TB) (probs []float32) {
	b := u.j.Batches(t)
	for m := 0; ; m++ {
		batch, err := b.At(m)
		if errors.Is(err, io.EOF) {
			return probs
		}
		require.NoError(t, err)
		probs = append(probs, u.step(t, m, batch)...)
	}
}

func (u *reference) step(t testing.TB, m int, batch dlrm.Batch) []float32 {
	model, bags := u.j.Model, u.j.Model.Bags()
	n, size := batch.Len(), len(bags)*model.Dim
	pooled, dPooled, p := make([]float32, n*size), make([]float32, n*size), make([]float32, n)
	for i := range n {
		model.PoolSample(pooled[i*size:][:size], batch.At(i).Sparse, u.row)
	}
	g, rows := u.net.NewGradients(), dlrm.NewRowGrads(model.Dim)
	u.net.Worker().Train(batch, pooled, n, g, p, dPooled)
	rows.AddBatch(bags, batch, dPooled)
	require.NoError(t, u.net.Apply(m, g))
	list, err := rows.Round()
	require.NoError(t, err)
	u.sums = map[[3]int]*exact.Sum{}
	if u.each {
		u.backwardEach(t, batch, dPooled)
	}
	for _, x := range list {
		switch {
		case !u.isTT(x.Table):
			u.change(m, [3]int{x.Table, -1, int(x.Index)}, u.row(x.Table, x.Index), x.Grad)
		case !u.each:
			u.backward(x.Table, x.Index, x.Grad)
		}
	}
	for at, sum := range u.sums {
		step := make([]float32, sum.Len())
		require.NoError(t, sum.Round(step))
		u.change(m, at, u.slice(at[0], at[1], at[2]), step)
	}
	return p
}

func (u *reference) backwardEach(t testing.TB, batch dlrm.Batch, dPooled []float32) {
	vector := 0
	for i := range batch.Len() {
		sparse := batch.At(i).Sparse
		for _, bag := range u.j.Model.Bags() {
			for _, index := range sparse[:bag.Lookups] {
				if u.isTT(bag.Table) {
					one, g := exact.NewSum(u.j.Model.Dim), make([]float32, u.j.Model.Dim)
					one.Add(dPooled[vector*u.j.Model.Dim:][:u.j.Model.Dim], 1e9)
					require.NoError(t, one.Round(g))
					u.backward(bag.Table, index, g)
				}
			}
			sparse = sparse[bag.Lookups:]
			vector++
		}
	}
}

// change makes a step.
func (u *reference) change(m int, at [3]int, values, grad []float32) {
	model := u.j.Model
	if at[1] < 0 {
		u.keep(at, model.Optimiser.RowStateLen(len(values)))
		model.Update(m).Row(u.states[at], grad)
	} else {
		u.keep(at, model.Optimiser.StateLen(len(values)))
		model.Update(m).Slice(u.states[at], grad)
	}
	dlrm.UpdateRow(values, grad, -u.j.Model.LearningRate)
}

// keep makes sure that there is a state of n values.
func (u *reference) keep(at [3]int, n int) {
	if u.states[at] == nil {
		u.states[at] = make([]float32, n)
	}
}

// requireTrue compares a system with the reference.
func requireTrue(t testing.TB, u *reference, s train.System) {
	t.Helper()
	require.NoError(t, u.net.Diff(s.Net()))
	row := make([]float32, u.j.Model.Dim)
	for table, x := range u.j.Model.Tables {
		for index := range uint32(x.Rows) {
			require.NoError(t, s.Row(table, index, row))
			require.Equal(t, u.row(table, index), row, "table %d, row %d", table, index)
		}
	}
}
