package limits

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Range is the set of valid values of an attribute.
type Range struct {
	text  string
	holds func(reflect.Value) bool
}

// String returns the range as it appears in messages and documents.
func (r Range) String() string { return r.text }

// Contains reports whether v is in the range.
func (r Range) Contains(v any) bool { return r.holds(reflect.ValueOf(v)) }

type number interface{ ~int | ~int64 | ~float64 }

// Between returns the range from low to high, both included.
func Between[N number](low, high N) Range {
	return Number(spell(low)+" to "+spell(high), func(x float64) bool { return float64(low) <= x && x <= float64(high) })
}

// AtLeast returns the range of low and all larger numbers.
func AtLeast[N number](low N) Range {
	return Number("at least "+spell(low), func(x float64) bool { return x >= float64(low) })
}

// Above returns the range of all numbers larger than low.
func Above[N number](low N) Range {
	return Number("above "+spell(low), func(x float64) bool { return x > float64(low) })
}

// Share returns the range above 0 up to 1.
func Share() Range {
	return Number("above 0 and at most 1", func(x float64) bool { return x > 0 && x <= 1 })
}

// PowerOfTwo returns the powers of two from low to high.
func PowerOfTwo(low, high int) Range {
	return Number(fmt.Sprintf("a power of two from %d to %d", low, high), func(x float64) bool {
		n := int(x)
		return low <= n && n <= high && n&(n-1) == 0
	})
}

// Number returns the range of the numbers for which holds returns true.
func Number(text string, holds func(float64) bool) Range {
	return Range{text, func(v reflect.Value) bool {
		if v.CanInt() {
			return holds(float64(v.Int()))
		}
		return holds(v.Float())
	}}
}

// OneOf returns the range of some strings.
func OneOf[S ~string](values ...S) Range {
	var names []string
	for _, v := range values {
		names = append(names, string(v))
	}
	return Range{strings.Join(names, ", "), func(v reflect.Value) bool { return slices.Contains(names, v.String()) }}
}

// Described returns a range that contains every value. It is for attributes whose range depends on
// other attributes, so that the block checks it.
func Described(text string) Range {
	return Range{text, func(reflect.Value) bool { return true }}
}

func spell[N number](n N) string { return strconv.FormatFloat(float64(n), 'f', -1, 64) }
