package top

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

// TestAcknowledgeWithoutRequest acknowledges a pending interrupt in each cycle around a strap that
// suppresses it. Only an acknowledge in a cycle with a request must clear it.
func TestAcknowledgeWithoutRequest(t *testing.T) {
	for _, strap := range []string{"cfg_bus_master_enable", "link_up"} {
		s := recovering(t)
		require.NoError(t, s.quiet())
		req, ack := s.pins["irq_req"], s.pins["irq_ack"]
		acknowledge := func(on bool) (taken bool) {
			s.acknowledge = func() bool {
				taken = taken || on && req.Bool()
				return on
			}
			require.NoError(t, s.cycle())
			return taken
		}
		for moment := range 8 {
			s.interrupt(t)
			taken := false
			for n := range 8 { // the strap is 0 for four cycles; one of the eight cycles has an acknowledge
				s.pins[strap].SetBool(n < 2 || n >= 6)
				taken = acknowledge(n == moment) || taken
			}
			acknowledge(false)
			require.Equal(t, !taken, req.Bool(), "%s, acknowledged in cycle %d", strap, moment)
			require.Equal(t, moment < 3 || moment == 7, taken, "%s, acknowledged in cycle %d", strap, moment)
			if !taken {
				require.True(t, acknowledge(true))
			}
			acknowledge(false)
			require.False(t, req.Bool())
			require.False(t, ack.Bool())
		}
	}
}

// sender sends a message for irq_req and acknowledges it some cycles later, as a link with latency
// does. It sends one message at a time.
type sender struct {
	req      sim.Pin
	delay    int
	messages int
	wait     int // cycles until the acknowledge; 0 if no message is being sent
}

func (x *sender) acknowledge() bool {
	if x.wait > 0 {
		x.wait--
		return x.wait == 0
	}
	if x.req.Bool() {
		x.messages, x.wait = x.messages+1, x.delay
	}
	return false
}

// sendingTime is the time to send a message, in cycles.
const sendingTime = 6

// strapAt reports whether the strap is set in a cycle. From cycle first on, it is cleared several
// times, each time for sendingTime cycles.
func strapAt(cycle, first, falls int) bool {
	n := cycle - first
	return n < 0 || n >= 2*sendingTime*falls || n%(2*sendingTime) >= sendingTime
}

// checkMessages forbids interrupts between a message and its acknowledge, starting in different
// cycles after the message. Such an acknowledge must be ignored. The message must be repeated once
// for each such time, and never without a reason.
func checkMessages(d *ir.Design) error {
	for falls := range 4 {
		for first := range 2 * sendingTime {
			b, err := bench.New(d, 1)
			if err != nil {
				return err
			}
			x := &sender{req: b.Pin("req"), delay: sendingTime}
			for n := range 20 * sendingTime {
				b.Pin("left").SetBool(n == 0)
				b.Pin("allowed").SetBool(strapAt(n-2, first, falls))
				b.Pin("ack").SetBool(x.acknowledge())
				if err := b.Cycle(); err != nil {
					return err
				}
			}
			want := 1
			if first < sendingTime { // otherwise the acknowledge is effective
				want += falls
			}
			if x.messages != want || x.req.Bool() {
				return fmt.Errorf("%d falls, first in cycle %d: %d messages, want %d; req is %v at the end", falls, first, x.messages, want, x.req.Bool())
			}
		}
	}
	return nil
}

// TestMessageIsRepeated: an interrupt is sent again if its acknowledge comes while interrupts are
// forbidden. The test detects an InterruptLine that accepts such an acknowledge, or no acknowledge.
func TestMessageIsRepeated(t *testing.T) {
	require.NoError(t, checkMessages(interrupt(t)))
	d, err := hw.Elaborate(faulty{"acknowledge_without_request"})
	require.ErrorContains(t, checkMessages(elaborated(t, d, err)), "1 falls, first in cycle 0: 1 messages, want 2")

	for _, strap := range []string{"cfg_bus_master_enable", "link_up"} {
		s := recovering(t)
		require.NoError(t, s.quiet())
		for falls := range 3 {
			s.interrupt(t)
			x := &sender{req: s.pins["irq_req"], delay: sendingTime}
			s.acknowledge = x.acknowledge
			for n := range 20 * sendingTime {
				s.pins[strap].SetBool(strapAt(n, 2, falls))
				require.NoError(t, s.cycle())
			}
			require.False(t, x.req.Bool())
			require.Equal(t, 1+falls, x.messages, strap)
		}
	}
}

