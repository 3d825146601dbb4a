package fault

import "github.com/hotline-rtl/hotline/host/node"

// Event is a fault that has happened.
type Event struct {
	Kind    Kind      `json:"kind"`
	Place   Place     `json:"place"`
	N       int       `json:"n"` // of the TLPs that have been at the place, from 1
	At      node.Time `json:"at_ps"`
	TLP     string    `json:"tlp"`     // as it was meant
	Outcome string    `json:"outcome"` // what became of it
}

// Harmless is the outcome of a fault that nobody had to do anything about: what it
// made was dropped and counted where it arrived, or changed nothing.
const Harmless = "harmless"

// Recovered notes what somebody has done about the faults that have no outcome yet.
func (x *Injection) Recovered(what string) {
	for ; x.settled < len(x.log); x.settled++ {
		x.log[x.settled].Outcome = what
	}
}

// Log are the faults so far, in order.
func (x *Injection) Log() []Event {
	log := append([]Event{}, x.log...)
	for i := range log {
		if log[i].Outcome == "" {
			log[i].Outcome = Harmless
		}
	}
	return log
}
