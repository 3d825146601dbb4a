package shuffle

import "math"

// Rates, in percent of a queue.
const (
	first   = 50
	slowest = 1
	fastest = 100
)

// patience is how many times in a row the test loss must fall before the rate is
// raised (u of Equation 5).
const patience = 4

// Scheduler says which mini-batches come next.
type Scheduler struct {
	total, left [2]int // mini-batches, cold and hot
	hot         bool   // those of the latest strip
	rate        float64
	tested      bool
	loss        float64 // of the latest test
	falls       int     // in a row
}

// New schedules mini-batches of which so many are cold and hot.
func New(cold, hot int) *Scheduler {
	return &Scheduler{total: [2]int{cold, hot}, left: [2]int{cold, hot}, hot: true, rate: first}
}

// Rate is the rate R, in percent.
func (s *Scheduler) Rate() float64 { return s.rate }

// Next is the next strip: n mini-batches of a kind, 0 at the end. It begins with
// cold ones and changes the kind, as long as there are both.
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

// Mixed tells whether there are mini-batches of both kinds left, so that the rate
// matters.
func (s *Scheduler) Mixed() bool { return s.left[0] > 0 && s.left[1] > 0 }

func kind(hot bool) int {
	if hot {
		return 1
	}
	return 0
}

// Tested says what the test loss is after a strip, and changes the rate: a half if
// it has risen, twice if it has fallen four times in a row (Equation 5).
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
