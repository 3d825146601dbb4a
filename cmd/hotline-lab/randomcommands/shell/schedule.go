package shell

import "math/rand/v2"

// Schedule contains the rates of stalls and faults during a part of an episode. Rates are
// probabilities per cycle (stalls, stray transfers) or per descriptor (faults).
type Schedule struct {
	ReadStall, WriteStall, DataStall float64 // ready is low
	BeatStall                        float64 // no read data is offered
	Interleave                       float64 // the next beat belongs to another descriptor
	Latency                          int     // maximum cycles before the first beat, and before a status
	BusPause                         int     // maximum cycles between the steps of an access
	Acknowledge                      int     // maximum cycles before the interrupt is acknowledged
	StrayAcknowledge                 float64 // the interrupt is acknowledged without a request
	Stray                            float64 // beats and statuses without a descriptor
	Forbid                           float64 // bus mastering or the link is disabled for a while

	CommandFault, ReadFault, WriteFault, CompletionFault float64
}

// Calm returns a schedule with short latencies and without faults.
func Calm() Schedule { return Schedule{Latency: 3, Acknowledge: 5} }

// RandomSchedule returns random stalls, and faults whose rates each have one of several magnitudes.
func RandomSchedule(r *rand.Rand) Schedule {
	stall := func() float64 { return []float64{0, 0, 0.1, 0.5, 0.9}[r.IntN(5)] }
	rate := func(rates ...float64) float64 { return rates[r.IntN(len(rates))] }
	w := Schedule{
		ReadStall: stall(), WriteStall: stall(), DataStall: stall(), BeatStall: stall(),
		Interleave:  rate(0, 0.05, 0.5, 1),
		Latency:     []int{0, 1, 4, 16, 60, 250}[r.IntN(6)],
		BusPause:    r.IntN(4) * r.IntN(4),
		Acknowledge: []int{0, 2, 20, 400}[r.IntN(4)],
		Forbid:      rate(0, 0, 0.0005, 0.005),
	}
	w.StrayAcknowledge = rate(0, 0, 0.02, 0.3)
	if r.IntN(3) > 0 {
		w.Stray = rate(0, 0.001, 0.05)
		w.CommandFault = rate(0, 0.005, 0.02, 0.1)
		w.ReadFault = rate(0, 0.002, 0.02, 0.2)
		w.WriteFault = rate(0, 0.005, 0.05, 0.3)
		w.CompletionFault = rate(0, 0, 0, 0.005)
	}
	return w
}
