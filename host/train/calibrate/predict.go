package calibrate

import (
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Prediction is a step with its predicted times, in us.
type Prediction struct {
	Step
	Operators float64 // from the times of its operators
	Machine   float64 // from the constants of the machine
}

// ByOperators and ByMachine return a predicted time, for [Errors].
func ByOperators(p Prediction) float64 { return p.Operators }
func ByMachine(p Prediction) float64   { return p.Machine }

// Predict computes the times of all steps.
func Predict(x Measurements, m *machine.Machine, p timing.Profile) ([]Prediction, error) {
	var list []Prediction
	order, c := orderOnGPU, x.costs()
	if x.Device == "cpu" {
		order = orderOnCPU
	}
	for _, s := range x.Steps {
		plan := timing.Plan{Machine: m, Profile: p, Model: s.model(), GPUs: 1, Nodes: 1}
		run, err := timing.Time(order, plan, []timing.Work{{Inputs: s.Batch}})
		if err != nil {
			return nil, err
		}
		list = append(list, Prediction{s, c.step(s), run.Time.Seconds() * 1e6})
	}
	return list, nil
}

// orderOnGPU books training with tables in the memory of a GPU.
func orderOnGPU(s *timing.Schedule, works []timing.Work) {
	for i, w := range works {
		s.Begin(i)
		ops := slices.Concat(s.Embedding(w.Inputs), s.Train(w.Inputs), s.Optimiser())
		end := s.Wait(s.GPU(ops, s.Params))
		s.Mark(timing.PhaseGPU, end)
		s.End(end)
	}
}

// orderOnCPU books training on the host thread, which dispatches operators and runs their kernels.
func orderOnCPU(s *timing.Schedule, works []timing.Work) {
	for i, w := range works {
		s.Begin(i)
		rows := w.Inputs * s.Model.Lookups()
		end := s.Book(s.Thread, "tables", s.RowTime(rows), rows*s.RowBytes(), s.Params)
		s.Mark(timing.PhaseEmbedding, end)
		for _, o := range slices.Concat(s.Train(w.Inputs), s.Optimiser()) {
			end = s.Book(s.Thread, o.Label, des.Time(o.Count)*s.Machine.Dispatch(false, 1)+o.Kernels, 0, end)
		}
		s.Mark(timing.PhaseGPU, end)
		s.End(end)
	}
}

// Errors returns the median and the maximum of the relative errors of a prediction.
func Errors(list []Prediction, us func(Prediction) float64) (median, worst float64) {
	var errs []float64
	for _, p := range list {
		errs = append(errs, math.Abs(us(p)/p.Us-1))
	}
	slices.Sort(errs)
	n := len(errs)
	return (errs[(n-1)/2] + errs[n/2]) / 2, errs[n-1]
}
