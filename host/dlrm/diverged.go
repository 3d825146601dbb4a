package dlrm

import (
	"errors"

	"github.com/hotline-rtl/hotline/host/dlrm/exact"
)

// errScore is the cause of an error about a prediction that is NaN.
var errScore = errors.New("is not a number")

// Diverged reports whether an error of this package means that the training has diverged: a
// gradient or a prediction is infinite, NaN, or beyond float32.
func Diverged(err error) bool {
	return errors.Is(err, exact.ErrNotFinite) || errors.Is(err, exact.ErrRange) || errors.Is(err, errScore)
}
