package skid_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func stages(width int) []hw.Generator[skid.Ports[hw.Bits]] {
	return []hw.Generator[skid.Ports[hw.Bits]]{skid.Skid[hw.Bits]{Of: hw.Width(width)}, skid.Stage[hw.Bits]{Of: hw.Width(width)}}
}

// check transfers words at various rates and compares the output. While the receiver stalls and
// the stage is full, the stage must not be ready.
func check(d *ir.Design, capacity int, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	push, pop := b.Push("push"), b.Pop("pop")
	var sent []bench.Item
	for _, rates := range [][2]float64{{1, 0}, {1, 1}, {0.9, 0.9}, {0.5, 0.5}, {1, 0.3}, {0.3, 1}} {
		push.Rate, pop.Rate = rates[0], rates[1]
		for range 100 {
			sent = append(sent, push.Random())
			push.Send(0, sent[len(sent)-1])
		}
		if pop.Rate == 0 {
			if err := b.Run(10); err != nil {
				return err
			}
			if push.Sent() != capacity {
				return fmt.Errorf("took %d words, want %d", push.Sent(), capacity)
			}
			continue
		}
		if err := b.Drain(len(sent), 1000); err != nil {
			return err
		}
		if err := b.Run(5); err != nil {
			return err
		}
	}
	if !reflect.DeepEqual(pop.Got[0], sent) {
		return fmt.Errorf("got %x, want %x", pop.Got[0], sent)
	}
	return nil
}

func TestAgainstModel(t *testing.T) {
	for _, width := range []int{1, 32, 64, 65, 577} {
		for i, g := range stages(width) {
			d, err := hw.Elaborate(g)
			require.NoError(t, err)
			require.NoError(t, check(d, 2-i, 1), d.Top.Name)
		}
	}
}

func TestFullThroughput(t *testing.T) {
	for _, g := range stages(8) {
		d, err := hw.Elaborate(g)
		require.NoError(t, err)
		b, err := bench.New(d, 1)
		require.NoError(t, err)
		push := b.Push("push")
		b.Pop("pop")
		for range 100 {
			push.Send(0, push.Random())
		}
		require.NoError(t, b.Drain(100, 200))
		require.EqualValues(t, 1+100+1, b.Sim.Cycle(), "%s: reset, a cycle per word, the latency", d.Top.Name)
	}
}

func TestSkidCutsReady(t *testing.T) {
	d, err := hw.Elaborate(skid.Skid[hw.Bits]{Of: hw.Width(8)})
	require.NoError(t, err)
	b, err := bench.New(d, 1)
	require.NoError(t, err)
	b.Push("push")
	pop, ready := b.Pin("pop_ready"), b.Pin("push_ready")
	for range 200 {
		pop.SetBool(false)
		before := ready.Get()
		pop.SetBool(true)
		require.Equal(t, before, ready.Get())
		pop.SetBool(b.Rand.IntN(2) == 0)
		require.NoError(t, b.Cycle())
	}
}

func TestFaultsAreCaught(t *testing.T) {
	for i, g := range stages(8) {
		d, err := hw.Elaborate(g)
		require.NoError(t, err)
		survivors, tried := bench.Survivors(d, func() error { return check(d, 2-i, 1) })
		require.Empty(t, survivors, d.Top.Name)
		require.Greater(t, tried, 5)
	}
}