// interrupt runs a command and leaves its interrupt requested, without an acknowledge.
func (s *system) interrupt(t *testing.T) {
	s.acknowledge = never
	require.Equal(t, []arch.Status{0}, s.all(t, fence))
	require.NoError(t, s.until(100, s.pins["irq_req"].Bool))
}

// TestAcknowledgeBeforeCompletions holds irq_ack at 1 while nothing is requested. The next
// completion must still be requested, for one cycle.
func TestAcknowledgeBeforeCompletions(t *testing.T) {
	s := recovering(t)
	require.NoError(t, s.quiet())
	requested := 0
	always := func() bool {
		requested += int(s.pins["irq_req"].Get())
		return true
	}
	for n := range 10 {
		s.acknowledge = always
		require.Equal(t, []arch.Status{0}, s.all(t, fence))
		for range 100 {
			require.NoError(t, s.cycle())
		}
		require.Equal(t, n+1, requested)
	}
}

// TestResetEndsRequests resets while the interrupt is requested. The interrupt must not be
// requested again until another completion leaves, regardless of acknowledges.
func TestResetEndsRequests(t *testing.T) {
	for name, reset := range map[string]func(*system) *system{
		"control": func(s *system) *system { s.reset(t); return s },
		"cfg_flr": func(s *system) *system { return s.flr(t) },
		"rst": func(s *system) *system {
			s.Sim.SetReset(true)
			require.NoError(t, s.Sim.Step())
			s.Sim.SetReset(false)
			return s
		},
	} {
		s := recovering(t)
		require.NoError(t, s.quiet())
		s.interrupt(t)
		s = reset(s)
		s.posted = 0
		s.memory.WriteAt(completionRing, make([]byte, arch.CompletionBytes<<ringLog2))
		s.acknowledge = func() bool {
			require.False(t, s.pins["irq_req"].Bool() || s.pins["irq_level"].Bool(), name)
			return s.Rand.IntN(2) == 0
		}
		s.awaitReady(t)
		require.NoError(t, s.ready())
		s.acknowledge = s.pins["irq_req"].Bool
		s.setUp(t)
		require.NoError(t, s.quiet())
		s.interrupt(t)
	}
}

// TestLevel checks irq_level. It is 1 while completions have left that cq_head does not cover, and
// 0 for a cycle whenever the driver writes cq_head. Acknowledges and straps do not affect it.
func TestLevel(t *testing.T) {
	s := recovering(t)
	require.NoError(t, s.quiet())
	level := s.pins["irq_level"]
	require.False(t, level.Bool())
	s.queue(t, fence, fence, fence)
	require.NoError(t, s.until(1000, func() bool { return s.csr(t, arch.CSRCQTail) == uint64(s.posted) && s.target.Idle() }))
	before := uint64(s.posted) - 3
	for _, c := range []struct {
		head    uint64
		waiting bool
	}{{before, true}, {before + 1, true}, {before + 2, true}, {before + 3, false}, {before + 3, false}, {before + 4, false}, {before + 2, true}, {before + 3, false}} {
		was, low := level.Bool(), 0
		s.acknowledge = func() bool {
			low += int(1 - level.Get())
			return s.Rand.IntN(2) == 0
		}
		s.pins["link_up"].SetBool(c.waiting)
		require.NoError(t, s.write(arch.CSRCQHead, c.head))
		for range 10 {
			require.NoError(t, s.cycle())
		}
		require.Equal(t, c.waiting, level.Bool(), "with cq_head %d", c.head)
		if was && c.waiting {
			require.Equal(t, 1, low, "with cq_head %d", c.head)
		}
	}
}

