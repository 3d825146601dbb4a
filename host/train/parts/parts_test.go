package parts_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
)

// kaggle is RM2 of the Hotline paper.
func kaggle() rec.Config {
	model := rec.Config{Dense: 13, Dim: 16, Bottom: []int{13, 512, 256, 64, 16}, Top: []int{512, 256, 1}, LearningRate: 0.1}
	for range 26 {
		model.Tables = append(model.Tables, rec.Table{Name: "t", Rows: 1000, Lookups: 1})
	}
	return model
}

func newServer(t *testing.T, gpus int) *server.Server {
	cfg := server.DefaultConfig()
	cfg.Machine.GPUs = gpus
	s, err := server.New(cfg)
	require.NoError(t, err)
	return s
}

func TestTablesAreFilledWhereTouched(t *testing.T) {
	for _, dim := range []int{1, 3, 16, 1500} { // rows smaller, larger than pages and across them
		model := kaggle()
		model.Dim = dim
		s := newServer(t, 1)
		tables, err := parts.NewTables(s.Host, model, 5)
		require.NoError(t, err)
		got, want := make([]float32, dim), make([]float32, dim)
		for _, index := range []uint32{999, 0, 341, 342, 682, 500} {
			for _, table := range []int{25, 0} {
				require.NoError(t, tables.Read(table, index, got))
				rec.InitRow(model, 5, table, index, want)
				require.Equal(t, want, got, "dimension %d, row %d", dim, index)
			}
		}
		want[0] = 42
		require.NoError(t, tables.Write(3, 10, want))
		require.NoError(t, tables.Read(3, 10, got))
		require.Equal(t, want, got)
		require.NoError(t, tables.Read(3, 11, got))
		rec.InitRow(model, 5, 3, 11, want)
		require.Equal(t, want, got, "the neighbour of a row that was written first")
		require.Error(t, tables.Read(0, 1000, got))
		require.Equal(t, uint64(0), tables.Address(1)%node.PageSize)
	}
}

func TestCost(t *testing.T) {
	m := node.DefaultMachine()
	c := parts.NewCost(&m, kaggle())
	require.Equal(t, 64, c.RowBytes())
	net, err := rec.NewNet(kaggle(), 1)
	require.NoError(t, err)
	require.Equal(t, 4*net.Len(), c.DenseBytes())

	for _, f := range []func(int) node.Time{c.MLP, c.EmbeddingForward, c.EmbeddingBackward, c.RowUpdate, c.RowMove, c.Fill, c.Check} {
		require.Zero(t, f(0))
		require.Positive(t, f(1))
		require.Greater(t, f(1<<20), f(1<<10))
	}
	// Small batches are bound by launches: a step of about 150 kernels of 10 us.
	step := c.EmbeddingForward(128) + c.MLP(128) + c.EmbeddingBackward(128) + c.Optimiser()
	require.InDelta(t, 1.5e-3, step.Seconds(), 0.5e-3)
	// Large ones by arithmetic: 2.92 MFLOP per input at 13.5 TFLOP/s at best.
	arithmetic := 32768 * 2.92e6 / 13.5e12
	require.Greater(t, c.MLP(32768).Seconds(), arithmetic)
	require.Less(t, c.MLP(32768).Seconds(), 2*arithmetic)
}

func TestLedger(t *testing.T) {
	k := node.NewKernel()
	require.NoError(t, k.RunTo(100))
	l := parts.NewLedger(k, "a", "b")
	require.NoError(t, k.RunTo(130))
	l.Mark("b")
	require.NoError(t, k.RunTo(200))
	l.MarkUntil("a", 150)
	l.MarkUntil("b", 140) // is over already
	l.Mark("b")
	require.Equal(t, []train.Part{{Label: "a", Time: 20}, {Label: "b", Time: 80}}, l.Parts())
	require.EqualValues(t, 100, l.Total())
	require.Panics(t, func() { l.MarkUntil("c", 300) })
}

func TestUsage(t *testing.T) {
	k := node.NewKernel()
	r, idle := node.NewResource(k, "r", 1), node.NewResource(k, "idle", 1)
	r.Acquire("x", 5)
	r.Acquire("y", 7)
	r.Acquire("x", 1)
	require.Equal(t, []train.Usage{{Resource: "r", Label: "x", Time: 6, Count: 2}, {Resource: "r", Label: "y", Time: 7, Count: 1}},
		parts.Usage([]*node.Resource{r, idle}))
}

func TestShareDealsOutInTurn(t *testing.T) {
	inputs := make([]int, 20)
	for i := range inputs {
		inputs[i] = 100 + i
	}
	for gpus := 1; gpus <= 4; gpus++ {
		c, err := parts.NewCluster(newServer(t, gpus), kaggle(), 1)
		require.NoError(t, err)
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

func TestLaunch(t *testing.T) {
	s := newServer(t, 3)
	c, err := parts.NewCluster(s, kaggle(), 1)
	require.NoError(t, err)
	var order []int
	at := map[int]node.Time{}
	for g, d := range []node.Time{30, 10, 20} {
		c.Launch(g, "work", 5, d, func(gpu *parts.GPU) error {
			require.Same(t, c.GPUs[g], gpu)
			order, at[g] = append(order, g), s.Kernel.Now()
			return nil
		})
	}
	require.NoError(t, c.Wait())
	require.Equal(t, []int{1, 2, 0}, order)
	require.Equal(t, map[int]node.Time{0: 35, 1: 15, 2: 25}, at)
	require.NoError(t, c.Wait(), "nothing to wait for")

	c.Launch(1, "work", 0, 1, func(*parts.GPU) error { return errors.New("burnt") })
	require.Panics(t, func() { c.Launch(1, "work", 0, 1, nil) })
	require.EqualError(t, c.Wait(), "GPU 1: burnt")
}

func TestCheckReplicas(t *testing.T) {
	c, err := parts.NewCluster(newServer(t, 3), kaggle(), 1)
	require.NoError(t, err)
	require.NoError(t, c.CheckReplicas())
	for name, v := range c.GPUs[2].Net.Params() {
		if name == "top.1.bias" {
			v[3]++
		}
	}
	require.ErrorContains(t, c.CheckReplicas(), "dense replicas of GPU 0 and GPU 2 differ: top.1.bias[3] is ")
}
