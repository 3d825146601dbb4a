package picture

import (
	"fmt"
	"math"
)

// Range is a factor with its range; a factor of 1 means no change.
type Range struct{ Low, Value, High float64 }

// Ranges lists factors on one logarithmic axis, for the rows of a table.
type Ranges []Range

const rangeWidth, rangeHeight, rangeEdge = 300, 24, 16

// scale returns the common axis, with ticks at round factors.
func (r Ranges) scale() scale {
	values := []float64{0.8, 1.25}
	for _, x := range r {
		values = append(values, x.Low, x.Value, x.High)
	}
	s := scale{Axis: Axis{Log: true}, low: math.Inf(1), high: math.Inf(-1), from: rangeEdge, to: rangeWidth - rangeEdge}
	for _, v := range values {
		s.low, s.high = min(s.low, s.place(v)), max(s.high, s.place(v))
	}
	round := []float64{1, 2, 5}
	if s.high-s.low > 2 {
		round = round[:1]
	}
	for e := int(math.Floor(s.low)); e <= int(math.Ceil(s.high)); e++ {
		for _, f := range round {
			if v := f * math.Pow10(e); s.place(v) >= s.low && s.place(v) <= s.high {
				s.ticks = append(s.ticks, v)
			}
		}
	}
	return s
}

// Axis draws the header of the column: the factors at the ticks.
func (r Ranges) Axis() string {
	c, s := newCanvas("Axis", "Factors, on a logarithmic axis.", rangeWidth, 20), r.scale()
	texts, _ := s.texts()
	for i, t := range s.ticks {
		c.text(s.at(t), 14, "middle", "small", texts[i])
	}
	return c.svg()
}

// SVG draws the bar of row i, from 1 to its value, with its range.
func (r Ranges) SVG(i int) string {
	x, s := r[i], r.scale()
	text := fmt.Sprintf("%.2f (%.2f to %.2f)", x.Value, x.Low, x.High)
	c := newCanvas(text, "A bar from 1 to the value, and its range.", rangeWidth, rangeHeight)
	for _, t := range s.ticks {
		c.line("grid", s.at(t), 0, s.at(t), rangeHeight)
	}
	one, at, faster := s.at(1), s.at(x.Value), 2
	if x.Value < 1 {
		faster = 1
	}
	c.add(`<g class="c%d"><rect class="part" x="%.1f" y="5" width="%.1f" height="14"/></g>`+"\n", faster, min(one, at), math.Abs(at-one))
	c.line("one", one, 0, one, rangeHeight)
	whisker(c, s.at(x.Low), s.at(x.High), rangeHeight/2)
	return c.svg()
}
