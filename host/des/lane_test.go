package des

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLanesAreEventsLikeOthers: lanes do not change the times and the order of events. The test
// mixes many lanes with other events, adds events out of order, and adds events from within events.
func TestLanesAreEventsLikeOthers(t *testing.T) {
	type ran struct {
		at Time
		id int
	}
	run := func(seed uint64, lanes bool) (list []ran) {
		rng := rand.New(rand.NewPCG(seed, 1))
		k := NewKernel()
		id := 0
		var ask func()
		happen := func(id int) {
			list = append(list, ran{k.Now(), id})
			if len(list) < 500 && rng.IntN(3) > 0 {
				ask()
			}
		}
		var through [3]*Lane[int]
		for i := range through {
			through[i] = NewLane(k, happen)
		}
		ask = func() {
			for range 1 + rng.IntN(2) {
				id++
				own, lane, at := id, rng.IntN(4), k.Now()+Time(rng.IntN(6))
				if lanes && lane < len(through) {
					through[lane].At(at, own)
				} else {
					k.At(at, func() { happen(own) })
				}
			}
		}
		for range 20 {
			ask()
		}
		require.NoError(t, k.Run(nil))
		require.EqualValues(t, len(list), k.Executed())
		return list
	}
	for seed := range uint64(50) {
		require.Equal(t, run(seed, false), run(seed, true), "seed %d", seed)
	}
}

// TestLaneKeepsTheQueueShort: only the first event of a lane is in the kernel's queue.
func TestLaneKeepsTheQueueShort(t *testing.T) {
	k := NewKernel()
	sum := 0
	l := NewLane(k, func(n int) { sum += n })
	for i := range 1000 {
		l.At(Time(i/2), i)
	}
	require.Equal(t, 1, k.queue.len())
	require.NoError(t, k.RunTo(100))
	require.Equal(t, 201*202/2, sum, "0 to 201")
	require.PanicsWithValue(t, "des: event 99ps at 100ps: it is in the past", func() { l.At(99, 0) })
	require.Equal(t, 1, k.queue.len())
	require.NoError(t, k.Run(nil))
	require.Equal(t, 1000*999/2, sum)
	require.Zero(t, k.queue.len())
}

// TestFIFO: a queue returns its elements in order while it grows and wraps around.
func TestFIFO(t *testing.T) {
	var q FIFO[int]
	rng := rand.New(rand.NewPCG(1, 1))
	var want []int
	for i := range 10000 {
		if rng.IntN(100) < 50+i/500 {
			q.Push(i)
			want = append(want, i)
		} else if len(want) > 0 {
			require.Equal(t, want[0], *q.Peek())
			require.Equal(t, want[0], q.Pop())
			want = want[1:]
		}
		require.Equal(t, len(want), q.Len())
	}
}
