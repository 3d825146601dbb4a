package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// decimals returns the number of decimals that a range supports, at most most: two significant
// digits of its width. It is negative if even ones are not supported.
func decimals(low, high float64, most int) int {
	if high <= low {
		return most
	}
	return min(most, 1-int(math.Floor(math.Log10(high-low))))
}

// rounded formats a nonnegative number with this number of decimals. A negative number rounds to
// tens, hundreds and so on.
func rounded(x float64, decimals int) string {
	if decimals < 0 {
		unit := math.Pow10(-decimals)
		x = math.Round(x/unit) * unit
	}
	text := fmt.Sprintf("%.*f", max(0, decimals), x)
	whole, part, _ := strings.Cut(text, ".")
	return strings.TrimSuffix(format.Digits(whole)+"."+part, ".")
}

// ranged is a number with its range.
type ranged struct{ value, low, high float64 }

// cells formats a number and the ends of its range with the digits that the range supports.
func (r ranged) cells(most int) (value, low, high string) {
	n := decimals(r.low, r.high, most)
	return rounded(r.value, n), rounded(r.low, n), rounded(r.high, n)
}

func (s *SpeedUp) ranged() string {
	value, low, high := ranged{s.Value, s.Low, s.High}.cells(2)
	return fmt.Sprintf("%s (%s to %s)", value, low, high)
}

// time returns the time of a mini-batch and its range, in microseconds.
func (s *System) time() (value, low, high string) {
	us := func(t des.Time) float64 {
		return float64(t) / float64(max(1, s.MiniBatches)) / float64(des.Microsecond)
	}
	value, low, high = ranged{us(s.Time), us(s.Low), us(s.High)}.cells(2)
	return value + " us", low + " us", high + " us"
}
