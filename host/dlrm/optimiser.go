package dlrm

import (
	"math"
	"slices"
)

// Optimiser is the way in which gradients change parameters: a rule with its constants, a schedule
// of the learning rate, and weight decay. The zero value is plain SGD. PyTorch has the same
// constants with the same meaning.
type Optimiser struct {
	Rule         Rule
	Momentum     float64 // of RuleMomentum: share of the previous step in the next one
	Beta1, Beta2 float64 // of RuleAdam: decay of the moments
	Eps          float64 // of the rules that divide by a root: prevents a division by zero
	// WeightDecay times the value is added to the gradient of each dense parameter. Embedding rows
	// have no weight decay: PyTorch's Adagrad refuses it with sparse gradients, and its SparseAdam
	// does not have it.
	WeightDecay float64
	Schedule    Schedule
}

// Rule is the rule of an optimiser.
type Rule int

const (
	// RuleSGD is plain stochastic gradient descent: the step is the gradient.
	RuleSGD Rule = iota
	// RuleMomentum adds a share of the previous step to the gradient, like torch.optim.SGD.
	RuleMomentum
	// RuleAdagrad divides each gradient by the root of the sum of its squares so far (Duchi, Hazan,
	// Singer, JMLR 2011), like torch.optim.Adagrad.
	RuleAdagrad
	// RuleRowwiseAdagrad has one sum per embedding row, of the means of the squares of its
	// gradients, like RWSAdagrad of the DLRM reference and EXACT_ROWWISE_ADAGRAD of FBGEMM. Dense
	// parameters have RuleAdagrad.
	RuleRowwiseAdagrad
	// RuleAdam divides a mean of the gradients by the root of a mean of their squares (Kingma, Ba,
	// ICLR 2015), like torch.optim.Adam for dense parameters and torch.optim.SparseAdam for rows.
	RuleAdam
)

// Optimisers with the default constants of PyTorch, and of the DLRM reference for RWSAdagrad.
var (
	SGD            = Optimiser{}
	Momentum       = Optimiser{Rule: RuleMomentum, Momentum: 0.9}
	Adagrad        = Optimiser{Rule: RuleAdagrad, Eps: 1e-10}
	RowwiseAdagrad = Optimiser{Rule: RuleRowwiseAdagrad, Eps: 1e-10}
	Adam           = Optimiser{Rule: RuleAdam, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8}
)

var ruleNames = [...]string{"sgd", "momentum", "adagrad", "rowwise_adagrad", "adam"}

// Optimisers returns the optimiser of each rule with its default constants.
func Optimisers() []Optimiser { return []Optimiser{SGD, Momentum, Adagrad, RowwiseAdagrad, Adam} }

// OptimiserNamed returns the optimiser of the rule with the given name, with its default constants,
// and whether there is one.
func OptimiserNamed(name string) (o Optimiser, ok bool) {
	if i := slices.Index(ruleNames[:], name); i >= 0 {
		return Optimisers()[i], true
	}
	return Optimiser{}, false
}

// validate reports all errors of the constants.
func (o Optimiser) validate(wrong func(string, ...any)) {
	if o.Rule < 0 || int(o.Rule) >= len(ruleNames) {
		return
	}
	usual := Optimisers()[o.Rule]
	for _, c := range []struct {
		name         string
		value, usual float64
		valid        bool
		want         string
	}{
		{"momentum", o.Momentum, usual.Momentum, isShare(o.Momentum), "0 to below 1"},
		{"beta1", o.Beta1, usual.Beta1, isShare(o.Beta1), "0 to below 1"},
		{"beta2", o.Beta2, usual.Beta2, isShare(o.Beta2), "0 to below 1"},
		{"eps", o.Eps, usual.Eps, float32(o.Eps) > 0 && isFinite(o.Eps), "a positive number"},
		{"weight decay", o.WeightDecay, 1, o.WeightDecay >= 0 && isFinite(o.WeightDecay), "a number of at least 0"},
	} {
		switch {
		case c.usual == 0 && c.value != 0:
			wrong("%s is %v, expected none with %v", c.name, c.value, o.Rule)
		case c.usual != 0 && !c.valid:
			wrong("%s is %v, expected %s", c.name, c.value, c.want)
		}
	}
	if _, err := o.Schedule.Check(); err != nil {
		wrong("%w", err)
	}
}

func isShare(x float64) bool { return x >= 0 && x < 1 }

func isFinite(x float64) bool { return !math.IsInf(float64(float32(x)), 0) }

// String returns the name of the rule in files.
func (r Rule) String() string { return ruleNames[r] }

// StateLen returns the number of state values of n dense parameters. They start at zero. The owner
// of the parameters must keep them.
func (o Optimiser) StateLen(n int) int {
	switch o.Rule {
	case RuleSGD:
		return 0
	case RuleAdam:
		return 2 * n // first moments, then second moments
	}
	return n
}

// RowStateLen returns the number of state values of an embedding row of dim values, as StateLen.
func (o Optimiser) RowStateLen(dim int) int {
	if o.Rule == RuleRowwiseAdagrad {
		return 1
	}
	return o.StateLen(dim)
}
