package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
)

// Filter selects the events that satisfy all of its conditions. The zero Filter has no conditions.
type Filter struct {
	Types     []string // names of kinds, such as MRd, or of roles, such as doorbell
	Addresses *Range   // accessed by requests; completions match with their requests
	Tag       *uint16
	Requester *pcie.ID
	From, To  des.Time // from From to before To; no upper limit if To is 0
	Command   uint32   // id; 0 for any command
}

// Range is a range of addresses, both ends included.
type Range struct{ First, Last uint64 }

// Select returns the events that satisfy a filter, in order.
func (t *Trace) Select(f Filter) []*Event {
	var list []*Event
	to := f.To
	if to == 0 {
		to = math.MaxInt64
	}
	for i := range t.Events {
		if e := &t.Events[i]; e.Time >= f.From && e.Time < to && f.kind(e) && f.tlp(t, e) && f.command(e) {
			list = append(list, e)
		}
	}
	return list
}

func (f Filter) kind(e *Event) bool {
	return len(f.Types) == 0 || slices.Contains(f.Types, e.Type()) || slices.Contains(f.Types, string(e.Role)) && e.Role != ""
}

// types lists the valid entries of Filter.Types: names of kinds and roles.
var types = []string{
	"MRd", "MWr", "Cpl", "CplD", "Msg", "MsgD", "CfgRd0", "CfgWr0", "CfgRd1", "CfgWr1", "comment", "function", "delay", "gap",
	string(RegisterRead), string(RegisterWrite), string(ConfigRead), string(ConfigWrite), string(Doorbell), string(MSIXTable), string(CommandFetch), string(DataRead), string(DataWrite),
	string(Completion), string(Interrupt), string(OtherRead), string(OtherWrite), string(Unexpected),
}

// CheckTypes reports the first unknown type.
func CheckTypes(list []string) error {
	for _, name := range list {
		if !slices.Contains(types, name) {
			return fmt.Errorf("there is no type %q, expected %s", name, strings.Join(types, ", "))
		}
	}
	return nil
}

// Type returns the name of the event's kind. For a TLP it is the name of the TLP's kind.
func (e *Event) Type() string {
	switch e.Kind {
	case capture.KindComment:
		return "comment"
	case capture.KindFunction:
		return "function"
	case capture.KindDelay:
		return "delay"
	case capture.KindGap:
		return "gap"
	}
	return e.TLP.Kind.String()
}

// tlp reports whether an event is a TLP with the requested fields.
func (f Filter) tlp(t *Trace, e *Event) bool {
	if f.Tag == nil && f.Requester == nil && f.Addresses == nil {
		return true
	}
	if e.Kind != capture.KindTLP || f.Tag != nil && e.TLP.Tag != *f.Tag || f.Requester != nil && e.TLP.Requester != *f.Requester {
		return false
	}
	return f.Addresses == nil || t.touches(e, *f.Addresses)
}

func (t *Trace) touches(e *Event, r Range) bool {
	if isCompletion(e.TLP.Kind) {
		if e.Request == 0 {
			return false
		}
		e = &t.Events[e.Request-1]
	}
	if k := e.TLP.Kind; k != pcie.MRd && k != pcie.MWr {
		return false
	}
	return e.TLP.Addr <= r.Last && e.TLP.Addr+uint64(4*e.TLP.Length)-1 >= r.First
}

// command reports whether an event belongs to the requested command. An interrupt for several
// completions belongs to the last of them.
func (f Filter) command(e *Event) bool {
	return f.Command == 0 || e.Command != nil && e.Command.ID == f.Command
}
