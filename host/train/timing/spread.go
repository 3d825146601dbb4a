package timing

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
	"github.com/hotline-rtl/hotline/host/train/machine"
)

// Spread is the uncertainty of a figure when the machine's constants vary within their ranges.
type Spread struct {
	Value float64 `json:"value"` // with the nominal constants
	Low   float64 `json:"low"`   // 10th percentile of the samples
	High  float64 `json:"high"`  // 90th percentile
	Draws int     `json:"draws"`
	// Depends lists the constants with the largest effect, each varied separately.
	Depends []Dependence `json:"depends"`
}

// Dependence is a figure at both ends of one constant's range, with nominal values of all other
// constants.
type Dependence struct {
	Constant string  `json:"constant"`
	Value    float64 `json:"value"`
	Low      float64 `json:"low"` // of the constant
	High     float64 `json:"high"`
	AtLow    float64 `json:"at_low"` // the figure
	AtHigh   float64 `json:"at_high"`
}

// factor returns the logarithmic change of the figure over the range.
func (d Dependence) factor() float64 { return math.Abs(math.Log(d.AtHigh / d.AtLow)) }

// Draws is a number of samples for which the percentiles are stable to a few percent.
const Draws = 200

// depends is the number of constants that a Spread lists.
const depends = 2

// Variants are the machines of a [Spread]: the nominal machine; samples with log-uniform constants,
// which are the same for every figure; and machines with one constant at either end of its range.
type Variants []*machine.Machine

// NewVariants returns the variants of a machine.
func NewVariants(m *machine.Machine) Variants {
	v := Variants{m}
	for i := range Draws {
		v = append(v, draw(m, i))
	}
	for _, c := range m.Constants() {
		v = append(v, m.With(c.Name, c.Low), m.With(c.Name, c.High))
	}
	return v
}

// Spread returns the spread of a positive figure, which has a value for each variant.
func (v Variants) Spread(values []float64) Spread {
	draws := slices.Sorted(slices.Values(v.Drawn(values)))
	all := v.Dependences(values)
	slices.SortStableFunc(all, func(a, b Dependence) int { return cmp.Compare(b.factor(), a.factor()) })
	return Spread{Value: values[0], Low: draws[Draws/10], High: draws[Draws-1-Draws/10], Draws: Draws, Depends: all[:depends]}
}

// Drawn returns the values of the samples.
func (v Variants) Drawn(values []float64) []float64 { return values[1 : 1+Draws] }

// Dependences returns the dependences on all constants.
func (v Variants) Dependences(values []float64) []Dependence {
	var all []Dependence
	for i, c := range v[0].Constants() {
		at := values[1+Draws+2*i:]
		all = append(all, Dependence{c.Name, c.Value, c.Low, c.High, at[0], at[1]})
	}
	return all
}

// Times returns the seconds that works take in a system on each variant. It uses all cores. It
// returns the error of the first variant that fails.
func (v Variants) Times(system System, p Plan, works []Work) ([]float64, error) {
	values, errs := make([]float64, len(v)), make([]error, len(v))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(v)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(v)); i = next.Add(1) - 1 {
				on := p
				on.Machine = v[i]
				run, err := Bare(system, on, works)
				values[i], errs[i] = run.Time.Seconds(), err
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

// draw returns the i-th machine with random constants.
func draw(m *machine.Machine, i int) *machine.Machine {
	r := detmath.NewStream(uint64(i))
	return m.WithEach(func(c machine.Constant) float64 {
		u := float64(r.Float64())
		return c.Low * math.Pow(c.High/c.Low, u)
	})
}

// Around returns the spread with all figures scaled by one factor, such that the value becomes v.
func (s Spread) Around(v float64) Spread {
	f := v / s.Value
	s.Value, s.Low, s.High = v, s.Low*f, s.High*f
	s.Depends = slices.Clone(s.Depends)
	for i := range s.Depends {
		s.Depends[i].AtLow *= f
		s.Depends[i].AtHigh *= f
	}
	return s
}

// SpeedUp returns the spread of the speedup of one system over another, from the Times of both.
func (v Variants) SpeedUp(slow, fast []float64) Spread {
	ratios := make([]float64, len(v))
	for i := range ratios {
		ratios[i] = slow[i] / fast[i]
	}
	return v.Spread(ratios)
}
