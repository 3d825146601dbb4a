package tt

import (
	"fmt"
	"strconv"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// Cores is the number of cores of a table.
const Cores = 3

// MaxRank is the maximum rank.
const MaxRank = 1024

// Shape is the shape of a table in tensor-train form.
type Shape struct {
	Rows [Cores]int // m1, m2, m3, in ascending order
	Dims [Cores]int // n1, n2, n3
	Rank int
}

// ShapeOf returns the shape of a table of rows of dim values, chosen as in FBTT-Embedding. It
// considers rows, and rows rounded up to a multiple of 10, 100 and so on, and selects the number
// with the most equal factors. It returns an error if there are no rows or no values, or if the
// rank is not from 1 to MaxRank.
func ShapeOf(rows, dim, rank int) (Shape, error) {
	if rows < 1 || dim < 1 || rank < 1 || rank > MaxRank {
		return Shape{}, fmt.Errorf("tt: %d rows of %d values with rank %d; expected at least 1, 1, and from 1 to %d", rows, dim, rank, MaxRank)
	}
	s := Shape{Rows: factors(rows), Dims: factors(dim), Rank: rank}
	for i, unit := 1, 10; i < len(strconv.Itoa(rows)); i, unit = i+1, 10*unit {
		if f := factors((rows + unit - 1) / unit * unit); evenness(f) > evenness(s.Rows) {
			s.Rows = f
		}
	}
	if dim == 16 {
		s.Dims = [Cores]int{2, 4, 2} // as in EL-Rec, whose Table III lists the sizes
	}
	return s, nil
}

// factors returns the three most equal factors of n, in ascending order.
func factors(n int) [Cores]int {
	best := [Cores]int{1, 1, n}
	for a := 1; a*a*a <= n; a++ {
		if n%a != 0 {
			continue
		}
		for b := a; b*b <= n/a; b++ {
			if f := [Cores]int{a, b, n / a / b}; n/a%b == 0 && evenness(f) > evenness(best) {
				best = f
			}
		}
	}
	return best
}

// evenness returns the entropy of factors as shares of their sum.
func evenness(f [Cores]int) float64 {
	h, sum := 0.0, float64(f[0]+f[1]+f[2])
	for _, n := range f {
		h -= float64(float64(n) / sum * detmath.Log(float64(n)/sum))
	}
	return h
}

// SliceLen returns the number of values of a slice of a core.
func (s Shape) SliceLen(core int) int {
	n := s.Dims[core] * s.Rank
	if core == 1 {
		n *= s.Rank
	}
	return n
}

// Len returns the number of values of all cores.
func (s Shape) Len() int {
	n := 0
	for core, slices := range s.Rows {
		n += slices * s.SliceLen(core)
	}
	return n
}

// Slices returns the indices of the slices whose product is a row.
func (s Shape) Slices(row uint32) [Cores]int {
	prefix := s.Prefix(row)
	return [Cores]int{int(prefix) / s.Rows[1], int(prefix) % s.Rows[1], int(row) % s.Rows[2]}
}

// Prefix returns the common index of the first two slices of a row.
func (s Shape) Prefix(row uint32) uint32 { return row / uint32(s.Rows[2]) }

// PrefixLen returns the number of values of the product of the first two slices.
func (s Shape) PrefixLen() int { return s.Dims[0] * s.Dims[1] * s.Rank }

// Dim returns the number of values of a row.
func (s Shape) Dim() int { return s.Dims[0] * s.Dims[1] * s.Dims[2] }
