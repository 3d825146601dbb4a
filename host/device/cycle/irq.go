package cycle

import "github.com/hotline-rtl/hotline/sim"

// interrupts converts requests of the design into MSI-X interrupts.
type interrupts interface {
	busy() bool
	present()
	sample(c *Card)
	forget()
	// wants reports whether the outputs request an interrupt that was not sent.
	wants() bool
}

func (b Boundary) interrupts(w *sim.Wires) interrupts {
	if b.Interrupt != "" {
		return &levels{out: w.Find(b.Interrupt)}
	}
	return &irq{req: w.Find("irq_req"), ack: w.Find("irq_ack")}
}

// irq converts requests with an acknowledgement into MSI-X vector 0.
type irq struct {
	req, ack sim.Wire
	taken    bool // acknowledge in this cycle
}

func (i *irq) busy() bool { return i.taken }

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

func (i *irq) forget() { i.taken = false }

func (i *irq) wants() bool { return i.req.Bool() }

// levels converts rising edges of lines into MSI-X vectors.
type levels struct {
	out  sim.Wire
	last uint64
}

func (l *levels) busy() bool { return false }

func (l *levels) present() {}

func (l *levels) sample(c *Card) {
	now := l.out.Get()
	for i := range l.out.Bits() {
		if now&^l.last>>i&1 == 1 {
			c.ep.RaiseInterrupt(i)
		}
	}
	l.last = now
}

func (l *levels) forget() { l.last = 0 }

func (l *levels) wants() bool { return l.out.Get()&^l.last != 0 }
