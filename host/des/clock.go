package des

// Clock calls a component once per period, but only while the component is awake. Its edges are at
// multiples of the period, regardless of when it woke up.
//
// Within an instant, plain events run first, followed by the edges of the clocks in the order of
// their creation. An edge therefore sees all events of its instant, whether the component was awake
// or had to be woken. A component that sleeps while it is idle behaves as if it never slept.
type Clock struct {
	k      *Kernel
	id     int // in the order of creation
	period Time
	tick   func(elapsed uint64)

	cycle uint64 // number of the latest delivered edge
	edge  uint64 // number of the next edge, while awake
	awake bool
}

// NewClock returns a sleeping clock. At each edge, it calls tick with the number of edges since the
// last call: 1 while awake, more after a sleep. The component can use it to count or replay the
// cycles it missed. NewClock panics if period is not positive.
func (k *Kernel) NewClock(period Time, tick func(elapsed uint64)) *Clock {
	if period <= 0 {
		panic("des: clock period must be positive, got " + period.String())
	}
	c := &Clock{k: k, id: len(k.clocks), period: period, tick: tick}
	c.cycle = c.nextEdge() - 1
	k.clocks = append(k.clocks, c)
	return c
}

// Period returns the clock's period.
func (c *Clock) Period() Time { return c.period }

// Cycle returns the number of the edge being delivered, or last delivered. The edge at time t has
// number t/period + 1.
func (c *Clock) Cycle() uint64 { return c.cycle }

// Wake starts the delivery of edges with the next one. If there is an edge at the current instant
// that has not been processed yet, it is delivered.
func (c *Clock) Wake() {
	if !c.awake {
		c.awake, c.edge = true, c.nextEdge()
	}
}

// Sleep stops the delivery of edges. A component may put itself to sleep during its own tick.
func (c *Clock) Sleep() { c.awake = false }

// nextEdge returns the first edge, not before now, that has not been processed.
func (c *Clock) nextEdge() uint64 {
	n := uint64((c.k.now + c.period - 1) / c.period)
	if Time(n)*c.period == c.k.edgeAt && c.k.edgeID >= c.id {
		n++
	}
	return n + 1
}

// at returns the time of the next edge.
func (c *Clock) at() Time { return Time(c.edge-1) * c.period }

// run delivers the next edge.
func (c *Clock) run() {
	c.k.edgeAt, c.k.edgeID = c.k.now, c.id
	elapsed := c.edge - c.cycle
	c.cycle = c.edge
	c.edge++
	c.tick(elapsed)
}
