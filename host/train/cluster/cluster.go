package cluster

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// GPU is a GPU that trains. It holds a replica of the dense parameters and the gradients of its
// inputs of the mini-batch.
type GPU struct {
	*server.GPU
	Net *dlrm.Net

	rows          *dlrm.RowGrads
	worker        *dlrm.Worker
	grads         *dlrm.Gradients
	bags          []dlrm.Bag
	part          dlrm.Batch // inputs of the latest Train
	probabilities []float32  // their predictions
	dPooled       []float32  // gradients of their pooled vectors
}

// Cluster is the set of GPUs of a machine, which train one model data-parallel. On a machine
// without values they compute nothing: gradients list the same rows, but are zero.
type Cluster struct {
	GPUs  []*GPU
	Watch train.Watch          // observes the pooled vectors
	Raw   func(table int) bool // reports tables whose rows have no steps, so that gradients stay gradients; may be nil
	// Apart, unless nil, reports tables whose row gradients the GPUs do not exchange, because the
	// system exchanges something else. Later postpones the exchange for all tables to Average.
	Apart   func(table int) bool
	Later   bool
	machine *server.Server
	from    *train.State
	states  map[[2]uint32][]float32 // optimiser states by table and row, where they differ from the initial state
	latest  int                     // mini-batch of the latest Train

	probabilities []float32 // of the mini-batch
}

// NewCluster gives each GPU a replica of the dense parameters of a state.
func NewCluster(s *server.Server, from *train.State) *Cluster {
	model := from.Model
	c := &Cluster{Watch: train.Unwatched{}, machine: s, from: from, states: map[[2]uint32][]float32{}}
	for _, g := range s.GPUs {
		gpu := &GPU{GPU: g, Net: from.Net, rows: dlrm.NewRowGrads(model.Dim), bags: model.Bags()}
		if !c.Valueless() {
			gpu.Net = from.Net.Clone()
			gpu.worker, gpu.grads = gpu.Net.Worker(), gpu.Net.NewGradients()
		}
		c.GPUs = append(c.GPUs, gpu)
	}
	return c
}

// Model returns the model that the GPUs train.
func (c *Cluster) Model() dlrm.Config { return c.from.Model }

// Net returns the dense part of GPU 0.
func (c *Cluster) Net() *dlrm.Net { return c.GPUs[0].Net }

// Valueless reports whether the machine has no values, so that the GPUs compute nothing.
func (c *Cluster) Valueless() bool { return c.machine.Config.Valueless }

// Share returns how many of n inputs GPU g gets when inputs are dealt round-robin.
func (c *Cluster) Share(n, g int) int { return (n - g + len(c.GPUs) - 1) / len(c.GPUs) }

// Deal returns the inputs that GPU g gets when inputs are dealt round-robin.
func (c *Cluster) Deal(inputs []int, g int) []int {
	var share []int
	for k := g; k < len(inputs); k += len(c.GPUs) {
		share = append(share, inputs[k])
	}
	return share
}

// Each runs work for all GPUs concurrently and returns the error of the GPU with the lowest number.
// Shared data may only be read.
func (c *Cluster) Each(work func(g int, gpu *GPU) error) error {
	errs := make([]error, len(c.GPUs))
	var all sync.WaitGroup
	for g, gpu := range c.GPUs {
		all.Go(func() { errs[g] = work(g, gpu) })
	}
	all.Wait()
	for g, err := range errs {
		if err != nil {
			return fmt.Errorf("GPU %d: %w", g, err)
		}
	}
	return nil
}

// Probabilities returns a zeroed buffer for the probabilities of n inputs. It reuses the buffer of
// the previous call. It returns nil on a machine without values.
func (c *Cluster) Probabilities(n int) []float32 {
	if c.Valueless() {
		return nil
	}
	c.probabilities = append(c.probabilities[:0], make([]float32, n)...)
	return c.probabilities
}

// Pool writes the pooled vectors (bags x Dim) of an input of a mini-batch. The input is number k
// among the inputs of GPU g.
type Pool func(g, k, input int, pooled []float32) error

// PooledByCPU returns a Pool that copies vectors which the CPU has pooled for all inputs of a
// mini-batch.
func (c *Cluster) PooledByCPU(vectors []float32) Pool { return c.pooled(vectors, true) }

// PooledByGPUs returns a Pool that copies vectors which the GPUs have pooled together.
func (c *Cluster) PooledByGPUs(vectors []float32) Pool { return c.pooled(vectors, false) }

func (c *Cluster) pooled(vectors []float32, byCPU bool) Pool {
	return func(_, _, input int, pooled []float32) error {
		copy(pooled, vectors[input*len(pooled):])
		c.Ledger().Vector(len(pooled)*valueBytes, byCPU)
		return nil
	}
}

// Train trains the GPUs on the given inputs of mini-batch m, dealt round-robin. It stores each
// predicted click probability at the input's index in probabilities. The GPUs call pool
// concurrently; on a machine without values, pool is not called. Train returns the first error of
// pool.
func (c *Cluster) Train(m int, batch dlrm.Batch, inputs []int, probabilities []float32, pool Pool) error {
	c.latest = m
	return c.Each(func(g int, gpu *GPU) error {
		share := c.Deal(inputs, g)
		gpu.part.Select(batch, share)
		if c.Valueless() {
			gpu.rows.AddZeros(gpu.bags, gpu.part)
			return nil
		}
		size := len(gpu.bags) * c.from.Model.Dim
		pooled := make([]float32, len(share)*size)
		for k, i := range share {
			if err := pool(g, k, i, pooled[k*size:][:size]); err != nil {
				return err
			}
			c.Watch.Pooled(m, i, pooled[k*size:][:size])
		}
		gpu.train(batch.Len(), pooled)
		for k, i := range share {
			probabilities[i] = gpu.probabilities[k]
		}
		return nil
	})
}

