package sim

import "fmt"

// Beat defines the edges of a clock port: they occur at times Phase, Phase+Period, Phase+2*Period
// and so on.
type Beat struct {
	Clock         string // name of the port
	Period, Phase uint64
}

// at reports whether the clock has an edge at time t.
func (b Beat) at(t uint64) bool { return t >= b.Phase && (t-b.Phase)%b.Period == 0 }

// next returns the time of the first edge at or after t.
func (b Beat) next(t uint64) uint64 {
	if t <= b.Phase {
		return b.Phase
	}
	return t + (b.Period-(t-b.Phase)%b.Period)%b.Period
}

// Schedule advances a Simulator from one time with a clock edge to the next. A bench that uses a
// Schedule must not drive the clock ports.
type Schedule struct {
	s     Simulator
	beats []Beat
	pins  []Pin
	time  uint64
}

// NewSchedule returns a schedule that starts at the time of the first edge. It fails if beats is
// empty, a period is 0, or s has no one-bit input with the name of a clock.
func NewSchedule(s Simulator, beats ...Beat) (*Schedule, error) {
	x := &Schedule{s: s, beats: beats}
	for _, b := range beats {
		if err := b.check(s.Ports()); err != nil {
			return nil, err
		}
		x.pins = append(x.pins, Find(s, b.Clock))
	}
	if len(beats) == 0 {
		return nil, fmt.Errorf("sim: a schedule without clocks")
	}
	x.time = first(beats, 0)
	return x, nil
}

func (b Beat) check(ports []Port) error {
	if b.Period == 0 {
		return fmt.Errorf("sim: clock %s has the period 0; expected at least 1", b.Clock)
	}
	for _, p := range ports {
		if p.Name == b.Clock && p.Input && p.Type.Bits() == 1 {
			return nil
		}
	}
	return fmt.Errorf("sim: no clock %s: expected an input of one bit", b.Clock)
}

// first returns the time of the first edge of any clock at or after t.
func first(beats []Beat, t uint64) uint64 {
	least := beats[0].next(t)
	for _, b := range beats[1:] {
		least = min(least, b.next(t))
	}
	return least
}

// Time returns the time of the edges in the next Step.
func (x *Schedule) Time() uint64 { return x.time }

// Edge reports whether the next Step has an edge of clock i of the schedule.
func (x *Schedule) Edge(i int) bool { return x.beats[i].at(x.time) }

// Step applies the edges at Time and advances Time to the next edge. It returns the Simulator's
// error.
func (x *Schedule) Step() error {
	for i, p := range x.pins {
		p.SetBool(x.Edge(i))
	}
	x.time = first(x.beats, x.time+1)
	return x.s.Step()
}
