package dlrm

import "fmt"

// Schedule changes the learning rate from mini-batch to mini-batch, like LRPolicyScheduler of the
// DLRM reference. The attributes of the reference have the same names. Mini-batches are counted
// from 1 here. The zero value keeps the rate constant.
//
//   - In mini-batch t below WarmupSteps, the rate is the share t / WarmupSteps of the full rate.
//   - In mini-batch DecayStart + t, for t below DecaySteps, the rate is the share
//     (1 - t/DecaySteps)^2 of the full rate, but at least 1e-7.
//   - Otherwise, the rate is the full rate if there is no decay, and the rate of the previous
//     mini-batch if there is one. Thus the rate after the warm-up is slightly below the full rate,
//     as in the reference. Without warm-up, where the reference fails, it is the full rate.
type Schedule struct {
	WarmupSteps int // lr_num_warmup_steps
	DecayStart  int // lr_decay_start_step: at least WarmupSteps if there is a decay
	DecaySteps  int // lr_num_decay_steps
}

// Check returns the attribute of a configuration that is wrong, and an error.
func (s Schedule) Check() (attribute string, err error) {
	const start = "lr_decay_start_step"
	switch {
	case min(s.WarmupSteps, s.DecayStart, s.DecaySteps) < 0:
		return start, fmt.Errorf("schedule is %+v, expected no negative numbers", s)
	case s.DecaySteps > 0 && s.DecayStart < s.WarmupSteps:
		return start, fmt.Errorf("%s is %d, expected at least the %d of lr_num_warmup_steps", start, s.DecayStart, s.WarmupSteps)
	}
	return "", nil
}

// leastRate is the least learning rate of a decay.
const leastRate = 1e-7

// share returns the share of the learning rate in mini-batch m, counted from 0.
func (s Schedule) share(rate float64, m int) float64 {
	t := m + 1
	switch {
	case t < s.WarmupSteps:
		return float64(t) / float64(s.WarmupSteps)
	case s.DecaySteps == 0:
		return 1
	case t >= s.DecayStart:
		left := float64(s.DecaySteps-min(t-s.DecayStart, s.DecaySteps-1)) / float64(s.DecaySteps)
		return max(leastRate/rate, float64(left*left))
	case s.WarmupSteps > 1:
		return float64(s.WarmupSteps-1) / float64(s.WarmupSteps)
	}
	return 1
}
