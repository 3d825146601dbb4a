package hotline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// interrupts counts the interrupts on the accelerator's link and passes each to fate.
func interrupts(s *server.Server, fate func(n int) link.Fate) (n *int) {
	n = new(int)
	s.Slot().Inject(func(dir link.Direction, _ des.Time, p *pcie.TLP) link.Fate {
		if dir != link.Up || p.Kind != pcie.MWr || p.Addr != s.Config.Root.Interrupts.Base {
			return link.Fate{}
		}
		*n++
		return fate(*n)
	})
	return n
}

// TestInterrupts: lost, late, duplicate and spurious interrupts change only the time of a run.
func TestInterrupts(t *testing.T) {
	run := func(disturb func(*job, *server.Server)) (*hotline.System, train.Result) {
		j := newJob(t, 1, 3)
		j.opts.Relearn = 4
		s, h := j.hotline(t)
		disturb(j, s)
		got, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
		require.NoError(t, err)
		return h, got
	}
	var all *int
	undisturbed, want := run(func(_ *job, s *server.Server) { all = interrupts(s, func(int) link.Fate { return link.Fate{} }) })
	require.Zero(t, want.Count(hotline.CountLost))
	require.Greater(t, *all, 30)
	raise := func(j *job) func() { return func() { j.endpoint.RaiseInterrupt(0) } }

	for _, c := range []struct {
		name    string
		disturb func(*job, *server.Server)
		lost    bool
		slower  bool
	}{
		{"every 2nd is lost", func(_ *job, s *server.Server) {
			interrupts(s, func(n int) link.Fate { return link.Fate{Drop: n%2 == 0} })
		}, true, true},
		{"all are lost", func(_ *job, s *server.Server) { interrupts(s, func(int) link.Fate { return link.Fate{Drop: true} }) }, true, true},
		{"all are late", func(_ *job, s *server.Server) {
			interrupts(s, func(int) link.Fate { return link.Fate{Delay: 700 * des.Microsecond} })
		}, false, true},
		{"all come twice", func(j *job, s *server.Server) {
			copied := false
			interrupts(s, func(int) link.Fate {
				if copied = !copied; copied {
					s.Kernel.After(des.Microsecond, raise(j))
				}
				return link.Fate{}
			})
		}, false, false},
		{"some without cause", func(j *job, s *server.Server) {
			for i := range des.Time(100) {
				s.Kernel.After((100+i*i)*des.Microsecond, raise(j))
			}
		}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, got := run(c.disturb)
			lost := got.Count(hotline.CountLost)
			require.Equal(t, c.lost, lost > 0, "%d lost interrupts", lost)
			require.LessOrEqual(t, lost, int64(*all))
			require.LessOrEqual(t, taken(got), taken(want)+des.Time(*all)*des.Time(driver.PollInterval.Nanoseconds())*des.Nanosecond)
			require.Equal(t, c.slower, taken(got) > taken(want)+des.Microsecond, "an interrupt more is a TLP more on the link")
			require.Equal(t, want.Loss, got.Loss)
			require.Equal(t, want.AUC, got.AUC)
			_, err := train.Compare(undisturbed, h)
			require.NoError(t, err)
		})
	}
}

// taken returns the accelerator's time for all commands of a training.
func taken(r train.Result) (t des.Time) {
	for _, w := range r.Works {
		own := timing.Own[hotline.Work](w)
		t += own.Learn + own.ReadOut + own.Classify + own.Gather + own.Update
	}
	return t
}
