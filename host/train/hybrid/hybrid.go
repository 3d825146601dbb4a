package hybrid

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
)

// Options of New.
type Options struct {
	// Seed of the initial parameters.
	Seed uint64
	// Software is the CPU's embedding kernels.
	Software node.Software
}

// DefaultOptions are those of the paper's strongest baseline of this kind, the
// Intel-optimised DLRM.
func DefaultOptions(seed uint64) Options { return Options{Seed: seed, Software: node.Optimised} }

// System is the hybrid baseline. It implements train.System.
type System struct {
	s       *server.Server
	model   rec.Config
	opts    Options
	cluster *parts.Cluster
	tables  *parts.Tables
	ledger  *parts.Ledger
	row     []float32
	pooled  [][]float32 // of a mini-batch, for each GPU: inputs x bags x Dim
	probs   []float32
	copied  node.Time // when the last pooled vector was on its GPU
	back    node.Time // when the last gradient was in CPU memory
}

// The parts of its time.
const (
	partGather = "CPU gather"
	partCopies = "copies to GPUs"
	partMLP    = "MLPs"
	partBack   = "gradients to CPU"
	partUpdate = "CPU update"
	partReduce = "all-reduce, optimiser"
)

// New makes the baseline on a machine whose slot may be empty. Errors: the model
// is not valid, or does not fit into host memory.
func New(s *server.Server, model rec.Config, opts Options) (*System, error) {
	cluster, err := parts.NewCluster(s, model, opts.Seed)
	if err != nil {
		return nil, err
	}
	tables, err := parts.NewTables(s.Host, model, opts.Seed)
	if err != nil {
		return nil, fmt.Errorf("hybrid: %w", err)
	}
	return &System{
		s: s, model: model, opts: opts, cluster: cluster, tables: tables, row: make([]float32, model.Dim),
		pooled: make([][]float32, len(cluster.GPUs)),
		ledger: parts.NewLedger(s.Kernel, partGather, partCopies, partMLP, partBack, partUpdate, partReduce),
	}, nil
}

// Name implements train.System.
func (h *System) Name() string { return "hybrid CPU-GPU" }

// Model implements train.System.
func (h *System) Model() rec.Config { return h.model }

// Net implements train.System.
func (h *System) Net() *rec.Net { return h.cluster.GPUs[0].Net }

// Row implements train.System.
func (h *System) Row(table int, index uint32, dst []float32) error {
	return h.tables.Read(table, index, dst)
}

// Report implements train.System.
func (h *System) Report() train.Report {
	return train.Report{Time: h.ledger.Total(), Breakdown: h.ledger.Parts(), Busy: parts.Usage(h.s.Resources())}
}

// Train implements train.System.
func (h *System) Train(b train.Batches, done func(train.Step)) error {
	for m := range b.Len() {
		loss, err := h.step(b.At(m))
		if err != nil {
			return err
		}
		done(train.Step{MiniBatch: m, Loss: loss, Probabilities: h.probs, Time: h.s.Kernel.Now()})
	}
	return h.cluster.CheckReplicas()
}

// step trains on one mini-batch.
func (h *System) step(batch rec.Batch) (loss float32, err error) {
	if err := h.gather(batch); err != nil {
		return 0, err
	}
	h.launch(batch)
	if err := h.cluster.Wait(); err != nil {
		return 0, err
	}
	h.ledger.MarkUntil(partCopies, h.copied)
	h.ledger.Mark(partMLP)

	updated := h.updateTime(batch.Len())
	sum, err := h.cluster.AllReduce(0)
	if err != nil {
		return 0, err
	}
	if err := h.update(sum, updated); err != nil {
		return 0, err
	}
	h.cluster.Reset()
	return sum.Loss, nil
}

// gather reads and pools all rows on the CPU.
func (h *System) gather(batch rec.Batch) error {
	m := &h.s.Config.Machine
	_, end := h.s.CPU.Acquire("gather", m.CPUGatherTime(batch.Len()*h.model.Lookups(), h.cluster.Cost.RowBytes(), h.opts.Software))
	if err := h.s.Kernel.RunTo(end); err != nil {
		return err
	}
	gpus, size := len(h.pooled), len(h.model.Bags())*h.model.Dim
	for g := range h.pooled {
		n := h.cluster.Share(batch.Len(), g) * size
		h.pooled[g] = slices.Grow(h.pooled[g][:0], n)[:n]
	}
	h.probs = append(h.probs[:0], make([]float32, batch.Len())...)
	var failed error
	for i := range batch.Len() {
		h.model.PoolSample(h.pooled[i%gpus][i/gpus*size:][:size], batch.At(i).Sparse, func(table int, index uint32) []float32 {
			if err := h.tables.Read(table, index, h.row); err != nil && failed == nil {
				failed = err
			}
			return h.row
		})
	}
	h.ledger.Mark(partGather)
	return failed
}

// launch copies the pooled vectors to the GPUs, which train on their inputs and
// send the gradients of the vectors back.
func (h *System) launch(batch rec.Batch) {
	inputs := make([]int, batch.Len())
	for i := range inputs {
		inputs[i] = i
	}
	for g := range h.cluster.GPUs {
		share := h.cluster.Share(batch.Len(), g)
		copies := h.copyTime(share)
		_, h.copied = h.s.Copies.Acquire("pooled vectors", copies)
		h.cluster.Launch(g, "MLPs", h.copied, h.cluster.Cost.MLP(share), func(gpu *parts.GPU) error {
			gpu.Train(batch, h.cluster.Deal(inputs, g), h.pooled[g], h.probs)
			_, h.back = h.s.Copies.Acquire("gradients", copies)
			return nil
		})
	}
}

// copyTime is the time of a copy per table for the vectors of n inputs.
func (h *System) copyTime(n int) node.Time {
	if n == 0 {
		return 0
	}
	perTable := h.s.Config.Machine.PageableCopyTime(n * h.cluster.Cost.RowBytes())
	return node.Time(len(h.model.Tables)) * perTable
}

// updateTime is when the CPU has updated the rows of n inputs, once it has their
// gradients.
func (h *System) updateTime(n int) node.Time {
	m, rowBytes, lookups := &h.s.Config.Machine, h.cluster.Cost.RowBytes(), n*h.model.Lookups()
	// What the training of rows takes beyond reading them once.
	d := max(0, m.CPUEmbeddingTime(lookups, rowBytes, h.opts.Software)-m.CPUGatherTime(lookups, rowBytes, h.opts.Software))
	_, end := h.s.CPU.AcquireAt("update", h.back, d)
	return end
}

// update changes the dense parameters on the GPUs while the CPU changes the
// rows, until updated.
func (h *System) update(sum parts.Sum, updated node.Time) error {
	for g := range h.cluster.GPUs {
		h.cluster.Launch(g, "optimiser", 0, h.cluster.Cost.Optimiser(), func(gpu *parts.GPU) error { return gpu.Apply(sum) })
	}
	if err := h.cluster.Wait(); err != nil {
		return err
	}
	if err := h.s.Kernel.RunTo(max(updated, h.s.Kernel.Now())); err != nil {
		return err
	}
	for _, r := range sum.Rows {
		if err := h.tables.Read(r.Table, r.Index, h.row); err != nil {
			return err
		}
		rec.UpdateRow(h.row, r.Grad, -h.model.LearningRate)
		if err := h.tables.Write(r.Table, r.Index, h.row); err != nil {
			return err
		}
	}
	h.ledger.MarkUntil(partBack, h.back)
	h.ledger.MarkUntil(partUpdate, updated)
	h.ledger.Mark(partReduce)
	return nil
}
