package des

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// ErrDeadlock is wrapped by the error of [Kernel.Run] if no event is left and the awaited condition
// is still false.
var ErrDeadlock = errors.New("deadlock")

// Kernel is a discrete-event simulator. The zero value is not usable; see [NewKernel]. It is not
// safe for concurrent use.
type Kernel struct {
	now      Time
	seq      uint64
	queue    eventQueue
	running  bool
	executed uint64
	stop     func() error

	clocks []*Clock
	turn   *Clock // clock with the next edge; nil if the next event is in the queue
	edgeAt Time   // instant and clock of the latest edge that ran
	edgeID int

	watches []watch
}

type watch struct {
	name  string
	state func() string
}

// NewKernel returns a kernel at time 0 without events.
func NewKernel() *Kernel { return &Kernel{edgeAt: -1} }

// Now returns the current simulated time.
func (k *Kernel) Now() Time { return k.now }

// Executed returns the number of events run so far.
func (k *Kernel) Executed() uint64 { return k.executed }

// At runs fn at time t. Functions of the same instant run in the order of the calls of At. At
// panics if t is in the past.
func (k *Kernel) At(t Time, fn func()) {
	k.notPast("event", t)
	k.push(t, fn, nil)
}

// After runs fn after d. It panics if d is negative.
func (k *Kernel) After(d Time, fn func()) { k.At(k.now+d, fn) }

// Watch registers a component for the deadlock report. The function state describes what the
// component waits for; it returns "" if the component does not wait.
func (k *Kernel) Watch(name string, state func() string) {
	k.watches = append(k.watches, watch{name, state})
}

// StopOn ends [Kernel.Run] and [Kernel.RunTo] with stop's error as soon as stop returns one. It
// allows a stop from outside the simulation. The function stop is called at the start and every
// 1024 events.
func (k *Kernel) StopOn(stop func() error) { k.stop = stop }

// stopEvery is a power of two.
const stopEvery = 1024

// stopped calls stop periodically and returns its error.
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

// step runs the next event, which settle has determined.
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

// next returns the time of the next event, which settle has determined.
func (k *Kernel) next() Time {
	if k.turn != nil {
		return k.turn.at()
	}
	return k.queue.heap[0].at
}

// Run runs events until until returns true; it calls until before each event. If no event is left
// before that, the error wraps [ErrDeadlock] and describes what every watched component waits for.
// If until is nil, Run runs all events.
//
// An event must not call Run, because simulated time would pass within an instant. Such a call
// returns an error.
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

// RunUntil works like Run but stops at time t. If until still returns false, all events up to and
// including t have run, and the time is t. The time is also t after a deadlock. RunUntil panics if
// t is in the past.
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

// RunTo runs all events up to and including time t and sets the time to t. It panics if t is in the
// past.
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
		panic(fmt.Sprintf("des: %s %v at %v: it is in the past", call, t, k.now))
	}
}

func (k *Kernel) enter() error {
	if k.running {
		return fmt.Errorf("des: Run at %v called from inside an event; an event must return before time can pass", k.now)
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

// settle determines the next event and reports whether there is one. It drops cancelled events at
// the head of the queue.
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

// clockBefore returns the clock with the earliest edge, if the edge is before time t. Edges follow
// the other events of their instant, in the order of the clocks.
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
	return fmt.Errorf("des: %w at %v: no event is left after %d events, and what was waited for has not happened%s",
		ErrDeadlock, k.now, k.executed, b.String())
}
