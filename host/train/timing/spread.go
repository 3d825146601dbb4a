package timing

import (
	"cmp"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/rec/repro"
)

// Spread is what a figure becomes when the machine's constants are anywhere in
// their ranges.
type Spread struct {
	Value float64 `json:"value"` // with the constants' values
	Low   float64 `json:"low"`   // a tenth of the draws is below
	High  float64 `json:"high"`  // a tenth is above
	Draws int     `json:"draws"`
	// Depends lists the constants on which it depends most, one at a time.
	Depends []Dependence `json:"depends"`
}

// Dependence is a figure at both ends of one constant's range, all others having
// their values.
type Dependence struct {
	Constant string  `json:"constant"`
	Value    float64 `json:"value"`
	Low      float64 `json:"low"` // of the constant
	High     float64 `json:"high"`
	AtLow    float64 `json:"at_low"` // the figure
	AtHigh   float64 `json:"at_high"`
}

// factor is how much the figure changes over the range, as a logarithm.
func (d Dependence) factor() float64 { return math.Abs(math.Log(d.AtHigh / d.AtLow)) }

// Draws is a number of draws whose tenths are stable to a few percent.
const Draws = 200

// depends is how many constants a Spread lists.
const depends = 2

// Range evaluates a positive figure on machines with other constants: draws that
// are log-uniform in all ranges, the same for every figure, and each constant at
// the ends of its range.
func Range(m *machine.Machine, figure func(*machine.Machine) (float64, error)) (Spread, error) {
	s := Spread{Draws: Draws}
	var err error
	if s.Value, err = figure(m); err != nil {
		return s, err
	}
	values := make([]float64, Draws)
	for i := range values {
		if values[i], err = figure(draw(m, i)); err != nil {
			return s, err
		}
	}
	slices.Sort(values)
	s.Low, s.High = values[Draws/10], values[Draws-1-Draws/10]
	s.Depends, err = dependences(m, figure)
	return s, err
}

// draw is the i-th machine with random constants.
func draw(m *machine.Machine, i int) *machine.Machine {
	r := repro.NewStream(uint64(i))
	for _, c := range m.Constants() {
		u := float64(r.Float64())
		m = m.With(c.Name, c.Low*math.Pow(c.High/c.Low, u))
	}
	return m
}

func dependences(m *machine.Machine, figure func(*machine.Machine) (float64, error)) ([]Dependence, error) {
	var all []Dependence
	for _, c := range m.Constants() {
		low, err := figure(m.With(c.Name, c.Low))
		if err != nil {
			return nil, err
		}
		high, err := figure(m.With(c.Name, c.High))
		if err != nil {
			return nil, err
		}
		all = append(all, Dependence{c.Name, c.Value, c.Low, c.High, low, high})
	}
	slices.SortStableFunc(all, func(a, b Dependence) int { return cmp.Compare(b.factor(), a.factor()) })
	return all[:depends], nil
}

// Around is the spread with all figures changed by one factor, so that the value
// becomes v.
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

// SpeedUp is the spread of how many times as fast system b is as a.
func SpeedUp(a, b System, p Plan, worksA, worksB []Work) (Spread, error) {
	return Range(p.Machine, func(m *machine.Machine) (float64, error) {
		p.Machine = m
		x, err := Time(a, p, worksA)
		if err != nil {
			return 0, err
		}
		y, err := Time(b, p, worksB)
		return x.Time.Seconds() / y.Time.Seconds(), err
	})
}

// Range is the spread of the run's time in seconds.
func (r Run) Range(system System, p Plan, works []Work) (Spread, error) {
	return Range(p.Machine, func(m *machine.Machine) (float64, error) {
		p.Machine = m
		run, err := Time(system, p, works)
		return run.Time.Seconds(), err
	})
}
