package xbar_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/xbar"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func elaborate(t *testing.T, p xbar.Xbar[hw.Bits]) *ir.Design {
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	return d
}

// traffic is a load on a switch.
type traffic struct {
	words           int // per source
	inRate, outRate float64
	dest            func(b *bench.Bench, source int) int
}

// A word contains its source and its number, which identify its destination. A factor spreads the
// numbers, so that each bit is 0 and 1 at least once.
const (
	countBits = 12
	spread    = 2731
)

// word returns word number n of a source.
func word(source, n int) uint64 { return uint64(source<<countBits | n*spread%(1<<countBits)) }

// check runs traffic through d in lock-step with the model, then checks the words that each output
// has received: the right words, in order for each source.
func check(d *ir.Design, p xbar.Xbar[hw.Bits], load traffic) (*bench.Bench, *bench.Sink, error) {
	b, err := bench.New(d, 1)
	if err != nil {
		return nil, nil, err
	}
	in := b.Source("in_valid", "in_ready", "in_dest", "in_data")
	out := b.Sink("out_valid", "out_ready", "out_data")
	in.Rate, out.Rate = load.inRate, load.outRate
	type place struct{ dest, n int }
	sent := map[uint64]place{}
	for i := range p.Sources {
		for n := range load.words {
			dest := load.dest(b, i)
			in.Send(i, bench.Item{uint64(dest), word(i, n)})
			sent[word(i, n)] = place{dest, n}
		}
	}
	look := lockstep(b, p)
	if err := b.Drain(len(sent), 100*len(sent), look); err != nil {
		return nil, nil, err
	}
	if err := b.Run(5, look); err != nil {
		return nil, nil, err
	}
	for j, words := range out.Got {
		newest := map[uint64]int{}
		for _, it := range words {
			at, ok := sent[it[0]]
			if !ok || at.dest != j {
				return nil, nil, fmt.Errorf("output %d has word %#x", j, it[0])
			}
			source, n := it[0]>>countBits, at.n
			delete(sent, it[0])
			if before, ok := newest[source]; ok && before > n {
				return nil, nil, fmt.Errorf("output %d has word %d of source %d after word %d", j, n, source, before)
			}
			newest[source] = n
		}
	}
	if len(sent) > 0 {
		return nil, nil, fmt.Errorf("%d words are lost", len(sent))
	}
	return b, out, nil
}

func uniform(dests int) func(*bench.Bench, int) int {
	return func(b *bench.Bench, _ int) int { return b.Rand.IntN(dests) }
}

func loads(p xbar.Xbar[hw.Bits], words int) []traffic {
	out := []traffic{{words, 1, 1, func(*bench.Bench, int) int { return p.Dests - 1 }}}
	for _, rates := range [][2]float64{{1, 1}, {0.5, 0.5}, {1, 0.3}, {0.2, 1}} {
		out = append(out, traffic{words, rates[0], rates[1], uniform(p.Dests)})
	}
	return out
}

func TestAgainstModel(t *testing.T) {
	for _, p := range []xbar.Xbar[hw.Bits]{
		{Of: hw.Width(16), Sources: 1, Dests: 1, Groups: 1, Depth: 2},
		{Of: hw.Width(16), Sources: 2, Dests: 3, Groups: 2, Depth: 2},
		{Of: hw.Width(16), Sources: 4, Dests: 4, Groups: 1, Depth: 4},
		{Of: hw.Width(20), Sources: 6, Dests: 5, Groups: 3, Depth: 2},
		{Of: hw.Width(64), Sources: 8, Dests: 8, Groups: 8, Depth: 8},
		{Of: hw.Width(33), Sources: 12, Dests: 3, Groups: 2, Depth: 4},
	} {
		d := elaborate(t, p)
		for _, load := range loads(p, 60) {
			_, _, err := check(d, p, load)
			require.NoError(t, err, "%s at %v %v", d.Top.Name, load.inRate, load.outRate)
		}
	}
}

