package timeline_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

func TestBookings(t *testing.T) {
	l := timeline.New()
	thread, stream := l.Resource("thread", 1), l.Resource("stream", 1)
	work := func(label string, d des.Time) timeline.Work { return timeline.Work{Label: label, Time: d} }
	a := thread.Book(work("a", 10))
	b := thread.Book(work("b", 10))
	ka := stream.Book(work("a", 25), a)
	kb := stream.Book(work("b", 5), b)
	require.EqualValues(t, 10, a.At)
	require.EqualValues(t, 20, b.At)
	require.EqualValues(t, 35, ka.At)
	require.EqualValues(t, 40, kb.At)
	require.Equal(t, []timeline.Share{{"thread", 10}, {"stream", 30}}, l.Chain(timeline.Point{}, kb))
	require.Equal(t, []timeline.Share{{"stream", 5}}, l.Chain(ka, kb))
	require.Equal(t, "stream", l.Bound(timeline.Point{}, kb))
	require.Empty(t, l.Bound(kb, kb))
	require.EqualValues(t, 20, thread.Busy())
	require.Equal(t, kb, stream.Free())
	pool := l.Resource("pool", 2)
	require.EqualValues(t, 7, pool.Book(work("x", 7)).At)
	require.EqualValues(t, 3, pool.Book(work("y", 3)).At)
	require.EqualValues(t, 9, pool.Book(work("z", 6)).At)
	require.Panics(t, func() { pool.Book(work("w", -1)) })
	require.Panics(t, func() { l.Resource("none", 0) })
}

// random books random work; the time of the k-th piece is increased by extra.
func random(t *rapid.T, k int, extra des.Time, draws []int) (*timeline.Timeline, []timeline.Point) {
	l := timeline.New()
	var rs []*timeline.Resource
	for i := range 4 {
		rs = append(rs, l.Resource(string(rune('a'+i)), 1+i%2))
	}
	points := []timeline.Point{{}}
	for i, d := range draws {
		w := timeline.Work{Label: "w", Time: des.Time(d % 50)}
		if i == k {
			w.Time += extra
		}
		points = append(points, rs[d/50%4].Book(w, points[d/200%len(points)], points[d/7%len(points)]))
	}
	return l, points
}

func TestChainsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draws := rapid.SliceOfN(rapid.IntRange(0, 1<<20), 1, 60).Draw(t, "draws")
		l, points := random(t, -1, 0, draws)
		for _, p := range points {
			sum := des.Time(0)
			for _, s := range l.Chain(timeline.Point{}, p) {
				sum += s.Time
			}
			require.Equal(t, p.At, sum)
		}
	})
}

// TestWithoutChains: the times are the same without chains.
func TestWithoutChains(t *testing.T) {
	var ends [2]timeline.Point
	for i := range ends {
		l := timeline.New()
		l.Chains(i == 0)
		thread, stream := l.Resource("thread", 1), l.Resource("stream", 1)
		dispatched := thread.Book(timeline.Work{Label: "dispatch", Time: 10})
		stream.Book(timeline.Work{Label: "copy", Time: 35}, dispatched)
		ends[i] = thread.Pass(3, timeline.Work{Label: "dispatch", Time: 10}, stream, timeline.Work{Label: "MLP", Time: 9}, dispatched)
		require.Equal(t, i == 0, len(l.Chain(timeline.Point{}, ends[i])) > 0)
	}
	require.EqualValues(t, 54, ends[0].At)
	require.Equal(t, ends[0].At, ends[1].At)
}

func TestMoreTimeIsNeverEarlier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draws := rapid.SliceOfN(rapid.IntRange(0, 1<<20), 1, 60).Draw(t, "draws")
		k := rapid.IntRange(0, len(draws)-1).Draw(t, "k")
		_, before := random(t, -1, 0, draws)
		_, after := random(t, k, 13, draws)
		for i := range before {
			require.GreaterOrEqual(t, after[i].At, before[i].At)
		}
	})
}

