package timing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// blocks is the count of a custom order.
type blocks int

// TestOwnOrder checks a custom order with a resource and a count of its own: 2 us per block on a
// disk with two heads, hidden by 10 us on the CPU.
func disk(s *timing.Schedule, works []timing.Work) {
	heads := s.Resource("disk", 2)
	for m, w := range works {
		s.Begin(m)
		computed := s.CPU.Book(timeline.Work{Label: "compute", Time: 10 * des.Microsecond}, s.Params)
		read := s.Params
		for range timing.Own[blocks](w) {
			read = timeline.Latest(read, heads.Book(timeline.Work{Label: "read", Time: 2 * des.Microsecond, Bytes: 512}, s.Params))
		}
		s.Mark("computing", computed)
		s.Mark("waiting for the disk", read)
		s.End(timeline.Latest(computed, read))
	}
}

func TestOwnOrder(t *testing.T) {
	works := []timing.Work{{Own: blocks(3)}, {Own: blocks(11)}, {}}
	run, line, err := timing.Trace(disk, timingtest.TinyPlan(t, "sceptic", 1), works, timingtest.All)
	require.NoError(t, err)
	require.Equal(t, []des.Time{10 * des.Microsecond, 22 * des.Microsecond, 32 * des.Microsecond}, run.Ends)
	require.Equal(t, map[string]float64{"computing": 30, "waiting for the disk": 2}, timingtest.Phases(t, disk, timingtest.TinyPlan(t, "sceptic", 1), works))
	require.Equal(t, []timeline.Share{{Resource: "CPU", Time: 20 * des.Microsecond}, {Resource: "disk", Time: 12 * des.Microsecond}}, run.Chain)
	require.Equal(t, []timeline.Share{{Resource: "CPU", Time: 30 * des.Microsecond}, {Resource: "disk", Time: 28 * des.Microsecond}}, run.Busy)
	require.EqualValues(t, 14*512, timingtest.TotalsOf(line)["disk: read"].Bytes)
	require.Panics(t, func() { timing.Own[blocks](timing.Work{Own: "blocks"}) }, "of another system")
}

// TestWrongOrders: an incomplete order is refused.
func TestWrongOrders(t *testing.T) {
	step := func(s *timing.Schedule) timeline.Point {
		return s.CPU.Book(timeline.Work{Label: "compute", Time: 10 * des.Microsecond}, s.Params)
	}
	for want, order := range map[string]timing.System{
		"timing: an order has ended 1 mini-batches of 2; expected one call of Schedule.End for each": func(s *timing.Schedule, _ []timing.Work) {
			p := step(s)
			s.Mark("computing", p)
			s.End(p)
		},
		"timing: an order has ended 4 mini-batches of 2; expected one call of Schedule.End for each": func(s *timing.Schedule, works []timing.Work) {
			for range 2 * len(works) {
				s.End(timeline.Point{})
			}
		},
		"timing: a mini-batch ends at 20us, but the last mark of a phase is at 10us; expected one at the end or later": func(s *timing.Schedule, works []timing.Work) {
			for m := range works {
				p := step(s)
				if m == 0 {
					s.Mark("computing", p)
				}
				s.End(p)
			}
		},
	} {
		_, err := timing.Time(order, timingtest.TinyPlan(t, "sceptic", 1), make([]timing.Work, 2))
		require.EqualError(t, err, want)
		_, err = timing.Bare(order, timingtest.TinyPlan(t, "sceptic", 1), make([]timing.Work, 2))
		require.EqualError(t, err, want)
	}
	run, err := timing.Time(disk, timingtest.TinyPlan(t, "sceptic", 1), nil)
	require.NoError(t, err)
	require.Zero(t, run.Time)
}