// TestHotDestinationIsShared: if all sources select one output, it serves them equally, one word
// per cycle.
func TestHotDestinationIsShared(t *testing.T) {
	p := xbar.Xbar[hw.Bits]{Of: hw.Width(16), Sources: 8, Dests: 4, Groups: 4, Depth: 4}
	b, out, err := check(elaborate(t, p), p, traffic{50, 1, 1, func(*bench.Bench, int) int { return 2 }})
	require.NoError(t, err)
	require.EqualValues(t, 1+8*50+3+5, b.Sim.Cycle(), "reset, a cycle per word, the latency, the wait at the end")
	var served [8]int
	for _, it := range out.Got[2] {
		served[it[0]>>countBits]++
		lo, hi := served[0], served[0]
		for _, n := range served {
			lo, hi = min(lo, n), max(hi, n)
		}
		require.LessOrEqual(t, hi-lo, 1, "%v", served)
	}
}

// TestThroughputAtFullSize: at the size used in the accelerator, nearly all of 64 sources move a
// word in each cycle.
func TestThroughputAtFullSize(t *testing.T) {
	p := xbar.Xbar[hw.Bits]{Of: hw.Width(28), Sources: 64, Dests: 64, Groups: 8, Depth: 4}
	d := elaborate(t, p)
	b, err := bench.New(d, 1)
	require.NoError(t, err)
	in := b.Source("in_valid", "in_ready", "in_dest", "in_data")
	out := b.Sink("out_valid", "out_ready", "out_data")
	const words = 300
	for i := range p.Sources {
		for n := range words {
			in.Send(i, bench.Item{uint64(b.Rand.IntN(p.Dests)), uint64(i<<countBits | n)})
		}
	}
	const cycles = 200
	require.NoError(t, b.Run(cycles))
	moved := 0
	for _, words := range out.Got {
		moved += len(words)
	}
	t.Logf("%.1f words per cycle", float64(moved)/cycles)
	require.Greater(t, moved, 50*cycles)
}

func TestRejectsParameters(t *testing.T) {
	for want, p := range map[string]xbar.Xbar[hw.Bits]{
		"6 sources in 4 groups": {Of: hw.Width(8), Sources: 6, Dests: 4, Groups: 4, Depth: 2},
		"4 sources in 0 groups": {Of: hw.Width(8), Sources: 4, Dests: 4, Depth: 2},
		"depth is 1":            {Of: hw.Width(8), Sources: 4, Dests: 4, Groups: 2, Depth: 1},
	} {
		_, err := hw.Elaborate(p)
		require.ErrorContains(t, err, want)
	}
}

func TestDestinationOutOfRange(t *testing.T) {
	p := xbar.Xbar[hw.Bits]{Of: hw.Width(16), Sources: 2, Dests: 3, Groups: 2, Depth: 2}
	b, err := bench.New(elaborate(t, p), 1)
	require.NoError(t, err)
	b.Pin("in_dest").Set(3)
	require.NoError(t, b.Sim.Step())
	b.Pin("in_valid").Set(1)
	require.ErrorContains(t, b.Sim.Step(), "destination in range")
}

// checkAll checks d under all loads.
func checkAll(d *ir.Design, p xbar.Xbar[hw.Bits]) error {
	for _, load := range loads(p, 30) {
		if _, _, err := check(d, p, load); err != nil {
			return err
		}
	}
	return nil
}

func TestFaultsAreCaught(t *testing.T) {
	p := xbar.Xbar[hw.Bits]{Of: hw.Width(16), Sources: 9, Dests: 4, Groups: 3, Depth: 4}
	d := elaborate(t, p)
	survivors, tried := bench.Survivors(d, func() error { return checkAll(d, p) })
	require.Len(t, survivors, 1, "the level of the queues, which nobody looks at")
	require.Contains(t, survivors[0], "fifo/block.go")
	require.Greater(t, tried, 40)
}
