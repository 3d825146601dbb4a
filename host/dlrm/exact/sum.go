package exact

import (
	"errors"
	"fmt"
	"math"
)

const (
	// Grid is the spacing to which every summand is rounded.
	Grid = 1. / (1 << gridBits)

	gridBits = 48

	// origin is the value of an accumulator for a sum of zero. The spacing of float64 numbers from
	// 16 to 32 is Grid.
	origin = 24
	// limit is the maximum load of an accumulator. The margin to 8 covers the rounding of the load
	// itself and of 2^40 summands.
	limit = 7.5
)

var (
	// ErrNotFinite reports that a summand was infinite or NaN.
	ErrNotFinite = errors.New("a summand is infinite or not a number")
	// ErrRange reports that the sum is beyond float32.
	ErrRange = errors.New("the sum is too large for a float32")
)

// Sum is a vector of exact sums. Use NewSum to create a Sum.
type Sum struct {
	v    []float64 // origin plus the sums since the last spill
	wide wide      // the spilled sums; nil before the first spill
	load float64   // bound of the sum of the magnitudes in any element of v; infinite after a non-finite summand
}

// NewSum returns a vector of n sums, all zero.
func NewSum(n int) *Sum {
	s := &Sum{v: make([]float64, n)}
	s.Reset()
	return s
}

// Len returns the number of sums in the vector.
func (s *Sum) Len() int { return len(s.v) }

// Reset sets all sums to zero and clears errors.
func (s *Sum) Reset() {
	s.clear()
	s.wide = nil
}

func (s *Sum) clear() {
	for i := range s.v {
		s.v[i] = origin
	}
	s.load = 0
}

// Merge adds the sums of o, of the same length, to s.
func (s *Sum) Merge(o *Sum) {
	mustMatch(len(s.v), len(o.v))
	if s.load+o.load > limit && !s.broken() {
		s.spill()
	}
	for i, v := range o.v {
		s.v[i] += v - origin
	}
	s.load += o.load
	if o.wide != nil {
		s.widen()
		s.wide.merge(o.wide)
	}
}

// Round writes the sums, each rounded once to float32, to dst, of the same length. It returns
// ErrNotFinite or ErrRange if any sum has no float32 value.
func (s *Sum) Round(dst []float32) error {
	mustMatch(len(s.v), len(dst))
	if s.broken() {
		return ErrNotFinite
	}
	if s.wide == nil {
		for i, v := range s.v {
			dst[i] = float32(v - origin)
		}
		return nil
	}
	s.spill()
	for i := range dst {
		dst[i] = s.wide.round(i)
		if math.IsInf(float64(dst[i]), 0) {
			return ErrRange
		}
	}
	return nil
}

func (s *Sum) broken() bool { return math.IsInf(s.load, 1) }

func (s *Sum) widen() {
	if s.wide == nil {
		s.wide = newWide(len(s.v))
	}
}

// spill moves the contents of the accumulators to wide.
func (s *Sum) spill() {
	s.widen()
	for i, v := range s.v {
		s.wide.addUnits(i, int64((v-origin)/Grid))
	}
	s.clear()
}

func mustMatch(sums, values int) {
	if sums != values {
		panic(fmt.Sprintf("exact: %d sums, %d values", sums, values))
	}
}
