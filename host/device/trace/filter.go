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

// Filter says which events to select: those that have all of what it asks for. The
// zero Filter asks for nothing.
type Filter struct {
	Types     []string // names of kinds, as MRd, or of roles, as doorbell
	Addresses *Range   // that requests touch; their completions are selected with them
	Tag       *uint16
	Requester *pcie.ID
	From, To  des.Time // the time from From and before To, unless To is 0
	Command   uint32   // id; 0 is no id
}

// Range is one of addresses, both ends included.
type Range struct{ First, Last uint64 }

// Select gives the events that a filter asks for, in order.
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

// types are what a filter can ask for: names of kinds and roles.
var types = []string{
	"MRd", "MWr", "Cpl", "CplD", "Msg", "MsgD", "CfgRd0", "CfgWr0", "CfgRd1", "CfgWr1", "comment", "function", "delay", "gap",
	string(RegisterRead), string(RegisterWrite), string(ConfigRead), string(ConfigWrite), string(Doorbell), string(MSIXTable), string(CommandFetch), string(DataRead), string(DataWrite),
	string(Completion), string(Interrupt), string(OtherRead), string(OtherWrite), string(Unexpected),
}

// CheckTypes reports the first type that there is not.
func CheckTypes(list []string) error {
	for _, name := range list {
		if !slices.Contains(types, name) {
			return fmt.Errorf("there is no type %q, expected %s", name, strings.Join(types, ", "))
		}
	}
	return nil
}

// Type is the name of the kind of an event: that of a TLP, comment, function or delay.
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

// tlp is whether an event is a TLP with the fields that are asked for.
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

// command is whether an event belongs to the command that is asked for. The
// interrupt of several completions belongs to the last.
func (f Filter) command(e *Event) bool {
	return f.Command == 0 || e.Command != nil && e.Command.ID == f.Command
}
