package cycle

import "github.com/hotline-rtl/hotline/sim"

// irq converts the design's interrupt request into MSI-X vector 0.
type irq struct {
	req, ack sim.Wire
	taken    bool // acknowledge in this cycle
}

func (i *irq) present() { i.ack.SetBool(i.taken) }

func (i *irq) sample(c *Card) {
	if i.taken {
		i.taken = false
		return
	}
	if i.req.Bool() {
		i.taken = true
		c.ep.RaiseInterrupt(0)
	}
}
