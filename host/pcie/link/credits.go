package link

import "github.com/hotline-rtl/hotline/host/pcie"

// covers reports whether the credits suffice for t.
func (c *credit) covers(t *pcie.TLP) bool {
	return (c.infHeader || c.header >= 1) && (c.infData || c.data >= t.DataCredits())
}

func (c *credit) take(t *pcie.TLP) { c.add(-1, -t.DataCredits()) }

func (c *credit) add(header, data int) {
	if !c.infHeader {
		c.header += header
	}
	if !c.infData {
		c.data += data
	}
}

// infinite reports whether all credits are infinite.
func (c *credit) infinite() bool { return c.infHeader && c.infData }

// release returns the credits of t to the sender, after the return latency.
func (c *channel) release(t *pcie.TLP) {
	class := t.Class()
	if !c.link.up || c.advertised[class].infinite() {
		return
	}
	c.returns.Push(creditReturn{at: c.k.Now() + c.returnTime, class: class, data: t.DataCredits()})
	if c.queued > 0 && !c.retry.Armed() {
		c.retry.Set(c.returns.Peek().at)
	}
}

// collectCredits adds the credits that have returned by now.
func (c *channel) collectCredits() {
	for c.returns.Len() > 0 && c.returns.Peek().at <= c.k.Now() {
		r := c.returns.Pop()
		have, most := &c.available[r.class], &c.advertised[r.class]
		have.add(1, r.data)
		if have.header <= most.header && have.data <= most.data {
			continue
		}
		if c.link.epoch == 0 {
			panic("link: a TLP was released twice")
		}
		// The buffer was allocated before the link went down. The initialisation has already
		// counted it.
		have.header, have.data = min(have.header, most.header), min(have.data, most.data)
	}
}
