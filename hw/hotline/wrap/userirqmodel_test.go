package wrap

import (
	"errors"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// irqModel models one user interrupt of AMD's core and the host behind it. PG195 and PG344 specify
// usr_irq_req and usr_irq_ack:
//
//   - A rising edge of the request sends an interrupt. An acknowledge reports that the interrupt was
//     sent. The request must stay high until then, and until the host has serviced the interrupt:
//     its handler reads the request in a register of the core to find the source.
//   - With a legacy interrupt, the end of the request is also sent and acknowledged. The request
//     must not rise again before this second acknowledge.
//
// A request that violates these rules is an error.
type irqModel struct {
	Legacy bool
	Delay  int  // maximum latency of a message, in cycles
	Masked bool // the host masks the interrupt

	rand             *rand.Rand
	req, ack, legacy sim.Pin
	cycle, due       int
	before           bool // the request of the previous cycle
	rose, serviced   int  // cycles of the last request and service
	state            irqState
	messages         []message
	line             bool // level of the legacy interrupt
}

// message is an interrupt, or the assertion or deassertion of a legacy interrupt.
type message struct {
	at int // arrival cycle
	on bool
}

type irqState int

const (
	irqIdle irqState = iota
	irqSending
	irqSent
	irqEnding
)

// atOnce is how many cycles before a request a service may still count for it, because the request
// was decided earlier.
const atOnce = 2

// newIRQModel connects the core to ports whose names begin with prefix.
func newIRQModel(b *bench.Bench, prefix string, seed uint64) *irqModel {
	return &irqModel{Delay: 20, serviced: -atOnce - 1, rand: rand.New(rand.NewPCG(seed, 5)),
		req: b.Pin(prefix + "req"), ack: b.Pin(prefix + "ack"), legacy: b.Pin(prefix + "legacy")}
}

func (u *irqModel) wait() int { return u.cycle + 1 + u.rand.IntN(u.Delay+1) }

// Give drives the inputs before a cycle.
func (u *irqModel) Give() {
	u.cycle++
	u.legacy.SetBool(u.Legacy)
	u.ack.SetBool(u.acknowledges())
}

// acknowledges reports whether the core acknowledges in this cycle.
func (u *irqModel) acknowledges() bool {
	return (u.state == irqSending || u.state == irqEnding) && u.due <= u.cycle && !u.Masked
}

// Look samples the outputs of a cycle.
func (u *irqModel) Look() error {
	now, was := u.req.Bool(), u.before
	u.before = now
	switch {
	case now && !was && u.state == irqEnding:
		return errors.New("usr_irq_req rises before the end of the interrupt is sent")
	case now && !was:
		u.state, u.due = irqSending, u.wait()
		u.rose = u.cycle
		return nil
	case was && !now && u.state == irqSending:
		return errors.New("usr_irq_req falls before the interrupt is sent")
	case was && !now && u.serviced < u.rose-atOnce:
		return errors.New("usr_irq_req falls before the interrupt is serviced")
	case was && !now && u.Legacy:
		u.state, u.due = irqEnding, u.wait()
		return nil
	case was && !now:
		u.state = irqIdle
	}
	if !u.acknowledges() {
		return nil
	}
	if u.state == irqEnding {
		u.state = irqIdle
	} else {
		u.state = irqSent
	}
	arrives := u.wait()
	if n := len(u.messages); n > 0 { // messages keep their order
		arrives = max(arrives, u.messages[n-1].at)
	}
	u.messages = append(u.messages, message{arrives, u.state == irqSent})
	return nil
}

// Serviced records, before a cycle, that the host services the interrupt in that cycle.
func (u *irqModel) Serviced() { u.serviced = u.cycle + 1 }

// Interrupted reports whether the host's handler runs and finds this interrupt pending.
func (u *irqModel) Interrupted() bool {
	arrived := false
	for len(u.messages) > 0 && u.messages[0].at <= u.cycle {
		on := u.messages[0].on
		arrived, u.line, u.messages = on, u.Legacy && on, u.messages[1:]
	}
	return (arrived || u.line) && u.before
}
