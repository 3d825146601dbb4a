package cdc_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/cdc"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// part is a module around one component.
type part struct {
	Kind  string
	Width int
	Depth int
}

func (p part) Build(m *hw.Module) struct{} {
	from, to := m.Clock("from", "from_rst"), m.Clock("to", "to_rst_n", hw.Low, hw.Async)
	var push, pop hw.Stream[hw.Bits]
	switch p.Kind {
	case "handshake":
		push, pop = cdc.Handshake(m, "part", from, to, hw.Width(p.Width))
	case "fifo":
		push, pop = cdc.FIFO(m, "part", from, to, hw.Width(p.Width), p.Depth)
	default:
		m.Clocked(from, func() { push.Data = m.In("x", p.Width) })
		switch p.Kind {
		case "two_flop":
			pop.Data = cdc.TwoFlop(m, "part", to, push.Data)
		case "gray":
			pop.Data = cdc.Gray(m, "part", from, to, push.Data)
		case "pulse":
			pop.Data = cdc.Pulse(m, "part", from, to, push.Data)
		}
		m.Clocked(to, func() { m.Out("y", p.Width).Set(pop.Data) })
		return struct{}{}
	}
	m.Clocked(from, func() { push.Connect(m.Sink("push", p.Width)) })
	m.Clocked(to, func() { m.Source("pop", p.Width).Connect(pop) })
	return struct{}{}
}

func elaborate(t *testing.T, p part, options ...hw.Option) *ir.Design {
	d, err := hw.Elaborate(p, options...)
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	return d
}

// rates are clock periods and phases with many ratios.
var rates = [][3]uint64{{1, 1, 0}, {2, 2, 1}, {1, 3, 0}, {3, 1, 0}, {3, 2, 1}, {5, 7, 2}, {7, 2, 0}, {1, 9, 1}}

// run is a simulation of a component from its reset on.
type run struct {
	*rand.Rand
	*sim.Schedule
	s    sim.Simulator
	late int // maximum additional latency of a crossing, in cycles
}

// taken contains the values of a signal at the last edges of a clock, the latest first.
type taken [3]uint64

func (t *taken) add(x uint64) { *t = taken{x, t[0], t[1]} }

// synchronised reports whether y is a possible output of a synchroniser.
func (r *run) synchronised(y uint64, t taken) bool {
	return y == t[1] || r.late > 0 && y == t[2]
}

const from, to = 0, 1

// start runs d. If d has the port for late crossings, crossings are late at random.
func start(d *ir.Design, rate [3]uint64, seed uint64) (*run, error) {
	engine, err := interp.New(d)
	if err != nil {
		return nil, err
	}
	sim.PowerUp(engine, seed)
	s := sim.Late(engine, seed)
	x, err := sim.NewSchedule(s, sim.Beat{Clock: "from", Period: rate[0]}, sim.Beat{Clock: "to", Period: rate[1], Phase: rate[2]})
	if err != nil {
		return nil, err
	}
	r := &run{rand.New(rand.NewPCG(seed, 1)), x, s, 0}
	reset := 2 * (rate[0] + rate[1]) // three edges of each
	if s != sim.Simulator(engine) && seed > 0 {
		r.late, reset = 1, 4*max(rate[0], rate[1])
	}
	r.pin("from_rst").Set(1)
	r.pin("to_rst_n").Set(0)
	for r.Time() < reset {
		if err := r.Step(); err != nil {
			return nil, err
		}
	}
	r.pin("from_rst").Set(0)
	r.pin("to_rst_n").Set(1)
	return r, nil
}

func (r *run) pin(name string) sim.Pin { return sim.Find(r.s, name) }

// everyRate checks a component at all rates.
func everyRate(d *ir.Design, check func(*run) error) error {
	for i, rate := range rates {
		r, err := start(d, rate, uint64(i))
		if err != nil {
			return err
		}
		if err := check(r); err != nil {
			return fmt.Errorf("rate %v, time %d: %w", rate, r.Time(), err)
		}
	}
	return nil
}

// twoFlop checks that y is the value of x two edges ago, or three if crossings can be late.
func twoFlop(r *run) error {
	x, y := r.pin("x"), r.pin("y")
	var at taken
	for range 200 {
		x.Set(r.Uint64() & 1)
		if !r.synchronised(y.Get(), at) {
			return fmt.Errorf("y is %d, want one of %d", y.Get(), at)
		}
		if r.Edge(to) {
			at.add(x.Get())
		}
		if err := r.Step(); err != nil {
			return err
		}
	}
	return nil
}

// gray checks that y is the value that the count had at the last edge of from, delayed by two
// edges of to. If crossings can be late, the delay may be three edges.
func gray(r *run) error {
	x, y := r.pin("x"), r.pin("y")
	mask := uint64(1)<<5 - 1
	count, held := uint64(0), uint64(0)
	var at taken
	for range 400 {
		x.Set(count)
		if !r.synchronised(y.Get(), at) {
			return fmt.Errorf("y is %d, want one of %d", y.Get(), at)
		}
		if r.Edge(to) {
			at.add(held)
		}
		if r.Edge(from) {
			held = count
			count = (count + []uint64{0, 1, 1, mask}[r.IntN(4)]) & mask
		}
		if err := r.Step(); err != nil {
			return err
		}
	}
	return nil
}

