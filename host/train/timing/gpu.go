package timing

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
)

// Op is a group of operators of a GPU, which are dispatched sequentially.
type Op struct {
	Label   string
	Count   int
	Kernels des.Time // of all operators, in total
	Data    []timeline.Data
}

// GPU books operators. The host thread dispatches each operator. Its kernel starts when the
// dispatch is done and the GPU is free; the host thread continues.
func (s *Schedule) GPU(ops []Op, after ...timeline.Point) timeline.Point {
	d := s.Machine.Dispatch(s.Profile.Launch == "graph", s.Profile.processGPUs(s.GPUs))
	start := timeline.Latest(after...)
	end := start
	for _, o := range ops {
		end = s.Thread.Pass(o.Count, timeline.Work{Label: s.dispatchLabel(o), Time: d},
			s.Stream, timeline.Work{Label: o.Label, Time: o.Kernels, Kernels: o.Count, Data: o.Data}, start)
	}
	return end
}

// dispatchLabel returns the label of the dispatch of operators, if it is recorded.
func (s *Schedule) dispatchLabel(o Op) string {
	if s.keep == nil {
		return ""
	}
	return "dispatch " + o.Label
}

// Wait makes the host thread wait for p, as a device synchronisation does.
func (s *Schedule) Wait(p timeline.Point) timeline.Point { return s.Book(s.Thread, "wait", 0, 0, p) }

// Operators of a layer of an MLP, counted in the DLRM reference.
const (
	layerForwardBackward = 7 // 2 forward: product with bias, activation; 5 backward
	layerTensors         = 2 // weight and bias, each with operators of its update and one that zeroes its gradient
)

// LayerOps is the number of operators of a layer of an MLP, forward to update, with an optimiser
// without states.
const LayerOps = layerForwardBackward + 2*layerTensors

// mlp is an MLP of a model.
type mlp struct {
	widths []int // of its layers, the input first
	times  int   // number of runs per input
	plain  bool  // without biases
}

// parameters returns the number of parameters.
func (m mlp) parameters() int {
	n, bias := 0, 1
	if m.plain {
		bias = 0
	}
	for i, in := range m.widths[:len(m.widths)-1] {
		n += (in + bias) * m.widths[i+1]
	}
	return n
}

// mlpsOf returns the MLPs of a model. In a TBSM, the MLPs of the time steps run once per step; the
// product of the attention, the attention and the head run once.
func mlpsOf(m dlrm.Config) []mlp {
	steps := max(1, m.Steps)
	mlps := []mlp{{m.Bottom, steps, false}, {append([]int{m.TopIn()}, m.Top...), steps, false}}
	if m.Kind == dlrm.TBSM {
		vector := m.Top[len(m.Top)-1]
		mlps = append(mlps, mlp{[]int{vector, vector}, 1, true}, mlp{append([]int{steps - 1}, m.Attention...), 1, false}, mlp{append([]int{2 * vector}, m.Head...), 1, false})
	}
	return mlps
}

// Train returns the operators of forward and backward through the dense part for n
// inputs.
func (s *Schedule) Train(n int) []Op {
	if n == 0 {
		return nil
	}
	ops := make([]Op, 0, len(s.mlps)+1)
	for i, m := range s.mlps {
		count := layerForwardBackward * (len(m.widths) - 1) * m.times
		ops = append(ops, Op{Label: "MLP", Count: count, Kernels: des.Time(m.times) * s.mlp(n, m.widths, i > 0)})
	}
	steps := max(1, s.Model.Steps)
	return append(ops, Op{Label: "interaction and loss", Count: s.restOps(), Kernels: des.Time(steps) * Interaction(s.Machine, s.Model, n)})
}

// restOps counts the operators of interaction and loss. A time step of a TBSM has fewer operators,
// because operators that the steps share are counted once.
func (s *Schedule) restOps() int {
	n := int(s.Machine.RestOps)
	if steps := max(1, s.Model.Steps); steps > 1 {
		return n + steps*stepOps
	}
	return n
}