func TestTrace(t *testing.T) {
	l := timeline.New()
	r, s := l.Resource("host \"0\"", 1), l.Resource("GPU", 1)
	r.Book(timeline.Work{Label: "before", Time: 5})
	l.Record(true)
	l.Flow("mini-batch 3")
	p := r.Book(timeline.Work{Label: "x", Time: 1234567, Bytes: 7})
	s.Book(timeline.Work{Label: "y", Time: 1, Kernels: 2}, p)
	s.Book(timeline.Work{Label: "nothing"}, p)
	require.Equal(t, []timeline.Event{
		{"host \"0\"", "x", "mini-batch 3", 5, 1234572, 1234567, 7, 0, nil, nil, ""},
		{"GPU", "y", "mini-batch 3", 1234572, 1234573, 1, 0, 2, []int{0}, nil, ""},
	}, l.Events())
	var b bytes.Buffer
	require.NoError(t, l.WriteTrace(&b))
	var got struct {
		TraceEvents []map[string]any
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &got), b.String())
	require.Len(t, got.TraceEvents, 8)
	require.Equal(t, 1.234567, got.TraceEvents[4]["dur"])
	require.Equal(t, "s", got.TraceEvents[5]["ph"])
	require.Equal(t, "t", got.TraceEvents[7]["ph"])
	require.Equal(t, got.TraceEvents[5]["id"], got.TraceEvents[7]["id"])
}

// TestPass: Pass gives the same times as individual bookings.
func TestPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		time := rapid.IntRange(0, 40)
		var ends [2]timeline.Point
		busy, head, tail := time.Draw(t, "stream busy"), time.Draw(t, "thread busy"), time.Draw(t, "after")
		type group struct{ count, first, second int }
		groups := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) group {
			return group{rapid.IntRange(0, 6).Draw(t, "count"), time.Draw(t, "first"), time.Draw(t, "second")}
		}), 1, 5).Draw(t, "groups")
		for i := range ends {
			l := timeline.New()
			thread, stream, other := l.Resource("thread", 1), l.Resource("stream", 1), l.Resource("other", 1)
			work := func(d int) timeline.Work { return timeline.Work{Label: "w", Time: des.Time(d)} }
			stream.Book(work(busy))
			thread.Book(work(head))
			after := other.Book(work(tail))
			ends[i] = after
			for _, g := range groups {
				if i == 0 {
					ends[i] = thread.Pass(g.count, work(g.first), stream, work(g.count*g.second), ends[i])
					continue
				}
				start := ends[i]
				for range g.count {
					ends[i] = stream.Book(work(g.second), thread.Book(work(g.first), start))
				}
			}
		}
		require.Equal(t, ends[1].At, ends[0].At)
	})
}

func TestPassIsRecorded(t *testing.T) {
	l := timeline.New()
	thread, stream := l.Resource("thread", 1), l.Resource("stream", 1)
	l.Record(true)
	end := thread.Pass(3, timeline.Work{Label: "dispatch", Time: 10}, stream, timeline.Work{Label: "MLP", Time: 6, Kernels: 3})
	require.EqualValues(t, 32, end.At)
	require.Equal(t, []timeline.Share{{"thread", 30}, {"stream", 2}}, l.Chain(timeline.Point{}, end))
	require.Equal(t, []timeline.Event{
		{"thread", "dispatch", "", 0, 30, 30, 0, 0, nil, nil, ""},
		{"stream", "MLP", "", 10, 32, 6, 0, 3, []int{0}, nil, ""},
	}, l.Events())
	require.EqualValues(t, 6, stream.Busy())
	require.Equal(t, end, thread.Pass(0, timeline.Work{}, stream, timeline.Work{}, end))
}

// TestAfter: an event contains the events that it was booked to wait for, not the previous event of
// its resource. Work without effect passes on what it
// waited for, including its resource. Unrecorded work ends the sequence.
func TestAfter(t *testing.T) {
	l := timeline.New()
	a, b := l.Resource("a", 1), l.Resource("b", 1)
	l.Record(true)
	first := a.Book(timeline.Work{Label: "0", Time: 5})
	b.Book(timeline.Work{Label: "1", Time: 9})
	second := b.Book(timeline.Work{Label: "2", Time: 1}, first)
	waited := a.Book(timeline.Work{Label: "nothing"}, second)
	a.Book(timeline.Work{Label: "3", Time: 1}, waited)
	l.Record(false)
	unseen := b.Book(timeline.Work{Label: "unseen", Time: 1}, waited)
	l.Record(true)
	fourth := b.Book(timeline.Work{Label: "4", Time: 1}, unseen)
	b.Book(timeline.Work{Label: "5", Time: 1}, timeline.Latest(fourth, first), second)
	var after [][]int
	for _, e := range l.Events() {
		after = append(after, e.After)
	}
	require.Equal(t, [][]int{nil, nil, {0}, {0, 2}, nil, {0, 2, 4}}, after)
	require.Equal(t, []*timeline.Resource{a, b}, l.Resources())
}
