package des

// Lane is a row of events that run one function, each with a value of its own, and
// that are asked for in the order of their times, mostly: TLPs on a wire, or work
// that a resource does. Only the first of them is in the kernel's queue, so that
// the cost of an event does not grow with the number of those under way. In all
// else they are events like others.
type Lane[T any] struct {
	k      *Kernel
	run    func(T)
	fire   func()
	events FIFO[laneEvent[T]] // the first of them is in the kernel's queue
	latest Time               // of the last of them
	value  T                  // of the event that runs next
}

type laneEvent[T any] struct {
	at    Time
	order uint64
	value T
}

// NewLane makes a lane without events.
func NewLane[T any](k *Kernel, run func(T)) *Lane[T] {
	l := &Lane[T]{k: k, run: run}
	l.fire = func() { l.run(l.value) }
	return l
}

// At runs the function with a value at time t, as [Kernel.At] does. It panics when
// t is in the past.
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

// next takes the first event, and gives the place in the kernel's queue of the one
// behind it.
func (l *Lane[T]) next() (at Time, order uint64, ok bool) {
	l.value = l.events.Pop().value
	if l.events.Len() == 0 {
		return 0, 0, false
	}
	e := l.events.Peek()
	return e.at, e.order, true
}