// train trains on the GPU's share of a mini-batch of n inputs.
func (g *GPU) train(n int, pooled []float32) {
	inputs := g.part.Len()
	g.probabilities = slices.Grow(g.probabilities[:0], inputs)[:inputs]
	g.dPooled = slices.Grow(g.dPooled[:0], len(pooled))[:len(pooled)]
	g.worker.Train(g.part, pooled, n, g.grads, g.probabilities, g.dPooled)
	g.rows.AddBatch(g.bags, g.part, g.dPooled)
}

// Own returns the row gradients of the GPU's own inputs of the mini-batch, in the order of table
// and index. They are valid until AllReduce. It returns an error if a gradient is not valid.
func (g *GPU) Own() ([]dlrm.RowGrad, error) {
	if g.grads == nil {
		return g.rows.Zeros(), nil
	}
	return g.rows.Round()
}

// Lookups visits each lookup of the latest Train, with the gradient of the vector that the row was
// pooled into.
func (g *GPU) Lookups(visit func(table int, index uint32, grad []float32)) {
	dim, sparse, vector := len(g.dPooled)/max(1, g.part.Len()*len(g.bags)), g.part.Sparse, 0
	for range g.part.Len() {
		for _, bag := range g.bags {
			for _, index := range sparse[:bag.Lookups] {
				visit(bag.Table, index, g.dPooled[vector*dim:][:dim])
			}
			sparse, vector = sparse[bag.Lookups:], vector+1
		}
	}
}

// Sum is the result of an all-reduce of a mini-batch's gradients, which every GPU has.
type Sum struct {
	MiniBatch int
	Dense     *dlrm.Gradients
	Rows      []dlrm.RowGrad // steps of the rows, in the order of table and index
	Loss      float32
	Listed    int // distinct rows per GPU, summed over GPUs
}

// AllReduce sums the gradients of all GPUs. It returns an error if a gradient is not valid.
func (c *Cluster) AllReduce() (Sum, error) {
	c.Ledger().Reduced(len(c.GPUs), c.denseBytes(), c.exchanged(), valueBytes*c.from.Model.Dim, c.Later)
	return c.sum()
}

func (c *Cluster) sum() (Sum, error) {
	first := c.GPUs[0]
	listed := first.rows.Len()
	for _, g := range c.GPUs[1:] {
		listed += g.rows.Len()
		first.rows.Merge(g.rows)
	}
	if c.Valueless() {
		return Sum{MiniBatch: c.latest, Rows: first.rows.Zeros(), Listed: listed}, nil
	}
	for _, g := range c.GPUs[1:] {
		first.grads.Merge(g.grads)
	}
	rows, err := first.rows.Round()
	if err != nil {
		return Sum{}, err
	}
	c.step(rows)
	loss, err := first.grads.Loss()
	return Sum{c.latest, first.grads, rows, loss, listed}, err
}

// step turns gradients of rows into steps and updates the optimiser's states. One copy of each
// state suffices, wherever the row is, because the state depends only on the gradients.
func (c *Cluster) step(rows []dlrm.RowGrad) {
	update := c.from.Model.Update(c.latest)
	for _, r := range rows {
		if c.Raw == nil || !c.Raw(r.Table) {
			update.Row(c.state(r.Table, r.Index), r.Grad)
		}
	}
}

// state returns the optimiser's state of a row, or nil if the optimiser keeps no state.
func (c *Cluster) state(table int, index uint32) []float32 {
	n := c.from.Model.Optimiser.RowStateLen(c.from.Model.Dim)
	if n == 0 {
		return nil
	}
	at := [2]uint32{uint32(table), index}
	if c.states[at] == nil {
		c.states[at] = make([]float32, n)
		copy(c.states[at], c.from.RowState(table, index))
	}
	return c.states[at]
}

// RowState returns the optimiser's state of a row, as in train.System.
func (c *Cluster) RowState(table int, index uint32) []float32 {
	if s := c.states[[2]uint32{uint32(table), index}]; s != nil {
		return s
	}
	return c.from.RowState(table, index)
}

// Apply updates the dense parameters of the GPUs. It visits GPUs sequentially, because the
// gradients have a single buffer for rounding.
func (c *Cluster) Apply(s Sum) error {
	if c.Valueless() {
		return nil
	}
	for g, gpu := range c.GPUs {
		if err := gpu.Net.Apply(s.MiniBatch, s.Dense); err != nil {
			return fmt.Errorf("GPU %d: %w", g, err)
		}
	}
	return nil
}

// Reset clears the gradients of the mini-batch.
func (c *Cluster) Reset() {
	for _, g := range c.GPUs {
		g.rows.Reset()
		if !c.Valueless() {
			g.grads.Reset()
		}
	}
}

// CheckReplicas returns an error for the first difference between the replicas of the dense
// parameters.
func (c *Cluster) CheckReplicas() error {
	for i, g := range c.GPUs[1:] {
		if err := c.GPUs[0].Net.Diff(g.Net); err != nil {
			return fmt.Errorf("dense replicas of GPU 0 and GPU %d differ: %w", i+1, err)
		}
	}
	return nil
}
