package fault

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Event is a fault that occurred.
type Event struct {
	Kind    Kind     `json:"kind"`
	Place   Place    `json:"place"`
	N       int      `json:"n"` // index of the TLP among all TLPs at the place, from 1
	At      des.Time `json:"at_ps"`
	TLP     string   `json:"tlp"`     // before the fault
	Outcome string   `json:"outcome"` // how the fault was resolved
}

// Harmless is the outcome of a fault that required no recovery: the receiver dropped and counted
// the bad TLP, or the fault changed nothing.
const Harmless = "harmless"

// Corrected is the outcome of a wire fault: the data link layer retransmitted the lost or damaged
// packet.
const Corrected = "corrected on the link"

// Recovered records a recovery action as the outcome of the latest faults. A fault after a recovery
// starts a new group of faults. The action applies to the whole latest group.
func (x *Injection) Recovered(what string) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
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
	if x.notify != nil {
		x.notify(e)
	}
}

// Log returns the faults so far, in order.
func (x *Injection) Log() []Event {
	x.mutex.Lock()
	defer x.mutex.Unlock()
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

// Messages counts the PCI Express error messages that the root complex received, including its own,
// by severity.
type Messages struct {
	Correctable uint64 `json:"correctable"`
	NonFatal    uint64 `json:"non_fatal"`
	Fatal       uint64 `json:"fatal"`
}

// Unused returns the rules whose fault has not occurred so far.
func (x *Injection) Unused() []Rule {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	var list []Rule
	for _, a := range x.all {
		if a.happened == 0 {
			list = append(list, a.Rule)
		}
	}
	return list
}

// CountMessages returns the counts of error messages that a root complex received so far.
func CountMessages(root *link.RootComplex) Messages {
	n := root.Errors().Messages
	return Messages{Correctable: n[0], NonFatal: n[1], Fatal: n[2]}
}

// Summary counts the faults by kind, place and outcome, in order of first occurrence.
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
