package cluster_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
)

// kaggle returns RM2 of the Hotline paper.
func kaggle() dlrm.Config {
	model := dlrm.Config{Dense: 13, Dim: 16, Bottom: []int{13, 512, 256, 64, 16}, Top: []int{512, 256, 1}, LearningRate: 0.1}
	for range 26 {
		model.Tables = append(model.Tables, dlrm.Table{Name: "t", Rows: 1000, Lookups: 1})
	}
	return model
}

func newServer(t *testing.T, gpus int) *server.Server {
	cfg := server.DefaultConfig()
	cfg.GPUs = gpus
	s, err := server.New(cfg)
	require.NoError(t, err)
	return s
}

func initial(t *testing.T, model dlrm.Config, seed uint64) *train.State {
	s, err := train.Initial(model, seed)
	require.NoError(t, err)
	return s
}

func TestTablesAreFilledWhereTouched(t *testing.T) {
	for _, dim := range []int{1, 3, 16, 1500} { // rows smaller and larger than pages
		model := kaggle()
		model.Dim = dim
		model.Bottom[len(model.Bottom)-1] = dim
		s := newServer(t, 1)
		tables := cluster.NewTables(s.Host, initial(t, model, 5))
		got, want := make([]float32, dim), make([]float32, dim)
		for _, index := range []uint32{999, 0, 341, 342, 682, 500} {
			for _, table := range []int{25, 0} {
				require.NoError(t, tables.Read(table, index, got))
				dlrm.InitRow(model, 5, table, index, want)
				require.Equal(t, want, got, "dimension %d, row %d", dim, index)
			}
		}
		want[0] = 42
		require.NoError(t, tables.Write(3, 10, want))
		require.NoError(t, tables.Read(3, 10, got))
		require.Equal(t, want, got)
		require.NoError(t, tables.Read(3, 11, got))
		dlrm.InitRow(model, 5, 3, 11, want)
		require.Equal(t, want, got, "the neighbour of a row that was written first")
		require.Error(t, tables.Read(0, 1000, got))
		require.Equal(t, uint64(0), tables.Address(1)%pcie.Boundary)
	}
}

func TestShareDealsOutInTurn(t *testing.T) {
	inputs := make([]int, 20)
	for i := range inputs {
		inputs[i] = 100 + i
	}
	for gpus := 1; gpus <= 4; gpus++ {
		c := cluster.NewCluster(newServer(t, gpus), initial(t, kaggle(), 1))
		for n := range 20 {
			count := make([]int, gpus)
			for i := range n {
				count[i%gpus]++
			}
			for g := range gpus {
				require.Equal(t, count[g], c.Share(n, g))
				share := c.Deal(inputs[:n], g)
				require.Len(t, share, count[g])
				for k, i := range share {
					require.Equal(t, inputs[k*gpus+g], i)
				}
			}
		}
	}
}

// TestEach: all work is done, and the error of the first GPU is returned.
func TestEach(t *testing.T) {
	c := cluster.NewCluster(newServer(t, 4), initial(t, kaggle(), 1))
	done := make([]*cluster.GPU, 4)
	require.NoError(t, c.Each(func(g int, gpu *cluster.GPU) error { done[g] = gpu; return nil }))
	require.Equal(t, c.GPUs, done)
	require.EqualError(t, c.Each(func(g int, _ *cluster.GPU) error {
		if g == 0 {
			return nil
		}
		return fmt.Errorf("burnt %d", g)
	}), "GPU 1: burnt 1")
}

// TestTouched: rows are touched one by one.
func TestTouched(t *testing.T) {
	model := kaggle()
	for _, dim := range []int{16, 1500} {
		model.Dim = dim
		model.Bottom[len(model.Bottom)-1] = dim
		tables := cluster.NewTables(newServer(t, 1).Host, initial(t, model, 5))
		require.Empty(t, tables.Touched(3))
		row := make([]float32, dim)
		for _, index := range []uint32{100, 999, 101} {
			require.NoError(t, tables.Read(3, index, row))
		}
		require.NoError(t, tables.Write(3, 300, row))
		want := []train.Span{{First: 100, End: 102}, {First: 300, End: 301}, {First: 999, End: 1000}}
		require.Equal(t, want, tables.Touched(3), "dimension %d", dim)
		require.Empty(t, tables.Touched(4))
	}
}

func TestCheckReplicas(t *testing.T) {
	c := cluster.NewCluster(newServer(t, 3), initial(t, kaggle(), 1))
	require.NoError(t, c.CheckReplicas())
	for name, v := range c.GPUs[2].Net.Params() {
		if name == "top.1.bias" {
			v[3]++
		}
	}
	require.ErrorContains(t, c.CheckReplicas(), "dense replicas of GPU 0 and GPU 2 differ: top.1.bias[3] is ")
}
