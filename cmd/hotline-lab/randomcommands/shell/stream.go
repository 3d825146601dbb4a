package shell

import "slices"

// stream checks a rule for the accelerator's streams: an offer does not change until it is
// accepted.
type stream struct {
	name string
	held bool
	from uint64 // the cycle in which the current offer began
	last []uint64
}

// see checks a cycle and reports whether a transfer happens. It must be called in every cycle.
func (x *stream) see(s *Shell, valid, ready bool, payload ...uint64) bool {
	if x.held {
		if !valid {
			s.Failf("%s: valid fell before ready came", x.name)
		}
		if !slices.Equal(x.last, payload) {
			s.Failf("%s: payload changed from %x to %x before ready came", x.name, x.last, payload)
		}
	}
	if !x.held {
		x.from = s.now
	}
	x.held = valid && !ready
	if x.held {
		x.last = append(x.last[:0], payload...)
	}
	if valid && ready {
		s.active = s.now
	}
	return valid && ready
}
