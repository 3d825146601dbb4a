package picture

import (
	"math"
	"slices"
)

// Axis maps values to positions.
type Axis struct {
	Label string
	// Log makes the axis logarithmic; all values must be positive.
	Log bool
	// Whole is for counts: ticks are at whole numbers, and the first and last value are half a step
	// from the ends.
	Whole bool
	// Zero and One include the values 0 and 1 in the axis.
	Zero, One bool
	// Text formats a tick; nil formats it as a number.
	Text func(float64) string
	// Units lists units in ascending order. The axis uses the most suitable one.
	Units []Unit
}

// scale is an axis for given values, in pixels.
type scale struct {
	Axis
	low, high float64 // ends, as logarithms if the axis is logarithmic
	from, to  float64 // pixels
	right     float64 // of the picture; 0 if all texts fit
	ticks     []float64
}

// most is the approximate maximum number of ticks of an axis.
const most = 6

// newScale returns a scale that includes all values and ends at ticks.
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

// decades extends the scale to powers of ten and puts a tick at each.
func (s *scale) decades() {
	s.low, s.high = math.Floor(s.low), math.Ceil(s.high)
	if s.low == s.high {
		s.low--
	}
	for v := s.low; v <= s.high; v++ {
		s.ticks = append(s.ticks, math.Pow(10, v))
	}
}

// linear extends the scale to ticks. Values that differ only by rounding are treated as equal.
func (s *scale) linear() {
	if s.high-s.low <= 1e-12*max(math.Abs(s.low), math.Abs(s.high)) {
		s.high = s.low + max(1e-3, math.Abs(s.high)/10)
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

// step returns a round distance of ticks for a length.
func step(length float64) float64 {
	d := math.Pow(10, math.Floor(math.Log10(max(length, 1e-300)/most)))
	for _, f := range []float64{1, 2, 5} {
		if length/(d*f) <= most {
			return d * f
		}
	}
	return 10 * d
}

// place converts a value to the units of low and high.
func (s scale) place(v float64) float64 {
	if s.Log {
		return math.Log10(v)
	}
	return v
}

// at returns the pixel of a value.
func (s scale) at(v float64) float64 {
	return s.from + (s.place(v)-s.low)/(s.high-s.low)*(s.to-s.from)
}

// vertical draws a grid line per tick from top to bottom, with its text below.
func (s scale) vertical(c *canvas, top, bottom float64) {
	for i, t := range s.tickTexts() {
		at := s.at(s.ticks[i])
		c.line("grid", at, top, at, bottom)
		c.text(t.x, bottom+16+textHeight*float64(t.row), "middle", "small", t.text)
	}
}

// tickText is the text of a tick with its position below the axis.
type tickText struct {
	text string
	x    float64
	row  int
}

// tickTexts places the texts of ticks so that they do not overlap.
func (s scale) tickTexts() (list []tickText) {
	var ends []float64 // of each row
	texts, _ := s.texts()
	for i, text := range texts {
		half := extent(text, sizes["small"]) / 2
		x := max(half, s.at(s.ticks[i]))
		if s.right > 0 {
			x = max(half, min(x, s.right-half))
		}
		row := slices.IndexFunc(ends, func(end float64) bool { return end+4 <= x-half })
		if row < 0 {
			row, ends = len(ends), append(ends, 0)
		}
		ends[row] = x + half
		list = append(list, tickText{text, x, row})
	}
	return list
}

// below returns the additional height of the tick texts beyond one line.
func (s scale) below() float64 {
	rows := 0
	for _, t := range s.tickTexts() {
		rows = max(rows, t.row)
	}
	return textHeight * float64(rows)
}
