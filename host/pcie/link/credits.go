package link

import "github.com/hotline-rtl/hotline/host/pcie"

// covers reports whether the credit is enough for t.
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

// infinite reports whether nothing of this credit is counted.
func (c *credit) infinite() bool { return c.infHeader && c.infData }

// release starts the way of t's credits back to the sender.
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

// collectCredits takes in the credits that have come back by now.
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
		// A buffer from before the link went down: it was counted at the
		// initialisation.
		have.header, have.data = min(have.header, most.header), min(have.data, most.data)
	}
}
