package cluster_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
)

// twoTables returns a model with one lookup in each of two tables.
func twoTables() dlrm.Config {
	return dlrm.Config{Dense: 1, Dim: 4, Bottom: []int{1, 4}, Top: []int{1}, LearningRate: 0.5,
		Tables: []dlrm.Table{{Name: "a", Rows: 10, Lookups: 1}, {Name: "b", Rows: 2, Lookups: 1}}}
}

func batchesOf(t *testing.T, size int, rows ...[2]uint32) *train.Batches {
	model := twoTables()
	var inputs []dlrm.Sample
	for _, r := range rows {
		inputs = append(inputs, dlrm.Sample{Dense: []float32{0}, Sparse: []uint32{r[0], r[1]}})
	}
	b, err := train.NewBatches(model, datatest.Source("test", data.Shape{Dense: 1, Tables: model.Tables}, inputs), size, 0)
	require.NoError(t, err)
	return b
}

// TestTop: rows with equal counts are in the order of table and index.
func TestTop(t *testing.T) {
	b := batchesOf(t, 2, [2]uint32{7, 1}, [2]uint32{3, 1}, [2]uint32{9, 0}, [2]uint32{9, 0}, [2]uint32{3, 0}, [2]uint32{5, 1}, [2]uint32{4, 0})
	all := func(int) bool { return true }
	c, err := cluster.CountRows(b, twoTables(), 0, 99, 2)
	require.NoError(t, err)
	require.Equal(t, []int{8, 2}, []int{c.Lookups, c.MiniBatches}, "of mini-batches 0 and 2")
	require.Equal(t, []cluster.Row{{0, 3}, {1, 0}, {1, 1}}[1:], c.Top(2, func(table int) bool { return table == 1 }))
	require.Equal(t, []cluster.Row{{0, 3}, {1, 1}}, c.Top(2, all))
	require.Equal(t, []cluster.Row{{0, 3}, {0, 5}, {1, 1}}, c.Top(3, all))
	require.Len(t, c.Top(99, all), 5)
	c, err = cluster.CountRows(b, twoTables(), 1, 3, 1)
	require.NoError(t, err)
	require.Equal(t, 8, c.Lookups)
	require.Equal(t, []cluster.Row{{0, 9}}, c.Top(1, func(table int) bool { return table == 0 }))
}

// TestReplicas: rows move with their trained values, and are in one place.
func TestReplicas(t *testing.T) {
	for _, valueless := range []bool{false, true} {
		s := newServer(t, 3)
		s.Config.Valueless = valueless
		from := initial(t, twoTables(), 1)
		c, tables := cluster.NewCluster(s, from), cluster.NewTables(s.Host, from)
		r := cluster.NewReplicas(c, tables, 2)
		got, want := make([]float32, 4), make([]float32, 4)
		in, out, err := r.Set([]cluster.Row{{0, 4}, {0, 6}})
		require.NoError(t, err)
		require.Equal(t, []int{2, 0, 2}, []int{in, out, r.Len()})
		step := []float32{1, 1, 1, 1}
		hot, cold := r.Split([]dlrm.RowGrad{{Table: 0, Index: 4, Grad: step}, {Table: 0, Index: 5, Grad: step}})
		require.Equal(t, []uint32{4, 5}, []uint32{hot[0].Index, cold[0].Index})
		require.NoError(t, r.Update(hot))
		from.Row(0, 4, want)
		for i := range want {
			want[i] -= 0.5
		}
		require.NoError(t, r.Read(cluster.Row{Table: 0, Index: 4}, got))
		require.Equal(t, want, got)
		require.NoError(t, tables.Read(0, 4, got))
		require.Equal(t, !valueless, got[0] != got[0], "poisoned")
		in, out, err = r.Set([]cluster.Row{{0, 6}, {1, 1}})
		require.NoError(t, err)
		require.Equal(t, []int{1, 1}, []int{in, out})
		require.NoError(t, tables.Read(0, 4, got))
		require.Equal(t, want, got, "written back")
		require.False(t, r.Has(cluster.Row{Table: 0, Index: 4}))
		from.Row(1, 1, want)
		require.NoError(t, r.ReadOn(2, cluster.Row{Table: 1, Index: 1}, got))
		require.Equal(t, want, got)
	}
}

// TestShards: every row of every table is on one GPU, in its own place.
func TestShards(t *testing.T) {
	for gpus := 1; gpus <= 4; gpus++ {
		from := initial(t, twoTables(), 1)
		c := cluster.NewCluster(newServer(t, gpus), from)
		s := cluster.NewShards(c, from)
		got, want := make([]float32, 4), make([]float32, 4)
		require.Empty(t, s.Touched(0))
		for table, n := range map[int]uint32{0: 10, 1: 2} {
			for index := range n {
				row := cluster.Row{Table: table, Index: index}
				require.NoError(t, s.Read(row, got))
				from.Row(table, index, want)
				require.Equal(t, want, got, "%d GPUs, %v", gpus, row)
				require.Equal(t, (int(index)+table)%gpus, s.Owner(row))
			}
			require.Equal(t, []train.Span{{First: 0, End: int(n)}}, s.Touched(table))
		}
		step := []float32{1, 2, 3, 4}
		require.NoError(t, s.Update([]dlrm.RowGrad{{Table: 1, Index: 1, Grad: step}}))
		from.Row(1, 1, want)
		dlrm.UpdateRow(want, step, -0.5)
		require.NoError(t, s.Read(cluster.Row{Table: 1, Index: 1}, got))
		require.Equal(t, want, got)
		from.Row(1, 0, want)
		require.NoError(t, s.Read(cluster.Row{Table: 1, Index: 0}, got))
		require.Equal(t, want, got)
	}
}

// TestFetch: a GPU gets each wanted row that its inputs read exactly once.
func TestFetch(t *testing.T) {
	from := initial(t, twoTables(), 1)
	c := cluster.NewCluster(newServer(t, 2), from)
	b := cluster.NewBuffers(c, cluster.NewTables(newServer(t, 1).Host, from), 4)
	batch, err := batchesOf(t, 4, [2]uint32{7, 1}, [2]uint32{7, 1}, [2]uint32{7, 0}, [2]uint32{3, 1}).At(0)
	require.NoError(t, err)
	f, err := b.Fetch(batch, []int{0, 1, 2, 3}, func(r cluster.Row) bool { return r != cluster.Row{Table: 0, Index: 3} })
	require.NoError(t, err)
	require.Equal(t, cluster.Fetched{Rows: 3 + 2, Lookups: 7, Bags: 7}, f)
	got, want := make([]float32, 4), make([]float32, 4)
	for g, rows := range [][]cluster.Row{{{0, 7}, {1, 1}, {1, 0}}, {{0, 7}, {1, 1}}} {
		for _, row := range rows {
			require.NoError(t, b.ReadOn(g, row, got))
			from.Row(row.Table, row.Index, want)
			require.Equal(t, want, got)
		}
	}
}
