package des

// event is one entry of the queue. It holds no pointers, so that moving events
// about costs the garbage collector nothing; what they do is in an action.
type event struct {
	at     Time
	order  uint64
	action uint32 // index
}

// action is what an event does. Those with a src may turn out to be cancelled
// when their turn comes; those with a lane have others behind them.
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
	// due reports whether the event that the source pushed for time at under
	// this order number is still wanted. It is asked at the event's turn; when
	// the answer is no the event is dropped, and time does not advance to it.
	due(at Time, order uint64) bool
}

func (e *event) before(o *event) bool {
	return e.at < o.at || e.at == o.at && e.order < o.order
}

// eventQueue is a 4-ary heap: half the depth of a binary one, and the four
// children are neighbours in memory. container/heap would box every event.
type eventQueue struct {
	heap    []event
	actions []action
	idle    []uint32 // unused actions
}

func (q *eventQueue) len() int { return len(q.heap) }

// head is the event whose turn is next, and what it does.
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

// pop removes the head, and gives its time and what it does; the event behind it in
// its lane takes its place.
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
	*a = action{} // lets the closure go
	q.idle = append(q.idle, top.action)
	return top.at, fn
}

// sink puts e at the root and lets it down to its place.
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
