package card

import "github.com/hotline-rtl/hotline/sim"

// irq turns the interrupt request of the design into MSI-X vector 0.
type irq struct {
	req, ack sim.Pin
	taken    bool // acknowledge in this cycle
}

// busy looks at the request too: a level that nobody answers is no activity in
// the design.
func (i *irq) busy() bool { return i.taken || i.req.Bool() }

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
