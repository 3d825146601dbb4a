package fault

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
)

// Event is a fault that has happened.
type Event struct {
	Kind    Kind     `json:"kind"`
	Place   Place    `json:"place"`
	N       int      `json:"n"` // of the TLPs that have been at the place, from 1
	At      des.Time `json:"at_ps"`
	TLP     string   `json:"tlp"`     // as it was meant
	Outcome string   `json:"outcome"` // what became of it
}

// Harmless is the outcome of a fault that nobody had to do anything about: what it
// made was dropped and counted where it arrived, or changed nothing.
const Harmless = "harmless"

// Corrected is the outcome of a fault of the wires: the data link layer has sent again
// what was lost or damaged.
const Corrected = "corrected on the link"

// Recovered notes what somebody has done about the latest faults: those behind which
// nothing else had been done before another happened.
func (x *Injection) Recovered(what string) {
	for i := x.settled; i < len(x.log); i++ {
		switch e := &x.log[i]; {
		case e.Place.wires():
		case e.Outcome == "":
			e.Outcome = what
		case !strings.HasSuffix(e.Outcome, what):
			e.Outcome += ", " + what
		}
	}
}

// note adds a fault to the log.
func (x *Injection) note(e Event) {
	if n := len(x.log); n > 0 && x.log[n-1].Outcome != "" {
		x.settled = n
	}
	x.log = append(x.log, e)
}

// Log are the faults so far, in order.
func (x *Injection) Log() []Event {
	log := append([]Event{}, x.log...)
	for i := range log {
		switch {
		case log[i].Outcome != "":
		case log[i].Place.wires():
			log[i].Outcome = Corrected
		default:
			log[i].Outcome = Harmless
		}
	}
	return log
}

// Messages counts the error messages of PCI Express that the root complex has got, its own
// included, by severity.
type Messages struct {
	Correctable uint64 `json:"correctable"`
	NonFatal    uint64 `json:"non_fatal"`
	Fatal       uint64 `json:"fatal"`
}

// Messages are those since the plan began.
func (x *Injection) Messages() Messages {
	n := x.root.Errors().Messages
	return Messages{Correctable: n[0], NonFatal: n[1], Fatal: n[2]}
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
