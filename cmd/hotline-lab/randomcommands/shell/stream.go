package shell

import "slices"

// stream checks one thing of a stream of the accelerator: what is offered stays
// until it is taken.
type stream struct {
	name string
	held bool
	from uint64 // the cycle in which the present offer began
	last []uint64
}

// see is called in every cycle and tells whether something moves.
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
