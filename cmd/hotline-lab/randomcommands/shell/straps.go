package shell

import "github.com/hotline-rtl/hotline/sim"

// strapDelay is the number of cycles after the fall of a strap in which a descriptor or a request
// may still begin.
const strapDelay = 8

// straps disables bus mastering or the link for a while.
type straps struct {
	*Shell
	pins  [2]sim.Pin
	flr   sim.Pin
	until [2]uint64 // the cycle in which each strap is set again
	since uint64    // the first cycle in which a strap is low, 0 if both are high
}

func newStraps(s *Shell) straps {
	pin := func(name string) sim.Pin { return sim.Find(s.sim, name) }
	return straps{Shell: s, pins: [2]sim.Pin{pin("cfg_bus_master_enable"), pin("link_up")}, flr: pin("cfg_flr")}
}

func (s *straps) drive() {
	both := true
	for i, pin := range s.pins {
		if s.now >= s.until[i] && s.chance(s.Schedule.Forbid) {
			s.until[i] = s.now + 1 + s.upTo(400)
			s.Faults["forbidden for a while"]++
		}
		there := s.now >= s.until[i]
		pin.SetBool(there)
		both = both && there
	}
	switch {
	case both:
		s.since = 0
	case s.since == 0:
		s.since = s.now
	default:
		s.active = s.now // no progress is expected
	}
}

// sample checks that no descriptor begins.
func (s *straps) sample() {
	if s.since == 0 || s.now < s.since+strapDelay {
		return
	}
	for _, x := range []struct {
		desc  *stream
		valid sim.Pin
	}{{&s.read.desc, s.read.valid}, {&s.write.desc, s.write.valid}} {
		if x.valid.Bool() && !x.desc.held {
			s.Failf("%s: one begins, %d cycles after bus mastering or the link was taken away", x.desc.name, s.now-s.since)
		}
	}
}

// forbidden reports whether interrupt requests are blocked, or were until recently.
func (s *straps) forbidden() bool {
	last := max(s.until[0], s.until[1])
	return last > 0 && s.now < last+strapDelay
}

// Allow enables bus mastering and the link again.
func (s *Shell) Allow() {
	for i := range s.straps.until {
		s.straps.until[i] = min(s.straps.until[i], s.now)
	}
}
