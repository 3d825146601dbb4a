package trace_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/device/trace"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// replay replays a trace on a card configured like the harness.
func (r *harness) replay(x *trace.Trace) (trace.Replayed, error) {
	k := des.NewKernel()
	return x.Replay(k, server.DefaultConfig().Slot, r.card(k))
}

func TestReplay(t *testing.T) {
	r, x := run(t)
	got, err := r.replay(x)
	require.NoError(t, err)
	require.Nil(t, got.Difference)
	require.Equal(t, len(x.Events)-1, got.Down+got.Up, "all but the function")
}

// TestReplayDiffers: a replay reports a different address or time, and missing or additional TLPs.
func TestReplayDiffers(t *testing.T) {
	r, x := run(t)
	read := find(t, x, trace.DataRead, pcie.MRd).Number
	last := len(x.Events)
	for name, c := range map[string]struct {
		change func(x *trace.Trace)
		packet int
		sent   string
	}{
		"address": {func(x *trace.Trace) { x.Events[read-1].TLP.Addr += 4 }, read, "MRd"},
		"time":    {func(x *trace.Trace) { x.Events[read-1].Time++ }, read, "MRd"},
		"missing": {func(x *trace.Trace) { x.Events = slices.Delete(x.Events, read-1, read) }, 0, "MRd"},
		"more": {func(x *trace.Trace) {
			e := x.Events[read-1]
			e.Time = x.Events[last-1].Time + 1
			e.Number = last + 1
			x.Events = append(x.Events, e)
		}, last + 1, "nothing more"},
	} {
		t.Run(name, func(t *testing.T) {
			copied := *x
			copied.Events = slices.Clone(x.Events)
			c.change(&copied)
			got, err := r.replay(&copied)
			require.NoError(t, err)
			require.NotNil(t, got.Difference)
			require.Contains(t, got.Difference.Sent, c.sent)
			if c.packet > 0 {
				require.Equal(t, c.packet, got.Difference.Packet)
			}
		})
	}
}

// TestReplayOfFaults: a replay repeats injected faults. The faults are a lost register write, late
// command entries and data, duplicate completions, and lost interrupts, which the driver tolerates.
func TestReplayOfFaults(t *testing.T) {
	down, up, fates := 0, 0, map[string]int{}
	r := newHarness(t, func(dir link.Direction, _ des.Time, p *pcie.TLP) (fate link.Fate) {
		if dir == link.Up && p.Kind == pcie.MWr && len(p.Data) == 4 {
			up++
			fate.Drop = up == 1
		}
		if dir == link.Down && p.Kind == pcie.CplD {
			down++
			switch down % 3 {
			case 0:
				fate.Delay = des.Time(down) * des.Microsecond
			case 1:
				stray := *p
				stray.Tag = pcie.MaxTag
				fate.Behind = []*pcie.TLP{&stray}
			}
		}
		if fate.Drop || fate.Delay > 0 || fate.Behind != nil {
			fates[p.Kind.String()]++
		}
		return fate
	})
	r.one()
	at := r.s.Kernel.Now() + des.Microsecond
	r.writer.TLP(link.Down, at, capture.Injected|capture.Dropped, pcie.NewRead(0, 77, 0xfe000000, 4))
	r.writer.Comment(link.Down, at+10*des.Microsecond, "time enough for an answer")
	x := r.trace()
	require.Equal(t, map[string]int{"MWr": 1, "CplD": 2 * down / 3}, fates)
	got, err := r.replay(x)
	require.NoError(t, err)
	require.Nil(t, got.Difference)
	for i := range x.Events {
		if e := &x.Events[i]; e.Kind == capture.KindTLP && e.Delay > 0 {
			e.Delay += des.Microsecond
			break
		}
	}
	got, err = r.replay(x)
	require.NoError(t, err)
	require.NotNil(t, got.Difference, "a microsecond later")
}

// TestReplayWithoutCredits: a capture does not record when credits returned. A replay on the same
// link returns them when the capture needs them. On a link with more credits, a card that had
// waited for them is faster, and the replay reports a difference.
func TestReplayWithoutCredits(t *testing.T) {
	few := server.DefaultConfig().Slot
	few.UpCredits.PH, few.UpCredits.NPH = 1, 1
	r := newHarnessOn(t, func(c *server.Config) { c.Slot = few }, nil)
	r.one()
	x := r.trace()
	k := des.NewKernel()
	got, err := x.Replay(k, few, r.card(k))
	require.NoError(t, err)
	require.Nil(t, got.Difference)
	require.Equal(t, len(x.Events)-1, got.Down+got.Up)

	k = des.NewKernel()
	got, err = x.Replay(k, server.DefaultConfig().Slot, r.card(k))
	require.NoError(t, err)
	require.NotNil(t, got.Difference)
	captured, sent := strings.SplitN(got.Difference.Captured, " ", 2), strings.SplitN(got.Difference.Sent, " ", 2)
	require.Equal(t, captured[1], sent[1])
	late, err := time.ParseDuration(captured[0])
	require.NoError(t, err)
	early, err := time.ParseDuration(sent[0])
	require.NoError(t, err)
	require.Less(t, early, late)
}

// TestReplayOfSlowerCard: where credits may have run out, a replay detects a slower card but not a
// faster card.
func TestReplayOfSlowerCard(t *testing.T) {
	few := server.DefaultConfig().Slot
	few.UpCredits.NPH = 1
	r := newHarnessOn(t, func(c *server.Config) { c.Slot = few }, nil)
	r.one()
	x := r.trace()
	reads := 0
	for i := range x.Events {
		if e := &x.Events[i]; e.Kind == capture.KindTLP && e.Dir == link.Up && e.TLP.Kind == pcie.MRd {
			if reads++; reads == 2 {
				e.Time--
				break
			}
		}
	}
	require.Equal(t, 2, reads)
	k := des.NewKernel()
	got, err := x.Replay(k, few, r.card(k))
	require.NoError(t, err)
	require.NotNil(t, got.Difference)
}

func TestReplayMistakes(t *testing.T) {
	r, x := run(t)
	other := *x
	other.Function = nil
	_, err := r.replay(&other)
	require.ErrorContains(t, err, "the capture does not say of which function it is")
	f := *x.Function
	f.BAR.Base = 0xfd000000
	other.Function = &f
	_, err = r.replay(&other)
	require.EqualError(t, err, "trace: the capture is of function 01:00.0 with BAR 0xfd000000+0x10000, the device is 01:00.0 with BAR 0xfe000000+0x10000")
}