const stepOps = 18

// mlp returns the time of the kernels of an MLP: for each layer a forward product, a product for
// the gradient of the weights, and a product for the gradient of its input; plus elementwise
// kernels. The first layer needs the gradient of its input only if inputGradient is true.
func (s *Schedule) mlp(n int, widths []int, inputGradient bool) des.Time {
	var t des.Time
	for i, in := range widths[:len(widths)-1] {
		out := widths[i+1]
		t += s.Machine.GEMM(n, out, in) + s.Machine.GEMM(out, in, n)
		if i > 0 || inputGradient {
			t += s.Machine.GEMM(n, in, out)
		}
		values := float64(n) * float64(out)
		t += s.Machine.Elementwise(3*values, 6*ValueBytes*values)
	}
	return t
}

// Interaction returns the time of the kernels for the products of all pairs of vectors of n inputs,
// as a batch of small products limited by memory; backward does twice the work.
func Interaction(m *machine.Machine, model dlrm.Config, n int) des.Time {
	f, d := float64(model.Features()), float64(model.Dim)
	flops := float64(n) * f * f * d
	bytes := float64(n) * ValueBytes * (f*d + float64(model.TopIn()))
	return 3 * m.Elementwise(flops, bytes)
}

// Embedding returns the operators of pooling the rows of n inputs on the GPU, and of
// their gradients and updates.
func (s *Schedule) Embedding(n int) []Op {
	if n == 0 {
		return nil
	}
	bags, rows := n*s.Bags(), n*s.Model.Lookups()
	t := s.Machine.EmbeddingForward(bags, rows, s.RowBytes()) + s.Machine.EmbeddingBackward(bags, rows, s.RowBytes())
	return []Op{{"embedding", int(s.Machine.GPUTableOps) * s.Pieces(), t, s.rowData(GPURead, rows)}}
}

// Optimiser returns the operators of the dense parameters' update.
func (s *Schedule) Optimiser() []Op {
	tensors := layerTensors * s.layerCount()
	values := s.DenseBytes() / ValueBytes
	op := s.Update("optimiser", tensors, values)
	op.Count += tensors // zeroes gradients
	return append(s.weightDecay(tensors, values), op)
}

func (s *Schedule) layerCount() int {
	n := 0
	for _, m := range s.mlps {
		n += len(m.widths) - 1
	}
	return n
}

// DenseBytes returns the size of the dense parameters, which is also the size of their
// gradients.
func (s *Schedule) DenseBytes() int {
	n := 0
	for _, m := range s.mlps {
		n += m.parameters()
	}
	return n * ValueBytes
}

// RowMove returns the operators, one per table, that move rows between a buffer and random places
// of a GPU's memory. The tables are 1 for the values alone, and Tables with the states.
func (s *Schedule) RowMove(label string, rows, tables int) []Op {
	if rows == 0 {
		return nil
	}
	return []Op{{Label: label, Count: tables, Kernels: 2 * s.gather(rows, tables)}}
}

// RowUpdate returns the operators that update rows and their states in a GPU's memory.
func (s *Schedule) RowUpdate(rows int) []Op {
	if rows == 0 {
		return nil
	}
	return s.Access([]Op{s.op("hot rows", s.rowUpdate(), 1, float64(rows*s.Model.Dim))}, GPUUpdate, rows)
}

// AllReduce books summing the dense gradients over all GPUs.
func (s *Schedule) AllReduce(after timeline.Point) timeline.Point {
	bytes := s.DenseBytes()
	return s.Collective(AllReduce, "all-reduce", s.Machine.AllReduce(bytes, s.GPUs, s.Nodes), bytes, bytes, after)
}

// Replicate books copying the dense parameters to the GPUs, if the profile does that.
func (s *Schedule) Replicate(after timeline.Point) timeline.Point {
	if !s.Profile.Replicate {
		return after
	}
	return s.Book(s.Thread, "replicate", s.Machine.Replicate(s.layerCount(), s.GPUs), s.DenseBytes(), after)
}
