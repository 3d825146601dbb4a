package configs

import (
	"cmp"
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Optimiser describes the optimiser, including the schedule of the learning rate. Constants that
// are nil have the default of the rule.
type Optimiser struct {
	Rule        string   `hcl:"rule,optional" default:"sgd" doc:"how gradients change parameters"`
	Momentum    *float64 `hcl:"momentum,optional" default:"0.9 with momentum" doc:"share of the previous step"`
	Beta1       *float64 `hcl:"beta1,optional" default:"0.9 with adam" doc:"decay of the first moment"`
	Beta2       *float64 `hcl:"beta2,optional" default:"0.999 with adam" doc:"decay of the second moment"`
	Eps         *float64 `hcl:"eps,optional" default:"1e-8 with adam, 1e-10 with adagrad and rowwise_adagrad" doc:"added to the root that divides"`
	WeightDecay float64  `hcl:"weight_decay,optional" doc:"share of a dense parameter that is added to its gradient; rows have none"`
	WarmupSteps int      `hcl:"lr_num_warmup_steps,optional" unit:"mini-batches" doc:"linear increase of the learning rate, as in the DLRM reference"`
	DecayStart  int      `hcl:"lr_decay_start_step,optional" unit:"mini-batches" doc:"begin of the decay; at least lr_num_warmup_steps"`
	DecaySteps  int      `hcl:"lr_num_decay_steps,optional" unit:"mini-batches" doc:"quadratic decay of the learning rate; 0: none"`
}

// Limits returns the ranges of the attributes.
func (*Optimiser) Limits() map[string]limits.Range {
	var rules []string
	for _, o := range dlrm.Optimisers() {
		rules = append(rules, o.Rule.String())
	}
	share := limits.Number("0 to below 1", func(x float64) bool { return x >= 0 && x < 1 })
	steps := limits.Between(0, 1<<30)
	return map[string]limits.Range{
		"rule": limits.OneOf(rules...), "momentum": share, "beta1": share, "beta2": share, "eps": positive,
		"weight_decay":        limits.Number("0, or above 0 within the range of float32", func(x float64) bool { return x == 0 || positive.Contains(x) }),
		"lr_num_warmup_steps": steps, "lr_decay_start_step": steps, "lr_num_decay_steps": steps,
	}
}

// positive is the range of positive numbers of float32.
var positive = limits.Number("above 0, within the range of float32", func(x float64) bool {
	return float32(x) > 0 && !math.IsInf(float64(float32(x)), 1)
})

// optimiser returns the optimiser of valid attributes.
func (o *Optimiser) optimiser() dlrm.Optimiser {
	d, _ := dlrm.OptimiserNamed(o.Rule)
	override(&d.Momentum, o.Momentum)
	override(&d.Beta1, o.Beta1)
	override(&d.Beta2, o.Beta2)
	override(&d.Eps, o.Eps)
	d.WeightDecay, d.Schedule = o.WeightDecay, dlrm.Schedule{WarmupSteps: o.WarmupSteps, DecayStart: o.DecayStart, DecaySteps: o.DecaySteps}
	return d
}

// described returns the attributes of an optimiser. Constants that its rule lacks are 0.
func described(o dlrm.Optimiser) *Optimiser {
	return &Optimiser{
		Rule: o.Rule.String(), Momentum: &o.Momentum, Beta1: &o.Beta1, Beta2: &o.Beta2, Eps: &o.Eps, WeightDecay: o.WeightDecay,
		WarmupSteps: o.Schedule.WarmupSteps, DecayStart: o.Schedule.DecayStart, DecaySteps: o.Schedule.DecaySteps,
	}
}

// checkOptimiser checks that each constant belongs to the rule, and the order of the schedule.
func (c *Config) checkOptimiser(bad complain) {
	o := c.Optimiser
	if o == nil {
		return
	}
	o.Rule = cmp.Or(o.Rule, dlrm.SGD.Rule.String())
	for _, m := range limits.Check(o) {
		bad("optimiser", m.Attribute, "%v", m)
	}
	d, known := dlrm.OptimiserNamed(o.Rule)
	for _, k := range []struct {
		name  string
		given *float64
		usual float64
	}{{"momentum", o.Momentum, d.Momentum}, {"beta1", o.Beta1, d.Beta1}, {"beta2", o.Beta2, d.Beta2}, {"eps", o.Eps, d.Eps}} {
		if known && k.given != nil && k.usual == 0 {
			bad("optimiser", k.name, "%s is %v; expected no %s with rule %q", k.name, *k.given, k.name, o.Rule)
		}
	}
	if min(o.WarmupSteps, o.DecayStart, o.DecaySteps) >= 0 {
		if name, err := o.optimiser().Schedule.Check(); err != nil {
			bad("optimiser", name, "%v", err)
		}
	}
}

// optimise gives a model the optimiser and the learning rate of the configuration, if it has an
// optimiser.
func (c *Config) optimise(m dlrm.Config) dlrm.Config {
	if c.Optimiser != nil {
		m.Optimiser, m.LearningRate = c.Optimiser.optimiser(), float32(c.Model.LearningRate)
	}
	return m
}
