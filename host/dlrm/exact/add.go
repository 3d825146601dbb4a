package exact

import (
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm/kernel"
)

// Add adds x, of the same length as s, element by element. bound must be at least Magnitude(x).
func (s *Sum) Add(x []float32, bound float64) {
	mustMatch(len(s.v), len(x))
	bounds := [1]float64{bound}
	s.add(bounds[:],
		func(int, int) { kernel.AddOdd(s.v, x) },
		func(int) {
			for i, f := range x {
				s.wide.addProduct(i, split(f), one)
			}
		})
}

var one = split(1)

// AddInputs adds y of each of the first n inputs, element by element.
func (s *Sum) AddInputs(y kernel.Tensor, n int) {
	mustMatch(len(s.v), y.Width)
	s.add(magnitudes(y, n),
		func(from, to int) { kernel.AddInputs(s.v, y, from, to) },
		func(input int) {
			for i := range y.Width {
				s.wide.addProduct(i, split(y.At(input, i)), one)
			}
		})
}

// AddProducts adds, for each of the first n inputs, the outer product of y and x. It interprets s
// as a row-major y.Width x x.Width matrix whose elements grow by y[i]*x[j].
func (s *Sum) AddProducts(y, x kernel.Tensor, n int) {
	mustMatch(len(s.v), y.Width*x.Width)
	bounds := magnitudes(y, n)
	for k, m := range magnitudes(x, n) {
		bounds[k] *= m
	}
	s.add(bounds,
		func(from, to int) { kernel.AddProducts(s.v, y, x, from, to) },
		func(input int) {
			columns := make([]factor, x.Width)
			for j := range columns {
				columns[j] = split(x.At(input, j))
			}
			for i := range y.Width {
				row := split(y.At(input, i))
				for j, column := range columns {
					s.wide.addProduct(i*x.Width+j, row, column)
				}
			}
		})
}

// add adds inputs. The elements of bounds bound the magnitude of each input's summands. The
// function near adds as many inputs at a time as the accumulators can hold. The function far adds
// an input that is too large for them.
func (s *Sum) add(bounds []float64, near func(from, to int), far func(input int)) {
	for from := 0; from < len(bounds) && !s.broken(); {
		to := from
		for to < len(bounds) && s.load+bounds[to] <= limit {
			s.load += bounds[to]
			to++
		}
		switch next := bounds[min(to, len(bounds)-1)]; {
		case to > from:
			near(from, to)
		case math.IsNaN(next) || math.IsInf(next, 0):
			s.load = math.Inf(1)
		case next > limit:
			s.widen()
			far(from)
			to++
		default:
			s.spill()
		}
		from = to
	}
}

// Magnitude returns the largest |x[i]|, or NaN if x contains a NaN.
func Magnitude(x []float32) float64 {
	var top [kernel.Lanes]uint32
	whole := len(x) / kernel.Lanes * kernel.Lanes
	kernel.MaxAbs(&top, x[:whole])
	for _, f := range x[whole:] {
		top[0] = max(top[0], math.Float32bits(f)&^(1<<31))
	}
	return float64(math.Float32frombits(slices.Max(top[:])))
}

// magnitudes returns the magnitude of each of n inputs.
func magnitudes(t kernel.Tensor, n int) []float64 {
	largest := make([]float64, 0, t.Panels*kernel.Lanes)
	for p := range kernel.Panels(n) {
		var top [kernel.Lanes]uint32
		kernel.MaxAbs(&top, t.Panel(p))
		for _, b := range top {
			largest = append(largest, float64(math.Float32frombits(b)))
		}
	}
	return largest[:n]
}
