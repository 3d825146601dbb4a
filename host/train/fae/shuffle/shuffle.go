package shuffle

import "math"

// Rates, in percent of a queue.
const (
	first   = 50
	slowest = 1
	fastest = 100
)

// patience is the number of consecutive decreases of the test loss after which the rate is raised
// (u of Equation 5).
const patience = 4

// Scheduler determines the order of mini-batches.
type Scheduler struct {
	total, left [2]int // mini-batches, cold and hot
	hot         bool   // kind of the latest strip
	rate        float64
	tested      bool
	loss        float64 // of the latest test
	falls       int     // consecutive decreases
}

// New returns a scheduler for the given numbers of cold and hot mini-batches.
func New(cold, hot int) *Scheduler {
	return &Scheduler{total: [2]int{cold, hot}, left: [2]int{cold, hot}, hot: true, rate: first}
}

// Rate returns the rate R, in percent.
func (s *Scheduler) Rate() float64 { return s.rate }

// Next returns the next strip: n mini-batches of a kind, or 0 at the end. The first strip is cold.
// Kinds alternate while mini-batches of both kinds remain.
func (s *Scheduler) Next() (hot bool, n int) {
	if s.left[kind(!s.hot)] > 0 {
		s.hot = !s.hot
	}
	k := kind(s.hot)
	n = s.left[k]
	if s.left[1-k] > 0 {
		n = min(n, max(1, int(math.Ceil(s.rate/100*float64(s.total[k])))))
	}
	s.left[k] -= n
	return s.hot, n
}

// Mixed reports whether mini-batches of both kinds remain, so that the rate matters.
func (s *Scheduler) Mixed() bool { return s.left[0] > 0 && s.left[1] > 0 }

func kind(hot bool) int {
	if hot {
		return 1
	}
	return 0
}

// Tested adapts the rate to the test loss after a strip. It halves the rate if the loss has risen,
// and doubles it after four consecutive decreases (Equation 5).
func (s *Scheduler) Tested(loss float64) {
	switch {
	case !s.tested:
	case loss > s.loss:
		s.falls, s.rate = 0, max(slowest, s.rate/2)
	case loss < s.loss:
		if s.falls++; s.falls >= patience {
			s.rate = min(fastest, 2*s.rate)
		}
	default:
		s.falls = 0
	}
	s.loss, s.tested = loss, true
}
