package des

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// ErrDeadlock is wrapped by the error of [Kernel.Run] when no event is left
// and what was waited for has not happened.
var ErrDeadlock = errors.New("deadlock")

// Kernel is a discrete-event simulator. The zero value is not usable; see
// [NewKernel]. It is not safe for use by several goroutines.
type Kernel struct {
	now      Time
	seq      uint64
	queue    eventQueue
	running  bool
	executed uint64
	stop     func() error

	clocks []*Clock
	turn   *Clock // whose edge is next; nil if an event of the queue is
	edgeAt Time   // instant and clock of the latest edge that ran
	edgeID int

	watches []watch
}

type watch struct {
	name  string
	state func() string
}

// NewKernel makes a kernel at time 0 with no events.
func NewKernel() *Kernel { return &Kernel{edgeAt: -1} }

// Now is the current simulated time.
func (k *Kernel) Now() Time { return k.now }

// Executed counts the events run so far.
func (k *Kernel) Executed() uint64 { return k.executed }

// At runs fn at time t. Functions of the same instant run in the order in
// which they were asked for. It panics when t is in the past.
func (k *Kernel) At(t Time, fn func()) {
	k.notPast("event", t)
	k.push(t, fn, nil)
}

// After runs fn d from now. It panics when d is negative.
func (k *Kernel) After(d Time, fn func()) { k.At(k.now+d, fn) }

// Watch gives the deadlock report a line about a component. state says what
// the component is waiting for, or "" when it waits for nothing.
func (k *Kernel) Watch(name string, state func() string) {
	k.watches = append(k.watches, watch{name, state})
}

// StopOn lets [Kernel.Run] and [Kernel.RunTo] end with stop's error once it gives
// one, from outside of the simulation. It is asked when they begin, and every
// 1024 events.
func (k *Kernel) StopOn(stop func() error) { k.stop = stop }

// stopEvery is a power of two.
const stopEvery = 1024

// stopped asks whether to stop, now and then.
func (k *Kernel) stopped() error {
	if k.stop == nil || k.executed%stopEvery != 0 {
		return nil
	}
	return k.stop()
}

// Step runs the next event and reports whether there was one.
func (k *Kernel) Step() bool {
	if !k.settle() {
		return false
	}
	k.step()
	return true
}

// step runs the next event, which settle has found.
func (k *Kernel) step() {
	k.executed++
	if c := k.turn; c != nil {
		k.now = c.at()
		c.run()
		return
	}
	at, fn := k.queue.pop()
	k.now = at
	fn()
}

// next is the time of the next event, which settle has found.
func (k *Kernel) next() Time {
	if k.turn != nil {
		return k.turn.at()
	}
	return k.queue.heap[0].at
}

// Run runs events until until() holds; it is asked before each event. Events
// that run out first are a deadlock, and the error says what every watched
// component was waiting for. With a nil until, Run runs all events there are.
//
// An event must not call Run: simulated time would pass inside an instant.
// That is reported as an error.
func (k *Kernel) Run(until func() bool) error {
	if err := k.enter(); err != nil {
		return err
	}
	defer k.leave()
	for until == nil || !until() {
		if !k.Step() {
			if until == nil {
				return nil
			}
			return k.deadlock()
		}
		if err := k.stopped(); err != nil {
			return err
		}
	}
	return nil
}

// RunUntil is Run up to time t: when until() does not hold by then, all events
// up to and including t have run and the time is t. The time is t after a
// deadlock, too. It panics when t is in the past.
func (k *Kernel) RunUntil(t Time, until func() bool) error {
	k.notPast("RunUntil", t)
	if err := k.enter(); err != nil {
		return err
	}
	defer k.leave()
	for !until() {
		alive := k.settle()
		if alive && k.next() <= t {
			k.step()
			continue
		}
		var err error
		if !alive {
			err = k.deadlock()
		}
		k.now = t
		return err
	}
	return nil
}

// RunTo runs all events up to and including time t and leaves the time at t.
// It panics when t is in the past.
func (k *Kernel) RunTo(t Time) error {
	k.notPast("RunTo", t)
	if err := k.enter(); err != nil {
		return err
	}
	defer k.leave()
	for k.settle() && k.next() <= t {
		k.step()
		if err := k.stopped(); err != nil {
			return err
		}
	}
	k.now = t
	return nil
}

func (k *Kernel) notPast(call string, t Time) {
	if t < k.now {
		panic(fmt.Sprintf("node: %s %v at %v: it is in the past", call, t, k.now))
	}
}

func (k *Kernel) enter() error {
	if k.running {
		return fmt.Errorf("node: Run at %v called from inside an event; an event must return before time can pass", k.now)
	}
	if k.stop != nil {
		if err := k.stop(); err != nil {
			return err
		}
	}
	k.running = true
	return nil
}

func (k *Kernel) leave() { k.running = false }

// settle finds the next event, and reports whether there is one. Cancelled events at
// the head of the queue are dropped.
func (k *Kernel) settle() bool {
	for k.queue.len() > 0 {
		e, a := k.queue.head()
		k.turn = k.clockBefore(e.at)
		if k.turn != nil || a.src == nil || a.src.due(e.at, e.order) {
			return true
		}
		k.queue.pop()
	}
	k.turn = k.clockBefore(math.MaxInt64)
	return k.turn != nil
}

// clockBefore is the clock with the first edge of all, if that is before a time: edges
// come behind the other events of their instant, in the order of the clocks.
func (k *Kernel) clockBefore(t Time) (first *Clock) {
	for _, c := range k.clocks {
		if c.awake && c.at() < t {
			first, t = c, c.at()
		}
	}
	return first
}

func (k *Kernel) push(t Time, fn func(), src source) uint64 {
	k.seq++
	k.queue.push(t, k.seq, action{fn: fn, src: src})
	return k.seq
}

func (k *Kernel) deadlock() error {
	var b strings.Builder
	for _, w := range k.watches {
		if s := w.state(); s != "" {
			fmt.Fprintf(&b, "\n  %s: %s", w.name, s)
		}
	}
	return fmt.Errorf("node: %w at %v: no event is left after %d events, and what was waited for has not happened%s",
		ErrDeadlock, k.now, k.executed, b.String())
}
