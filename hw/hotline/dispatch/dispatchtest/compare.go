package dispatchtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// CompareWrites compares the writes with the expected writes.
func CompareWrites(got, want []dispatch.Write) error {
	return Compare("writes", got, want, func(a, b dispatch.Write) bool { return a.Addr == b.Addr && slices.Equal(a.Data, b.Data) })
}

// Compare compares two lists. The error names the first difference.
func Compare[T any](what string, got, want []T, same func(a, b T) bool) error {
	for i := range min(len(got), len(want)) {
		if !same(got[i], want[i]) {
			return fmt.Errorf("%s: number %d is %+v, want %+v", what, i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d %s, want %d", len(got), what, len(want))
	}
	return nil
}

// Equal compares comparable elements for Compare.
func Equal[T comparable](a, b T) bool { return a == b }

// EqualOps compares operations for Compare. It compares scalars bit by bit.
func EqualOps(a, b reduce.Operation) bool {
	same := math.Float32bits(a.Scalar) == math.Float32bits(b.Scalar)
	a.Scalar, b.Scalar = 0, 0
	return same && a == b
}
