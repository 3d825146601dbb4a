package static

import "github.com/hotline-rtl/hotline/host/dlrm/detmath"

// Range and end of the optimiser's search: thresholds in percent, as powers of ten,
// and the part of the budget that is to be filled.
const (
	lowest  = -9
	highest = 2
	tries   = 20
	filled  = 0.9
)

// search looks for a threshold, in percent, that makes size fill a budget, by halving
// the range of its logarithm. size is asked once for each of the thresholds that are
// tried, which are numbered from 0. It is not ok if not even the highest fits.
func search(budget float64, size func(percent float64, try int) float64) (percent float64, tried int, ok bool) {
	low, high := float64(lowest), float64(highest)
	if size(detmath.Pow(10, low), 0) <= budget {
		return detmath.Pow(10, low), 1, true
	}
	if size(detmath.Pow(10, high), 1) > budget {
		return 0, 2, false
	}
	for tried = 2; tried < tries; {
		middle := (low + high) / 2
		s := size(detmath.Pow(10, middle), tried)
		tried++
		if s > budget {
			low = middle
			continue
		}
		high = middle
		if s >= filled*budget {
			break
		}
	}
	return detmath.Pow(10, high), tried, true
}
