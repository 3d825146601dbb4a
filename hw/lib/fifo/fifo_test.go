package fifo_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func elaborate(t *testing.T, g hw.Generator[fifo.Ports[hw.Bits]]) *ir.Design {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}

// check fills a queue of the given capacity and then transfers words at various rates. The model
// is a Go slice. It checks the order, the payload, the level, and that the capacity is exact.
func check(d *ir.Design, capacity int, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	push, pop, level := b.Push("push"), b.Pop("pop"), b.Pin("level")
	var sent []bench.Item
	send := func(n int) {
		for range n {
			sent = append(sent, push.Random())
			push.Send(0, sent[len(sent)-1])
		}
	}
	inside := 0 // words before the current cycle
	look := func() error {
		if level.Get() != uint64(inside) {
			return fmt.Errorf("level %d, want %d", level.Get(), inside)
		}
		inside = push.Sent() - len(pop.Got[0])
		return nil
	}
	pop.Rate = 0
	send(capacity + 5)
	if err := b.Run(capacity+5, look); err != nil {
		return err
	}
	if inside != capacity {
		return fmt.Errorf("holds %d words, want %d", inside, capacity)
	}
	for _, rates := range [][2]float64{{1, 1}, {0.9, 0.9}, {0.5, 0.5}, {1, 0.3}, {0.3, 1}} {
		push.Rate, pop.Rate = rates[0], rates[1]
		send(100)
		if err := b.Drain(len(sent), 1000, look); err != nil {
			return err
		}
		if err := b.Run(5, look); err != nil {
			return err
		}
	}
	if !reflect.DeepEqual(pop.Got[0], sent) {
		return fmt.Errorf("got %x, want %x", pop.Got[0], sent)
	}
	return nil
}

type queue struct {
	gen      hw.Generator[fifo.Ports[hw.Bits]]
	capacity int
	latency  int
}

func queues() []queue {
	var out []queue
	for _, depth := range []int{1, 2, 3, 4, 5, 7, 8, 16, 33} {
		for _, width := range []int{1, 8, 64, 100} {
			out = append(out, queue{fifo.FIFO[hw.Bits]{Of: hw.Width(width), Depth: depth}, depth, 1})
			if depth > 1 {
				out = append(out, queue{fifo.BlockFIFO[hw.Bits]{Of: hw.Width(width), Depth: depth, Style: "block"}, depth + 1, 2})
			}
		}
	}
	return out
}

func TestAgainstModel(t *testing.T) {
	for _, q := range queues() {
		d := elaborate(t, q.gen)
		require.NoError(t, check(d, q.capacity, 1), d.Top.Name)
	}
}

func TestFullThroughputAndLatency(t *testing.T) {
	for _, q := range queues() {
		d := elaborate(t, q.gen)
		b, err := bench.New(d, 1)
		require.NoError(t, err)
		push, pop := b.Push("push"), b.Pop("pop")
		for range 100 {
			push.Send(0, push.Random())
		}
		require.NoError(t, b.Drain(100, 1000))
		require.Len(t, pop.Got[0], 100)
		require.EqualValues(t, 1+100+q.latency, b.Sim.Cycle(), "%s: reset, a cycle per word, the latency", d.Top.Name)
	}
}

func TestRejectsDepth(t *testing.T) {
	for _, g := range []hw.Generator[fifo.Ports[hw.Bits]]{fifo.FIFO[hw.Bits]{Of: hw.Width(8), Depth: 0}, fifo.FIFO[hw.Bits]{Of: hw.Width(8), Depth: -3}, fifo.BlockFIFO[hw.Bits]{Of: hw.Width(8)}, fifo.BlockFIFO[hw.Bits]{Of: hw.Width(8), Depth: 1}} {
		_, err := hw.Elaborate(g)
		require.Regexp(t, `: \[param\] depth is -?\d+; expected at least \d$`, err)
		require.NotContains(t, err.Error(), "\n", "nothing but the cause")
	}
}

// TestFaultsAreCaught: the bench detects every observable fault.
func TestFaultsAreCaught(t *testing.T) {
	for _, q := range []queue{
		{fifo.FIFO[hw.Bits]{Of: hw.Width(8), Depth: 5}, 5, 1}, {fifo.FIFO[hw.Bits]{Of: hw.Width(8), Depth: 8}, 8, 1}, {fifo.BlockFIFO[hw.Bits]{Of: hw.Width(8), Depth: 5}, 6, 2},
	} {
		d := elaborate(t, q.gen)
		survivors, tried := bench.Survivors(d, func() error { return check(d, q.capacity, 1) })
		require.Empty(t, survivors, d.Top.Name)
		require.Greater(t, tried, 20)
		require.NoError(t, check(d, q.capacity, 1), "the faults are undone")
	}
}