// line is the reference of InterruptLine: the number of completions that have left, and the number
// covered by acknowledges.
type line struct{ left, covered int }

// requested reports whether the interrupt is requested in this cycle.
func (l line) requested(allowed bool) bool { return allowed && l.left > l.covered }

// cycle ends a cycle. An acknowledge covers the completions of earlier cycles.
func (l *line) cycle(left, allowed, ack bool) {
	if ack && l.requested(allowed) {
		l.covered = l.left
	}
	if left {
		l.left++
	}
}

// checkInterrupt drives an InterruptLine at random, with some resets.
func checkInterrupt(d *ir.Design, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	left, allowed, ack, req := b.Pin("left"), b.Pin("allowed"), b.Pin("ack"), b.Pin("req")
	l := line{}
	for range 2000 {
		chance := func(n int) bool { return b.Rand.IntN(n) == 0 }
		in := [3]bool{chance(6), !chance(4), chance(3)}
		left.SetBool(in[0])
		allowed.SetBool(in[1])
		ack.SetBool(in[2])
		reset := chance(50)
		b.Sim.SetReset(reset)
		err := b.Cycle(func() error {
			if !reset && req.Bool() != l.requested(in[1]) {
				return fmt.Errorf("%d completions, %d of them covered, %v: req is %v", l.left, l.covered, in, req.Bool())
			}
			return nil
		})
		if err != nil {
			return err
		}
		if l.cycle(in[0], in[1], in[2]); reset {
			l = line{}
		}
	}
	return nil
}

func elaborated(t *testing.T, d *ir.Design, err error) *ir.Design {
	t.Helper()
	require.NoError(t, err)
	return d
}

func interrupt(t *testing.T) *ir.Design {
	d, err := hw.Elaborate(InterruptLine{})
	return elaborated(t, d, err)
}

// faulty is an InterruptLine with a fault.
type faulty struct{ Fault string }

// ModuleName returns the name of the fault.
func (p faulty) ModuleName() string { return p.Fault }

func (p faulty) Build(m *hw.Module) InterruptLinePorts {
	io := hw.Ports[InterruptLinePorts](m)
	owed := m.Reg("owed", 1, 0)
	allowed := io.Allowed
	if p.Fault == "request_while_forbidden" {
		m.Unused(allowed)
		allowed = hw.Lit(1, 1)
	}
	io.Req.Set(owed.And(allowed))
	set, clear := func() { owed.Set(hw.K(1)) }, func() { owed.Set(hw.K(0)) }
	switch p.Fault {
	case "acknowledge_without_request":
		m.When(io.Left, set).ElseWhen(io.Ack, clear)
	case "acknowledge_of_the_same_cycle":
		m.When(io.Req.And(io.Ack), clear).ElseWhen(io.Left, set)
	case "completion_while_forbidden":
		m.When(io.Left.And(io.Allowed), set).ElseWhen(io.Req.And(io.Ack), clear)
	default:
		m.When(io.Left, set).ElseWhen(io.Req.And(io.Ack), clear)
	}
	return io
}

// faults lists the faults of faulty, each with the assertion that it violates.
var faults = map[string]string{
	"acknowledge_without_request":   "a completion that left is requested until an acknowledge",
	"acknowledge_of_the_same_cycle": "a completion that left is requested until an acknowledge",
	"completion_while_forbidden":    "a completion that left is requested until an acknowledge",
	"request_while_forbidden":       "nothing is requested that the straps forbid",
}

func TestInterrupt(t *testing.T) {
	d := interrupt(t)
	require.NoError(t, checkInterrupt(d, 1))
	yosystest.Run(t, "interrupt_line", d, 2, checkInterrupt)
	survivors, tried := bench.Survivors(d, func() error { return checkInterrupt(d, 1) })
	require.Empty(t, survivors)
	require.GreaterOrEqual(t, tried, 5)
	require.Empty(t, bench.Unreset(d, 8, func(seed uint64) error { return checkInterrupt(d, seed) }))
	for fault := range faults {
		d, err := hw.Elaborate(faulty{fault})
		require.Error(t, checkInterrupt(elaborated(t, d, err), 1), fault)
	}
}
