package trace_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/trace"
)

// replay plays a trace to a card like that of the rig.
func (r *rig) replay(x *trace.Trace) (trace.Replayed, error) {
	k := node.NewKernel()
	return x.Replay(k, server.DefaultConfig().Slot, r.card(k))
}

func TestReplay(t *testing.T) {
	r, x := run(t)
	got, err := r.replay(x)
	require.NoError(t, err)
	require.Nil(t, got.Difference)
	require.Equal(t, len(x.Events)-1, got.Down+got.Up, "all but the function")
}

// What differs is told: an address, a picosecond, a TLP too few, one too many, one
// that is not there at the end.
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

// What the host did not get through to the card is not played.
func TestReplayOfLostTLPs(t *testing.T) {
	lost := 0
	r := newRig(t, func(dir link.Direction, _ node.Time, p *pcie.TLP) link.Fate {
		if dir == link.Up && p.Kind == pcie.MWr && len(p.Data) == 4 && lost == 0 {
			lost++
			return link.Fate{Drop: true}
		}
		return link.Fate{}
	})
	r.one()
	x := r.trace()
	require.Equal(t, 1, lost, "an interrupt, which the driver does without")
	require.Len(t, x.Select(trace.Filter{Types: []string{"comment"}}), 1)
	got, err := r.replay(x)
	require.NoError(t, err)
	require.Nil(t, got.Difference)

	r = newRig(t, func(link.Direction, node.Time, *pcie.TLP) link.Fate { return link.Fate{} })
	at := r.s.Kernel.Now() + node.Microsecond
	r.writer.TLP(link.Down, at, capture.Injected|capture.Dropped, pcie.NewRead(0, 77, 0xfe000000, 4))
	r.writer.Comment(link.Down, at+10*node.Microsecond, "time enough for an answer")
	got, err = r.replay(r.trace())
	require.NoError(t, err)
	require.Nil(t, got.Difference, "the card did not answer what it never got")
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
	require.EqualError(t, err, "trace: the capture is of function 01:00.0 with BAR 0xfd000000+0x10000, the card is 01:00.0 with BAR 0xfe000000+0x10000")
}
