package exact

import (
	"errors"
	"fmt"
	"math"
)

const (
	// Grid is the spacing to which every summand is rounded.
	Grid = 0x1p-40
	// Limit is the largest load (sum of bounds of the summands' magnitudes) for which a sum is valid.
	Limit = 0x1p11

	shift = 1.5 * 0x1p12 // C in the package comment
)

var (
	// ErrRange says that the magnitudes of the summands add up to more than Limit.
	ErrRange = fmt.Errorf("the magnitudes of the summands add up to more than %d", int(Limit))
	// ErrNotFinite says that a summand was infinite or not a number.
	ErrNotFinite = errors.New("a summand is infinite or not a number")
)

// Sum is a vector of exact sums that share one load. The zero value has length 0; make one with NewSum or NewSums.
type Sum struct {
	v    []float64
	load float64
}

// NewSum returns a vector of n sums, all zero.
func NewSum(n int) *Sum { return &NewSums(1, n)[0] }

// NewSums returns count vectors of n sums each, all zero, in one allocation. Each has a load of its own.
func NewSums(count, n int) []Sum {
	slab := make([]float64, count*n)
	sums := make([]Sum, count)
	for i := range sums {
		sums[i].v = slab[i*n : (i+1)*n : (i+1)*n]
	}
	return sums
}

// Len returns the number of sums in the vector.
func (s *Sum) Len() int { return len(s.v) }

// Reset makes all sums zero and forgets errors.
func (s *Sum) Reset() {
	clear(s.v)
	s.load = 0
}

// Merge adds the sums of o, of the same length, to s.
func (s *Sum) Merge(o *Sum) {
	mustMatch(len(s.v), len(o.v))
	for i, q := range o.v {
		s.v[i] += q
	}
	s.load += o.load
}

// Err returns nil while the sums are exact, else ErrNotFinite or ErrRange.
func (s *Sum) Err() error {
	switch {
	case math.IsInf(s.load, 1):
		return ErrNotFinite
	case s.load > Limit:
		return ErrRange
	}
	return nil
}

// Round writes the sums, each rounded once to float32, to dst of the same length. On error dst is unchanged.
func (s *Sum) Round(dst []float32) error {
	mustMatch(len(s.v), len(dst))
	if err := s.Err(); err != nil {
		return err
	}
	for i, q := range s.v {
		dst[i] = float32(q)
	}
	return nil
}

// charge adds a summand's bound to the load. Grid makes up for the rounding of the bound and of the summand.
func (s *Sum) charge(bound float64) {
	if bound != bound {
		bound = math.Inf(1)
	}
	s.load += round(bound) + Grid
}

// round rounds p, |p| <= Limit, to the grid.
func round(p float64) float64 { return float64(p+shift) - shift }

func mustMatch(sums, values int) {
	if sums != values {
		panic(fmt.Sprintf("exact: %d sums, %d values", sums, values))
	}
}
