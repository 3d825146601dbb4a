package picture

import (
	"fmt"
	"math"
)

// Axis says how values become places.
type Axis struct {
	Label string
	// Log makes it logarithmic; all values are above 0.
	Log bool
	// Whole is for numbers of things: ticks are at whole numbers, and the first
	// and the last one are off the ends.
	Whole bool
	// Zero and One are on the axis, whatever the values are.
	Zero, One bool
	// Text of a tick; nil for the number.
	Text func(float64) string
}

// scale is an axis for certain values, on pixels.
type scale struct {
	Axis
	low, high float64 // ends, as logarithms if the axis is logarithmic
	from, to  float64 // pixels
	ticks     []float64
}

// most is how many ticks an axis has, or a few more.
const most = 6

// newScale is a scale on which all values are, and that ends at a tick.
func (a Axis) newScale(from, to float64, values ...float64) scale {
	s := scale{Axis: a, low: math.Inf(1), high: math.Inf(-1), from: from, to: to}
	if a.Zero {
		values = append(values, 0)
	}
	if a.One {
		values = append(values, 1)
	}
	for _, v := range values {
		s.low, s.high = min(s.low, s.place(v)), max(s.high, s.place(v))
	}
	if s.low > s.high {
		s.low, s.high = 0, 1
	}
	switch {
	case a.Log:
		s.decades()
	case a.Whole:
		s.tickEvery(max(1, step(s.high-s.low)))
		s.low, s.high = s.low-0.5, s.high+0.5
	default:
		s.linear()
	}
	return s
}

// decades ends the scale at powers of ten and puts a tick at each.
func (s *scale) decades() {
	s.low, s.high = math.Floor(s.low), math.Ceil(s.high)
	if s.low == s.high {
		s.low--
	}
	for v := s.low; v <= s.high; v++ {
		s.ticks = append(s.ticks, math.Pow(10, v))
	}
}

// linear ends the scale at ticks.
func (s *scale) linear() {
	if s.low == s.high {
		s.high += max(1e-3, math.Abs(s.high)/10)
	}
	d := step(s.high - s.low)
	s.low, s.high = d*math.Floor(s.low/d+1e-9), d*math.Ceil(s.high/d-1e-9)
	s.tickEvery(d)
}

func (s *scale) tickEvery(d float64) {
	first := math.Ceil(s.low/d - 1e-9)
	for i := 0.0; (first+i)*d <= s.high+d*1e-9; i++ {
		s.ticks = append(s.ticks, (first+i)*d)
	}
}

// step is a round distance of ticks over a length.
func step(length float64) float64 {
	d := math.Pow(10, math.Floor(math.Log10(max(length, 1e-300)/most)))
	for _, f := range []float64{1, 2, 5} {
		if length/(d*f) <= most {
			return d * f
		}
	}
	return 10 * d
}

// place is where a value lies between low and high.
func (s scale) place(v float64) float64 {
	if s.Log {
		return math.Log10(v)
	}
	return v
}

// at is the pixel of a value.
func (s scale) at(v float64) float64 {
	return s.from + (s.place(v)-s.low)/(s.high-s.low)*(s.to-s.from)
}

func (s scale) text(v float64) string {
	if s.Text != nil {
		return s.Text(v)
	}
	return fmt.Sprintf("%.6g", v)
}

// vertical draws a grid line per tick from top to bottom, and its text below.
func (s scale) vertical(c *canvas, top, bottom float64) {
	for _, t := range s.ticks {
		c.line("grid", s.at(t), top, s.at(t), bottom)
		c.text(s.at(t), bottom+16, "middle", "small", s.text(t))
	}
}
