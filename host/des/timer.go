package des

// Timer is an event that can be moved and stopped, such as a completion timeout. A stopped timer
// does not delay the end of a simulation.
type Timer struct {
	k        *Kernel
	fn       func()
	armed    bool
	deadline Time
	queued   bool // an event of this timer is in the queue,
	queuedAt Time // for this time
	order    uint64
	fire     func()
}

// NewTimer returns a stopped timer that runs fn when it expires.
func (k *Kernel) NewTimer(fn func()) *Timer {
	t := &Timer{k: k, fn: fn}
	t.fire = func() {
		t.armed, t.queued = false, false
		t.fn()
	}
	return t
}

// Set arms the timer for time at, replacing any previous time. It panics if at is in the past.
func (t *Timer) Set(at Time) {
	if at < t.k.now {
		panic("des: timer set to a time in the past")
	}
	t.armed, t.deadline = true, at
	// An earlier event stays in the queue and is rescheduled when it is due. A timer that is set
	// repeatedly therefore has only one event in the queue.
	if !t.queued || at < t.queuedAt {
		t.enqueue()
	}
}

// Stop disarms the timer.
func (t *Timer) Stop() { t.armed = false }

// Armed reports whether the timer is set and has not expired.
func (t *Timer) Armed() bool { return t.armed }

func (t *Timer) enqueue() {
	t.queued, t.queuedAt = true, t.deadline
	t.order = t.k.push(t.deadline, t.fire, t)
}

func (t *Timer) due(at Time, order uint64) bool {
	if order != t.order {
		return false
	}
	if t.armed && t.deadline == at {
		return true
	}
	t.queued = false
	if t.armed {
		t.enqueue()
	}
	return false
}
