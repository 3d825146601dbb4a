package des

// event is an entry of the queue. It contains no pointers, so moving events creates no work for the
// garbage collector. Its function is in an action.
type event struct {
	at     Time
	order  uint64
	action uint32 // index
}

// action is the effect of an event. An action with a src may be cancelled before its event runs. An
// action with a lane may have successors in the lane.
type action struct {
	fn   func()
	src  source
	lane lane
}

// lane is a [Lane] of any type.
type lane interface {
	next() (at Time, order uint64, ok bool)
}

// source owns events that can be cancelled.
type source interface {
	// due reports whether the event that the source pushed for time at with this order number is
	// still valid. The kernel calls it when the event is the next one. If the result is false, the
	// event is dropped and time does not advance to it.
	due(at Time, order uint64) bool
}

func (e *event) before(o *event) bool {
	return e.at < o.at || e.at == o.at && e.order < o.order
}

// eventQueue is a 4-ary heap. It has half the depth of a binary heap, and the four children are
// adjacent in memory. Package container/heap would allocate for every event.
type eventQueue struct {
	heap    []event
	actions []action
	idle    []uint32 // unused actions
}

func (q *eventQueue) len() int { return len(q.heap) }

// head returns the next event and its action.
func (q *eventQueue) head() (*event, *action) { return &q.heap[0], &q.actions[q.heap[0].action] }

func (q *eventQueue) push(at Time, order uint64, a action) {
	e := event{at: at, order: order}
	if n := len(q.idle); n > 0 {
		e.action = q.idle[n-1]
		q.idle = q.idle[:n-1]
		q.actions[e.action] = a
	} else {
		e.action = uint32(len(q.actions))
		q.actions = append(q.actions, a)
	}
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		p := (i - 1) / 4
		if !e.before(&h[p]) {
			break
		}
		h[i] = h[p]
		i = p
	}
	h[i] = e
}

// pop removes the head and returns its time and function. The next event in the head's lane
// replaces the head.
func (q *eventQueue) pop() (Time, func()) {
	h := q.heap
	top, n := h[0], len(h)-1
	a := &q.actions[top.action]
	fn := a.fn
	if a.lane != nil {
		if at, order, ok := a.lane.next(); ok {
			q.sink(event{at, order, top.action})
			return top.at, fn
		}
	}
	q.heap = h[:n]
	if n > 0 {
		q.sink(h[n])
	}
	*a = action{} // releases the closure
	q.idle = append(q.idle, top.action)
	return top.at, fn
}

// sink inserts e at the root and moves it down to its place.
func (q *eventQueue) sink(e event) {
	h := q.heap
	i := 0
	for {
		least := 4*i + 1
		if least >= len(h) {
			break
		}
		for c := least + 1; c < min(4*i+5, len(h)); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
}
