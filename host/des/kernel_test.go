package des

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTimeString(t *testing.T) {
	for _, c := range []struct {
		t    Time
		want string
	}{
		{0, "0s"}, {1, "1ps"}, {999, "999ps"}, {1000, "1ns"}, {1500, "1.5ns"},
		{12345678, "12.345678us"}, {1050 * Microsecond, "1.05ms"},
		{61 * Second, "61s"}, {-1500, "-1.5ns"}, {math.MinInt64, "-9223372.036854775808s"},
		{math.MaxInt64, "9223372.036854775807s"},
	} {
		require.Equal(t, c.want, c.t.String())
	}
	require.Equal(t, Time(2857), Period(350e6))
	require.Equal(t, 4*Nanosecond, Period(250e6))
	require.InDelta(t, 1.5e-9, (1500 * Picosecond).Seconds(), 1e-24)
}

func TestEventsRunInTimeThenInsertionOrder(t *testing.T) {
	k := NewKernel()
	rng := rand.New(rand.NewPCG(1, 2))
	type ev struct {
		at Time
		n  int
	}
	var want, got []ev
	for n := range 5000 {
		e := ev{Time(rng.IntN(300)), n}
		want = append(want, e)
		k.At(e.at, func() {
			require.Equal(t, e.at, k.Now())
			got = append(got, e)
		})
	}
	sort.SliceStable(want, func(i, j int) bool { return want[i].at < want[j].at })
	require.NoError(t, k.Run(nil))
	require.Equal(t, want, got)
	require.Equal(t, uint64(5000), k.Executed())
}

func TestRunStopsAtConditionAndReportsDeadlock(t *testing.T) {
	k := NewKernel()
	n := 0
	for i := range 10 {
		k.At(Time(i)*Nanosecond, func() { n++ })
	}
	require.NoError(t, k.Run(func() bool { return n == 4 }))
	require.Equal(t, 3*Nanosecond, k.Now())
	require.Equal(t, 4, n)

	k.Watch("idle part", func() string { return "" })
	k.Watch("dma", func() string { return "3 reads outstanding" })
	err := k.Run(func() bool { return n == 11 })
	require.ErrorIs(t, err, ErrDeadlock)
	require.ErrorContains(t, err, "at 9ns")
	require.ErrorContains(t, err, "dma: 3 reads outstanding")
	require.NotContains(t, err.Error(), "idle part")
}

func TestRunInsideAnEventIsAnError(t *testing.T) {
	k := NewKernel()
	var inner error
	k.At(0, func() { inner = k.Run(nil) })
	require.NoError(t, k.Run(nil))
	require.ErrorContains(t, inner, "inside an event")
	require.NoError(t, k.Run(nil), "the refused call must not block later ones")
}

func TestRunTo(t *testing.T) {
	k := NewKernel()
	var ran []Time
	for _, at := range []Time{5, 10, 11} {
		k.At(at, func() { ran = append(ran, at) })
	}
	require.NoError(t, k.RunTo(10))
	require.Equal(t, []Time{5, 10}, ran)
	require.Equal(t, Time(10), k.Now())
	require.Panics(t, func() { k.At(9, func() {}) })
	require.Panics(t, func() { _ = k.RunTo(9) })
}

func TestRunUntil(t *testing.T) {
	k := NewKernel()
	var ran []Time
	for _, at := range []Time{5, 10, 11} {
		k.At(at, func() { ran = append(ran, at) })
	}
	require.NoError(t, k.RunUntil(20, func() bool { return len(ran) == 1 }))
	require.Equal(t, Time(5), k.Now(), "it holds at 5")
	require.NoError(t, k.RunUntil(10, func() bool { return len(ran) == 3 }))
	require.Equal(t, []Time{5, 10}, ran, "not what comes behind")
	require.Equal(t, Time(10), k.Now())

	err := k.RunUntil(20, func() bool { return len(ran) == 4 })
	require.ErrorIs(t, err, ErrDeadlock)
	require.ErrorContains(t, err, "at 11ps")
	require.Equal(t, Time(20), k.Now(), "time passes all the same")
	require.Panics(t, func() { _ = k.RunUntil(19, nil) })
	k.At(21, func() { err = k.RunUntil(30, func() bool { return true }) })
	require.NoError(t, k.Run(nil))
	require.ErrorContains(t, err, "inside an event")
}

func TestTimer(t *testing.T) {
	k := NewKernel()
	var fired []Time
	tm := k.NewTimer(func() { fired = append(fired, k.Now()) })
	tm.Set(100)
	tm.Set(50) // earlier
	require.NoError(t, k.RunTo(20))
	tm.Set(70) // later
	require.NoError(t, k.Run(nil))
	require.Equal(t, []Time{70}, fired)
	require.False(t, tm.Armed())
	require.Equal(t, Time(70), k.Now(), "the moved event must not advance time")

	tm.Set(1000)
	tm.Stop()
	require.NoError(t, k.Run(nil))
	require.Equal(t, Time(70), k.Now(), "a stopped timer must not advance time")
	require.Len(t, fired, 1)

	tm.Set(200)
	tm.Stop()
	tm.Set(200)
	require.NoError(t, k.Run(nil))
	require.Equal(t, []Time{70, 200}, fired)
	require.Panics(t, func() { tm.Set(10) })
}

