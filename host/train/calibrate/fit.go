package calibrate

import (
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// fit is a group of constants that follow from the times of some operators.
type fit struct {
	constants []string
	operators string // for the source of the constants
	residuals func(m *machine.Machine) []float64
}

// times predicts the time of an operator.
type times func(m *machine.Machine, s []int) des.Time

// fits returns all groups. A group may use constants of earlier groups.
func (x Measurements) fits() []fit {
	tables := tableOperators(x.Device)
	host := tables[len(tables)-2:]
	groups := []fit{
		{[]string{"stream_gb_per_s"}, "copies in host memory", x.compare(map[string]times{"copy_host": largeCopy(stream)})},
		{[]string{"hbm_gb_per_s"}, "copies in the device's memory", x.compare(map[string]times{"copy_device": largeCopy(deviceCopy)})},
		{[]string{"pageable_table_us", "pageable_gb_per_s"}, "copies from pageable memory to the device", x.compare(map[string]times{"copy_pageable": pageableCopy})},
		{[]string{"pinned_us", "pinned_gb_per_s"}, "copies from pinned memory to the device", x.compare(map[string]times{"copy_pinned": pinnedCopy})},
		{[]string{"dispatch_us"}, "training steps of tiny layers", x.dispatch},
		{[]string{"gemm_overhead_us", "gemm_tflops", "gemm_gb_per_s"}, "matrix products", x.compare(map[string]times{
			"product": x.product, "weight_gradient": x.product, "input_gradient": x.product,
		})},
		{[]string{"elementwise_share"}, "activations and updates", x.compare(map[string]times{"activation": activation, "update": update})},
		{[]string{"peak_tflops"}, "interactions", x.compare(map[string]times{"interaction": x.interaction()})},
		{[]string{"rest_ops"}, "a tiny interaction and a loss", x.rest},
		{[]string{"stock_call_us", "stock_row_us"}, "embedding bags in host memory", x.comparePairs(host[0], host[1], hostBags)},
		{[]string{"gpu_table_ops", "gather_penalty_32", "gather_penalty_64", "embedding_backward"}, "embedding bags in the device's memory",
			x.comparePairs(tables[0], tables[1], x.deviceBags)},
	}
	if x.GPUs > 1 {
		groups = append(groups, fit{[]string{"collective_us", "nvlink_gb_per_s"}, "all-reduces", x.compare(map[string]times{"all_reduce": allReduce})})
	}
	return groups
}

// largeCopy ignores copies that caches hold.
func largeCopy(t times) times {
	return func(m *machine.Machine, s []int) des.Time {
		if s[0] < 1<<23 {
			return 0
		}
		return t(m, s)
	}
}

func stream(m *machine.Machine, s []int) des.Time { return m.Stream(2 * timing.ValueBytes * s[0]) }

func deviceCopy(m *machine.Machine, s []int) des.Time {
	return des.Seconds(float64(2*timing.ValueBytes*s[0]) / (m.HBMGBPerSecond * 1e9))
}

func pageableCopy(m *machine.Machine, s []int) des.Time {
	return m.PageableTables(1, 1) + m.PageableCopies(timing.ValueBytes*s[0], 1)
}

func pinnedCopy(m *machine.Machine, s []int) des.Time { return m.PinnedCopy(timing.ValueBytes * s[0]) }

func (x Measurements) product(m *machine.Machine, s []int) des.Time {
	return x.both(m.Dispatch(false, 1), m.GEMM(s[0], s[1], s[2]))
}

func activation(m *machine.Machine, s []int) des.Time {
	values := float64(s[0] * s[1])
	return m.Elementwise(3*values, 6*timing.ValueBytes*values)
}

func update(m *machine.Machine, s []int) des.Time {
	values := float64(s[0])
	return m.Elementwise(2*values, 3*timing.ValueBytes*values)
}

// interaction predicts interactions. The time of the tiny one is dispatch.
func (x Measurements) interaction() times {
	dispatch := des.Seconds(x.us("interaction", tinyInteraction...) * 1e-6)
	return func(m *machine.Machine, s []int) des.Time {
		return x.both(dispatch, timing.Interaction(m, Step{Tables: s[1] - 1, Dim: s[2]}.model(), s[0]))
	}
}

func hostBags(m *machine.Machine, s []int) des.Time {
	return m.StockBags(s[0], s[0]*s[1]*s[2], s[3])
}

func (x Measurements) deviceBags(m *machine.Machine, s []int) des.Time {
	vectors, row := s[0]*s[1], timing.ValueBytes*s[3]
	kernels := m.EmbeddingForward(vectors, vectors*s[2], row) + m.EmbeddingBackward(vectors, vectors*s[2], row)
	return x.both(des.Seconds(m.GPUTableOps*m.DispatchUs*1e-6*float64(s[0])), kernels)
}

func allReduce(m *machine.Machine, s []int) des.Time {
	return m.AllReduce(timing.ValueBytes*s[1], s[0], 1)
}

// dispatch compares the times of a tiny layer, whose kernels take no time.
func (x Measurements) dispatch(m *machine.Machine) []float64 {
	return []float64{ratio(timing.LayerOps*m.Dispatch(false, 1), x.tinyLayer())}
}

// tinyLayer returns the time that an additional tiny layer takes.
func (x Measurements) tinyLayer() float64 {
	few, many := tinyLayers[0], tinyLayers[1]
	return (x.us("layers", many) - x.us("layers", few)) / float64(many-few)
}

// rest compares the times of dispatch that neither layers nor tables cause.
func (x Measurements) rest(m *machine.Machine) []float64 {
	few := tinyLayers[0]
	start := max(0, x.us("layers", few)-float64(few)*x.tinyLayer())
	us := start + x.us("interaction", tinyInteraction...) + x.us("loss", 1)
	return []float64{ratio(des.Seconds(m.RestOps*m.DispatchUs*1e-6), us)}
}

// both returns the time of operators and their kernels. On a CPU, one thread does both.
func (x Measurements) both(dispatch, kernels des.Time) des.Time {
	if x.Device == "cpu" {
		return dispatch + kernels
	}
	return max(dispatch, kernels)
}

// compare returns the residuals of operators. It leaves out predictions of 0.
func (x Measurements) compare(predict map[string]times) func(*machine.Machine) []float64 {
	return func(m *machine.Machine) []float64 { return residuals(m, x.Operators, predict) }
}

// comparePairs compares, as compare does, the sums of two operators of the same sizes.
func (x Measurements) comparePairs(first, second string, predict times) func(*machine.Machine) []float64 {
	var pairs []Operator
	for _, o := range x.Operators {
		if o.Name == first {
			o.Us += x.us(second, o.Sizes...)
			pairs = append(pairs, o)
		}
	}
	return func(m *machine.Machine) []float64 { return residuals(m, pairs, map[string]times{first: predict}) }
}

func residuals(m *machine.Machine, operators []Operator, predict map[string]times) (list []float64) {
	for _, o := range operators {
		if p := predict[o.Name]; p != nil {
			if t := p(m, o.Sizes); t > 0 {
				list = append(list, ratio(t, o.Us))
			}
		}
	}
	return list
}

// us returns the time of an operator of the fit set.
func (x Measurements) us(name string, sizes ...int) float64 {
	return x.Operators[slices.IndexFunc(x.Operators, Operator{Name: name, Sizes: sizes}.same)].Us
}

// ratio returns the logarithm of a predicted time over a measured one.
func ratio(predicted des.Time, us float64) float64 {
	return detmath.Log(predicted.Seconds() * 1e6 / us)
}

// search returns the machine whose constants of the group minimize the squares of the residuals. It
// multiplies or divides one constant at a time by a step, and halves the step's logarithm when
// nothing helps. A constant without influence keeps its value.
func (f fit) search(m *machine.Machine) *machine.Machine {
	cost := func(m *machine.Machine) (sum float64) {
		for _, r := range f.residuals(m) {
			sum += float64(r * r)
		}
		return sum
	}
	least := cost(m)
	for step := 1e4; step > 1.001; {
		better := false
		for _, name := range f.constants {
			for _, factor := range []float64{step, 1 / step} {
				k, _ := m.Constant(name)
				x := m.With(name, k.Value*factor)
				if c := cost(x); c < least {
					m, least, better = x, c, true
				}
			}
		}
		if !better {
			step = math.Sqrt(step)
		}
	}
	return m
}
