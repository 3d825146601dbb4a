package des

// Clock calls a component once per period, but only while the component is
// awake. Its edges lie at multiples of the period, whenever it was woken.
//
// Within an instant all plain events come first, then the edges of the clocks
// in the order of their making. What happens at an edge's own instant is thus
// seen by that edge, whether the component was awake or had to be woken: a
// component that sleeps when it has nothing to do behaves as if it had not.
type Clock struct {
	k      *Kernel
	id     int // in the order of making
	period Time
	tick   func(elapsed uint64)

	cycle uint64 // number of the latest edge that was delivered
	edge  uint64 // number of the next one, while awake
	awake bool
}

// NewClock makes a sleeping clock. tick is called at an edge with the number
// of edges since the last call: 1 while awake, more after a sleep, so that a
// component can count or replay the cycles it missed. It panics when period is
// not positive.
func (k *Kernel) NewClock(period Time, tick func(elapsed uint64)) *Clock {
	if period <= 0 {
		panic("node: clock period must be positive, got " + period.String())
	}
	c := &Clock{k: k, id: len(k.clocks), period: period, tick: tick}
	c.cycle = c.nextEdge() - 1
	k.clocks = append(k.clocks, c)
	return c
}

// Period is the clock's period.
func (c *Clock) Period() Time { return c.period }

// Cycle is the number of the edge that is being delivered, or was last: the
// edge at time t has number t/period + 1.
func (c *Clock) Cycle() uint64 { return c.cycle }

// Awake reports whether edges are being delivered.
func (c *Clock) Awake() bool { return c.awake }

// Wake starts the delivery of edges with the next one there is, which is an
// edge at this very instant unless its turn has passed.
func (c *Clock) Wake() {
	if !c.awake {
		c.awake, c.edge = true, c.nextEdge()
	}
}

// Sleep stops the delivery of edges. A component may put itself to sleep
// during its own tick.
func (c *Clock) Sleep() { c.awake = false }

// nextEdge is the first edge, not before now, whose turn is still to come.
func (c *Clock) nextEdge() uint64 {
	n := uint64((c.k.now + c.period - 1) / c.period)
	if Time(n)*c.period == c.k.edgeAt && c.k.edgeID >= c.id {
		n++
	}
	return n + 1
}

// at is the time of the next edge.
func (c *Clock) at() Time { return Time(c.edge-1) * c.period }

// run delivers the next edge.
func (c *Clock) run() {
	c.k.edgeAt, c.k.edgeID = c.k.now, c.id
	elapsed := c.edge - c.cycle
	c.cycle = c.edge
	c.edge++
	c.tick(elapsed)
}
