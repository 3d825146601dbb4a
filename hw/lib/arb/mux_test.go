package arb_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// checkMux sends random packets on n streams and checks the merged stream. Packets must be
// complete and in order for each stream. If all streams always offer a packet, they must be served
// alternately.
func checkMux(d *ir.Design, n int) error {
	for _, rates := range [][2]float64{{1, 1}, {0.5, 0.5}, {1, 0.4}, {0.4, 1}} {
		if err := muxTraffic(d, n, rates[0], rates[1]); err != nil {
			return fmt.Errorf("rates %v: %w", rates, err)
		}
	}
	return lastAlone(d, n)
}

// lastAlone sends a packet only on the last stream.
func lastAlone(d *ir.Design, n int) error {
	b, err := bench.New(d, 1)
	if err != nil {
		return err
	}
	push := b.Source("push_valid", "push_ready", "push_data", "push_last")
	b.Sink("pop_valid", "pop_ready", "pop_data", "pop_last")
	push.Send(n-1, bench.Item{0, 1})
	return b.Drain(1, 2)
}

// muxTraffic runs the traffic of checkMux at given rates. Words contain the stream in the low 8
// bits, then the number of the packet, then the number of the word in the packet.
func muxTraffic(d *ir.Design, n int, pushRate, popRate float64) error {
	b, err := bench.New(d, 1)
	if err != nil {
		return err
	}
	push := b.Source("push_valid", "push_ready", "push_data", "push_last")
	pop := b.Sink("pop_valid", "pop_ready", "pop_data", "pop_last")
	push.Rate, pop.Rate = pushRate, popRate
	const packets = 20
	total := 0
	var lengths [256][packets]int
	for i := range n {
		for k := range packets {
			lengths[i][k] = 1 + b.Rand.IntN(4)
			for w := range lengths[i][k] {
				last := uint64(0)
				if w == lengths[i][k]-1 {
					last = 1
				}
				push.Send(i, bench.Item{uint64(i | k<<8 | w<<16), last})
				total++
			}
		}
	}
	if err := b.Drain(total, 20*total); err != nil {
		return err
	}
	if err := b.Run(5); err != nil {
		return err
	}
	if len(pop.Got[0]) != total {
		return fmt.Errorf("got %d words, want %d", len(pop.Got[0]), total)
	}
	var next [256]int
	got := pop.Got[0]
	for served := 0; len(got) > 0; served++ {
		i := int(got[0][0] & 0xff)
		if pushRate == 1 && i != served%n {
			return fmt.Errorf("packet %d is of stream %d, want %d", served, i, served%n)
		}
		k := next[i]
		next[i]++
		for w := range lengths[i][k] {
			last := uint64(0)
			if w == lengths[i][k]-1 {
				last = 1
			}
			want := bench.Item{uint64(i | k<<8 | w<<16), last}
			if got[0][0] != want[0] || got[0][1] != want[1] {
				return fmt.Errorf("got %x, want %x", got[0], want)
			}
			got = got[1:]
		}
	}
	if pushRate == 1 && popRate == 1 && b.Sim.Cycle() != uint64(1+total+5) {
		return fmt.Errorf("%d words took %d cycles", total, b.Sim.Cycle())
	}
	return nil
}

func TestMuxAgainstModel(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8} {
		for _, width := range []int{24, 64} {
			d, err := hw.Elaborate(arb.Mux[hw.Bits]{Of: hw.Width(width), N: n})
			require.NoError(t, err)
			require.NoError(t, checkMux(d, n), d.Top.Name)
		}
	}
}

func TestMuxFaultsAreCaught(t *testing.T) {
	d, err := hw.Elaborate(arb.Mux[hw.Bits]{Of: hw.Width(24), N: 3})
	require.NoError(t, err)
	survivors, tried := bench.Survivors(d, func() error { return checkMux(d, 3) })
	require.Empty(t, survivors)
	require.Greater(t, tried, 10)
}
