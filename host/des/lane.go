package des

// Lane is a sequence of events that run one function, each with its own value. The events should be
// added mostly in the order of their times, such as TLPs on a wire or work of a resource. Only the
// first event is in the kernel's queue, so the cost of an event does not depend on the number of
// pending events. In all other respects, they behave like other events.
type Lane[T any] struct {
	k      *Kernel
	run    func(T)
	fire   func()
	events FIFO[laneEvent[T]] // the first event is in the kernel's queue
	latest Time               // time of the last event
	value  T                  // value of the event that runs next
}

type laneEvent[T any] struct {
	at    Time
	order uint64
	value T
}

// NewLane returns a lane without events.
func NewLane[T any](k *Kernel, run func(T)) *Lane[T] {
	l := &Lane[T]{k: k, run: run}
	l.fire = func() { l.run(l.value) }
	return l
}

// At runs the function with a value at time t, like [Kernel.At]. It panics if t is in the past.
func (l *Lane[T]) At(t Time, value T) {
	if l.events.Len() > 0 && t < l.latest {
		l.k.At(t, func() { l.run(value) })
		return
	}
	l.k.notPast("event", t)
	l.k.seq++
	l.latest = t
	l.events.Push(laneEvent[T]{t, l.k.seq, value})
	if l.events.Len() == 1 {
		l.k.queue.push(t, l.k.seq, action{fn: l.fire, lane: l})
	}
}

// next removes the first event and returns the position of the next event in the kernel's queue.
func (l *Lane[T]) next() (at Time, order uint64, ok bool) {
	l.value = l.events.Pop().value
	if l.events.Len() == 0 {
		return 0, 0, false
	}
	e := l.events.Peek()
	return e.at, e.order, true
}