func TestTimerKeepsOneEvent(t *testing.T) {
	k := NewKernel()
	tm := k.NewTimer(func() {})
	for i := range 1000 {
		tm.Set(Time(1000 + i))
	}
	require.Equal(t, 1, k.queue.len())
}

// TestTimerRandom compares random operations on timers with a simple model.
func TestTimerRandom(t *testing.T) {
	k := NewKernel()
	rng := rand.New(rand.NewPCG(3, 4))
	const never = Time(-1)
	want := make([]Time, 8)
	timers := make([]*Timer, len(want))
	for i := range timers {
		want[i] = never
		timers[i] = k.NewTimer(func() {
			require.Equal(t, want[i], k.Now())
			want[i] = never
		})
	}
	for range 20000 {
		i := rng.IntN(len(timers))
		switch rng.IntN(4) {
		case 0:
			timers[i].Stop()
			want[i] = never
		case 1, 2:
			want[i] = k.Now() + Time(rng.IntN(60))
			timers[i].Set(want[i])
		default:
			require.NoError(t, k.RunTo(k.Now()+Time(rng.IntN(20))))
			for j, w := range want {
				require.True(t, w == never || w > k.Now(), "timer %d missed %v at %v", j, w, k.Now())
				require.Equal(t, w != never, timers[j].Armed())
			}
		}
	}
}

func TestClockTicksOnTheGridOnlyWhileAwake(t *testing.T) {
	k := NewKernel()
	var log []string
	var c *Clock
	c = k.NewClock(10, func(elapsed uint64) {
		log = append(log, fmt.Sprintf("%v #%d +%d", k.Now(), c.Cycle(), elapsed))
		if c.Cycle() == 3 {
			c.Sleep()
		}
	})
	c.Wake()
	k.At(57, c.Wake)
	k.At(75, c.Sleep)
	k.At(76, c.Wake) // awake again before the edge: nothing is lost
	k.At(90, c.Wake) // awake already
	k.At(100, c.Sleep)
	require.NoError(t, k.Run(nil))
	require.Equal(t, []string{
		"0s #1 +1", "10ps #2 +1", "20ps #3 +1",
		"60ps #7 +4", "70ps #8 +1", "80ps #9 +1", "90ps #10 +1",
	}, log)
	require.False(t, c.awake)
	require.Equal(t, Time(100), k.Now())
}

func TestClockMadeLateCountsFromItsMaking(t *testing.T) {
	k := NewKernel()
	require.NoError(t, k.RunTo(95))
	var got []uint64
	var c *Clock
	c = k.NewClock(10, func(e uint64) { got = append(got, e, c.Cycle()); c.Sleep() })
	k.At(120, c.Wake)
	require.NoError(t, k.Run(nil))
	require.Equal(t, []uint64{3, 13}, got) // edges at 100, 110, 120
	require.Panics(t, func() { k.NewClock(0, nil) })
}

// meshRun runs clocked components that exchange messages at random, and returns each component's
// observations with their times. A component is idle while it has no message and its countdown is
// 0; lazy components sleep then.
func meshRun(t *testing.T, seed uint64, lazy bool) (log []string, ticks int) {
	k := NewKernel()
	rng := rand.New(rand.NewPCG(seed, 9))
	periods := []Time{10, 10, 10, 7, 35, 10}
	type part struct {
		clk       *Clock
		inbox     []int
		countdown int
		cycles    uint64
	}
	parts := make([]*part, len(periods))
	send := func(to, msg int) {
		parts[to].inbox = append(parts[to].inbox, msg)
		parts[to].clk.Wake()
	}
	left := 3000
	for i, p := range periods {
		me := &part{}
		parts[i] = me
		me.clk = k.NewClock(p, func(elapsed uint64) {
			ticks++
			me.cycles += elapsed
			require.Equal(t, me.cycles, me.clk.Cycle())
			for _, m := range me.inbox {
				log = append(log, fmt.Sprintf("%d@%v got %d in cycle %d", i, k.Now(), m, me.cycles))
				me.countdown = m % 5
			}
			if me.inbox = nil; me.countdown > 0 {
				me.countdown--
				to, msg, delay := rng.IntN(len(parts)), rng.IntN(100), Time(rng.IntN(4)*5)
				if left--; left > 0 {
					k.After(delay, func() { send(to, msg) })
				}
			}
			if lazy && me.countdown == 0 {
				me.clk.Sleep()
			}
		})
		me.clk.Wake()
	}
	for i := range 40 {
		to := rng.IntN(len(parts))
		k.At(Time(i*500), func() { send(to, i) })
	}
	require.NoError(t, k.RunTo(50000))
	return log, ticks
}

func TestSleepingIsNotObservable(t *testing.T) {
	for seed := range uint64(5) {
		eager, many := meshRun(t, seed, false)
		lazy, few := meshRun(t, seed, true)
		require.Equal(t, eager, lazy)
		require.Greater(t, len(eager), 100)
		require.Less(t, few, many)
	}
}

func BenchmarkKernel(b *testing.B) {
	k := NewKernel()
	n := 0
	var fn func()
	fn = func() {
		if n++; n < b.N {
			k.After(Time(n%97), fn)
		}
	}
	for range 64 {
		k.After(1, fn)
	}
	b.ReportAllocs()
	_ = k.Run(nil)
}
