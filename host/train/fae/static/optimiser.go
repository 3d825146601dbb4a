package static

import "github.com/hotline-rtl/hotline/host/dlrm/detmath"

// Limits of the optimiser's search: thresholds in percent, as powers of ten; the number of tries;
// and the fraction of the budget to fill.
const (
	lowest  = -9
	highest = 2
	tries   = 20
	filled  = 0.9
)

// search returns a threshold, in percent, for which size fills a budget. It bisects the range of
// the threshold's logarithm. It calls size once per tried threshold, with try numbered from 0. ok
// is false if even the highest threshold exceeds the budget.
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
