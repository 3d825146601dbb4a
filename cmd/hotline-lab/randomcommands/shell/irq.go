package shell

import "github.com/hotline-rtl/hotline/sim"

// Bounds on the interrupt, in cycles.
const (
	irqRise = 16 // from the event, or the end of a condition that blocks requests, to the request
	irqFall = 8  // from the acknowledgement to the end of the request
	irqRace = 8  // an event this close before an acknowledgement may cause another request
)

// interrupt acknowledges requests and checks their level. Stray acknowledgements are sent at any
// time. They take effect only in cycles with a request.
type interrupt struct {
	*Shell
	req, ack   sim.Pin
	ackAt      uint64 // the cycle in which the current request will be acknowledged
	up, ackNow bool
	took       bool   // an acknowledgement took effect in the last cycle
	acked      uint64 // the cycle of the last effective acknowledgement
	fell       bool   // the request has fallen since then
	left       uint64 // the cycle of the last event, 0 if there was none
	owed       uint64 // the cycle of the first event since the last observed request, 0 if there was none
	open       int    // completions handed over that have not been sent
	blind      bool   // a reset is in progress
	kept       bool   // there was a request when requests became forbidden
	allowed    uint64 // the last cycle in which requests were forbidden
}

func newInterrupt(s *Shell) interrupt {
	return interrupt{Shell: s, req: sim.Find(s.sim, "irq_req"), ack: sim.Find(s.sim, "irq_ack"), fell: true}
}

func (s *interrupt) restart() {
	*s = interrupt{Shell: s.Shell, req: s.req, ack: s.ack, fell: true}
}

// Sent records that a completion is in flight. From now on the interrupt may be requested.
func (s *Shell) Sent() {
	s.irq.open++
}

// Left records that a completion has been written, or that the accelerator has halted. The
// interrupt must now be requested.
func (s *Shell) Left() {
	s.irq.open--
	s.irq.left = s.now
	s.irq.owe()
}

// owe records that a request must follow.
func (s *interrupt) owe() {
	if s.owed == 0 {
		s.owed = s.now
	}
}

// Resetting records that a reset has begun, which may end at any time.
func (s *Shell) Resetting() { s.irq.blind = true }

func (s *interrupt) drive() {
	s.ackNow = s.up && s.ackAt <= s.now
	if !s.ackNow && s.chance(s.Schedule.StrayAcknowledge) {
		s.Faults["stray acknowledgement"]++
		s.ackNow = true
	}
	s.ack.SetBool(s.ackNow)
}

func (s *interrupt) sample() {
	up := s.req.Bool()
	recent := s.open > 0 || s.left > 0 && s.left+irqRace >= s.acked || s.kept
	if s.straps.forbidden() {
		s.allowed = s.now
		if s.up && !s.took {
			s.kept = true
			s.owe()
		}
	}
	if up {
		s.owed = 0
	}
	switch {
	case s.blind:
	case up && s.straps.since > 0 && s.now >= s.straps.since+strapDelay:
		s.Failf("the interrupt is requested, %d cycles after bus mastering or the link was taken away", s.now-s.straps.since)
	case s.allowed == s.now:
	case up && !s.up && !recent:
		s.Failf("the interrupt is requested, but no completion has left since the last acknowledgement")
	case !up && s.up && s.acked+irqFall < s.now:
		s.Failf("the request of the interrupt fell without an acknowledgement")
	case up && !s.fell && !recent && s.acked+irqFall < s.now:
		s.Failf("the interrupt was acknowledged, but is still requested")
	case s.owed > 0 && max(s.owed, s.allowed)+irqRise < s.now:
		s.Failf("a completion left in cycle %d, but the interrupt is not requested", s.owed)
	}
	if up && !s.up {
		s.ackAt = s.now + 1 + s.upTo(s.Schedule.Acknowledge)
	}
	s.fell = s.fell || !up
	s.up = up
	if s.took = up && s.ackNow; s.took {
		s.acked, s.fell, s.kept = s.now, false, false
		s.ackAt = s.now + irqFall + 2 + s.upTo(s.Schedule.Acknowledge)
	}
}
