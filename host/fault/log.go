package fault

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/node"
)

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

// Summary says how many faults of which kind there were at which place, and what became
// of them, in the order in which they first happened.
func Summary(log []Event) []string {
	counts, order := map[string]int{}, []string{}
	for _, e := range log {
		what := fmt.Sprintf("%s at %s: %s", e.Kind, e.Place, e.Outcome)
		if counts[what]++; counts[what] == 1 {
			order = append(order, what)
		}
	}
	for i, what := range order {
		order[i] = fmt.Sprintf("%d %s", counts[what], what)
	}
	return order
}