// pulse checks that each event yields one pulse of one cycle, within four edges, or five if
// crossings can be late.
func pulse(r *run) error {
	x, y := r.pin("x"), r.pin("y")
	sent, got, quiet := 0, 0, 0
	for range 600 {
		if y.Bool() && r.Edge(to) {
			got++
		}
		late := sent > got && quiet > 4+r.late
		if got > sent || late {
			return fmt.Errorf("%d of %d pulses after %d edges", got, sent, quiet)
		}
		// Leave enough edges of both clocks between two events.
		x.SetBool(quiet > 4+r.late && r.IntN(2) == 0)
		if r.Edge(to) {
			quiet++
		}
		if r.Edge(from) && x.Bool() {
			sent++
			quiet = 0
		}
		if err := r.Step(); err != nil {
			return err
		}
	}
	if sent < 10 {
		return fmt.Errorf("%d pulses", sent)
	}
	return nil
}

// stream checks that words arrive exactly once, in order and unchanged, and that offered words
// stay. At most room words are in flight, and exactly room while the receiver waits long enough.
// After a reset, room words are accepted immediately.
func stream(room int) func(*run) error {
	return func(r *run) error {
		offer, take, word := r.pin("push_valid"), r.pin("push_ready"), r.pin("push_data")
		given, accept, got := r.pin("pop_valid"), r.pin("pop_ready"), r.pin("pop_data")
		var sent, received []uint64
		shown, edges := false, 0
		for i := range 2400 {
			stall := edges <= room || i < 2000 && i/200%2 == 1
			accept.SetBool(!stall && r.IntN(3) > 0)
			if !offer.Bool() {
				offer.SetBool(i < 2000 && (stall || r.IntN(3) > 0))
				word.Set(r.Uint64() & 0xff)
			}
			switch under := len(sent) - len(received); {
			case under > room || edges <= room && under != edges || i%400 == 399 && i < 2000 && under != room:
				return fmt.Errorf("%d words under way after %d edges; want %d", under, edges, room)
			}
			if shown && !given.Bool() {
				return fmt.Errorf("a word was taken back")
			}
			if given.Bool() && (len(received) == len(sent) || got.Get() != sent[len(received)]) {
				return fmt.Errorf("word %d is %#x, of %x", len(received), got.Get(), sent)
			}
			moved := r.Edge(from) && offer.Bool() && take.Bool()
			shown = given.Bool()
			if r.Edge(to) && given.Bool() && accept.Bool() {
				received = append(received, got.Get())
				shown = false
			}
			if moved {
				sent = append(sent, word.Get())
			}
			if r.Edge(from) {
				edges++
			}
			if err := r.Step(); err != nil {
				return err
			}
			if moved {
				offer.Set(0)
			}
		}
		if len(received) != len(sent) || len(sent) < 20 {
			return fmt.Errorf("%d words of %d", len(received), len(sent))
		}
		return nil
	}
}

var parts = []struct {
	part
	check func(*run) error
}{
	{part{"two_flop", 1, 0}, twoFlop},
	{part{"gray", 5, 0}, gray},
	{part{"pulse", 1, 0}, pulse},
	{part{"handshake", 8, 0}, stream(1)},
	{part{"fifo", 8, 2}, stream(2)},
	{part{"fifo", 8, 8}, stream(8)},
}

func TestAgainstModel(t *testing.T) {
	for _, p := range parts {
		require.NoError(t, everyRate(elaborate(t, p.part), p.check), p.Kind)
		require.NoError(t, everyRate(elaborate(t, p.part, hw.LateCrossings()), p.check), "%s, late", p.Kind)
	}
}

// TestPace: at equal clocks a queue of eight words moves one word per cycle.
func TestPace(t *testing.T) {
	r, err := start(elaborate(t, part{"fifo", 8, 8}), [3]uint64{2, 2, 1}, 0)
	require.NoError(t, err)
	r.pin("push_valid").Set(1)
	r.pin("pop_ready").Set(1)
	moved := 0
	for i := range 240 {
		if i >= 40 && r.Edge(to) && r.pin("pop_valid").Bool() {
			moved++
		}
		require.NoError(t, r.Step())
	}
	require.Equal(t, 100, moved)
}

func TestFaultsAreCaught(t *testing.T) {
	for _, p := range parts {
		d := elaborate(t, p.part)
		survivors, tried := bench.Survivors(d, func() error { return everyRate(d, p.check) })
		require.Empty(t, survivors, p.Kind)
		require.Greater(t, tried, 0)
		require.NoError(t, everyRate(d, p.check), "the faults are undone")
	}
}

func TestParameters(t *testing.T) {
	for _, bad := range []struct {
		part
		want string
	}{
		{part{"two_flop", 5, 0}, `TwoFlop "part" of 5 bits: they may arrive in different cycles; use Gray, Handshake or FIFO`},
		{part{"fifo", 8, 6}, `FIFO "part" has depth 6; expected a power of two of at least 2`},
		{part{"fifo", 8, 1}, `FIFO "part" has depth 1; expected a power of two of at least 2`},
	} {
		_, err := hw.Elaborate(bad.part)
		require.ErrorContains(t, err, "[param] "+bad.want)
	}
}

// TestAsyncReg: all registers that capture values of another clock are marked.
func TestAsyncReg(t *testing.T) {
	design, err := hw.Elaborate(part{"fifo", 8, 4})
	require.NoError(t, err)
	var names []string
	for _, s := range design.Top.Body.Signals {
		if s.Crosses != ir.NoCrossing {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	require.Equal(t, []string{"part_read_gray_meta", "part_read_gray_seen", "part_word", "part_written_gray_meta", "part_written_gray_seen"}, names)
}
