package trace

import (
	"fmt"
	"io"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/table"
)

// Line is the printable and JSON form of an event.
type Line struct {
	Packet    int      `json:"packet"` // number in the capture, from 1
	Time      des.Time `json:"time_ps"`
	Direction string   `json:"direction"`
	Type      string   `json:"type"`
	Role      Role     `json:"role"`
	Text      string   `json:"text"`
}

// String formats the event on one line: number, time, direction, TLP and role.
func (l Line) String() string {
	return fmt.Sprintf("%7d  %-14v  %-4s  %s", l.Packet, l.Time, l.Direction, l.Text)
}

// numberWidth is the width of the number on a line, including the space before the time.
const numberWidth = 9

// PrintLines writes each event as a line of text.
func PrintLines(w io.Writer, lines []Line) error {
	width := table.Width(w)
	for _, l := range lines {
		if _, err := fmt.Fprintln(w, table.Wrap(l.String(), width, numberWidth)); err != nil {
			return err
		}
	}
	return nil
}

// Lines converts events to lines.
func Lines(events []*Event) []Line {
	list := make([]Line, len(events))
	for i, e := range events {
		list[i] = Line{e.Number, e.Time, e.Dir.String(), e.Type(), e.Role, e.Text()}
	}
	return list
}

// Text formats the event without its number, time and direction.
func (e *Event) Text() string {
	switch e.Kind {
	case capture.KindComment:
		return e.Comment
	case capture.KindDelay:
		return fmt.Sprintf("injected: the next TLP arrives %v too late", e.Delay)
	case capture.KindGap:
		return fmt.Sprintf("%d packets before this one were not kept", e.Gap)
	case capture.KindFunction:
		return fmt.Sprintf("function %v, BAR %v, MSI-X at %#x", e.Function.ID, e.Function.BAR, e.Function.MSIXOffset)
	}
	parts := []string{e.TLP.String()}
	if e.Flags&capture.Injected != 0 {
		parts = append(parts, "[injected]")
	}
	if e.Flags&capture.Dropped != 0 {
		parts = append(parts, "[dropped]")
	}
	if e.Role != "" {
		parts = append(parts, "|", e.purpose())
	}
	return strings.Join(parts, " ")
}

// purpose formats the role and its details.
func (e *Event) purpose() string {
	s := string(e.Role)
	if e.Register != "" {
		s += " " + e.Register
	}
	if e.Value != nil {
		s += fmt.Sprintf(" = %#x", *e.Value)
	}
	if e.Request != 0 {
		s += fmt.Sprintf(", answers %d", e.Request)
	}
	c := e.Command
	switch {
	case c == nil || e.Role == Doorbell:
	case e.Number == c.Fetched:
		s += fmt.Sprintf(": command %d, %v", c.ID, c)
	case e.Number == c.Completed:
		s += fmt.Sprintf(" of command %d: %s", c.ID, c.Status.String())
	case c.Fetched != 0:
		s += fmt.Sprintf(" of command %d", c.ID)
	}
	return s
}

// Print writes the summary as text.
func (s Summary) Print(w io.Writer) error {
	width := table.Width(w)
	traffic := table.Table{Indent: 2, Columns: []table.Column{
		{Name: "direction", Text: true, Key: true}, {Name: "type", Text: true, Key: true, Min: 5}, {Name: "what for", Text: true, Key: true, Min: 19},
		{Name: "TLPs", Min: 12}, {Name: "link bytes", Min: 14}, {Name: "payload bytes", Min: 14},
	}}
	for _, t := range s.TLPs {
		traffic.Rows = append(traffic.Rows, []string{t.Direction, t.Type, string(t.Role), thousands(t.N), thousands(t.WireBytes), thousands(t.PayloadBytes)})
	}
	reads := table.Table{Indent: 2, Columns: []table.Column{
		{Name: "what for", Text: true, Min: 15}, {Name: "reads", Min: 10}, {Name: "unanswered"}, {Name: "p50", Min: 12}, {Name: "p99", Min: 12}, {Name: "longest", Min: 12}, {Name: "most at once"},
	}}
	for _, r := range s.Reads {
		reads.Rows = append(reads.Rows, []string{
			string(r.Role), thousands(r.N), thousands(r.Unanswered), format.Micro(r.P50), format.Micro(r.P99), format.Micro(r.Max), fmt.Sprint(r.Outstanding),
		})
	}
	text := fmt.Sprintf("%s and %s in %s of simulated time\n", format.Plural(s.Packets, "packet"), format.Plural(s.Commands, "command"), format.Micro(s.Duration)) +
		"\nTLPs\n" + traffic.Format(width) + "\nReads (latency from the request to the last completion, on this link)\n" + reads.Format(width)
	_, err := io.WriteString(w, table.Wrap(text, width, 2))
	return err
}

func thousands(n int) string { return format.Thousands(int64(n)) }

// Way is the lifecycle of a command.
type Way struct {
	ID       uint32    `json:"id"`
	Text     string    `json:"text"`
	Outcome  string    `json:"outcome"`
	Status   uint8     `json:"status"`
	Values   [2]uint32 `json:"values"` // reported by the completion entry
	Stations []Station `json:"stations"`
	Packets  []Line    `json:"packets"`
}

// Station is a step in the lifecycle of a command.
type Station struct {
	Name   string   `json:"name"`
	Packet int      `json:"packet"`
	Time   des.Time `json:"time_ps"`
}

// stations returns the known steps of a command, in order.
func (t *Trace) stations(c *Command) []Station {
	var list []Station
	for _, s := range []Station{
		{Name: "doorbell", Packet: c.Doorbell}, {Name: "fetch", Packet: c.Fetch}, {Name: "arrived", Packet: c.Fetched},
		{Name: "completion entry", Packet: c.Completed}, {Name: "interrupt", Packet: c.Interrupt},
	} {
		if s.Packet != 0 {
			s.Time = t.at(s.Packet)
			list = append(list, s)
		}
	}
	return list
}

// Follow returns the lifecycle of the command with an id. It returns an error if the capture
// contains no such command or several.
func (t *Trace) Follow(id uint32) (*Way, error) {
	c, err := t.command(id)
	if err != nil {
		return nil, err
	}
	outcome := "no completion entry"
	if c.Completed != 0 {
		outcome = c.Status.String()
	}
	return &Way{c.ID, c.String(), outcome, uint8(c.Status), [2]uint32{c.Value0, c.Value1}, t.stations(c), Lines(t.of(c))}, nil
}

// Print writes the lifecycle as text.
func (y *Way) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "command %d: %s: %s, values %d and %d\n", y.ID, y.Text, y.Outcome, y.Values[0], y.Values[1])
	for _, s := range y.Stations {
		fmt.Fprintf(&b, "  %-17s %-14v after %v\n", s.Name, s.Time, s.Time-y.Stations[0].Time)
	}
	for _, l := range y.Packets {
		fmt.Fprintln(&b, l)
	}
	_, err := io.WriteString(w, table.Wrap(b.String(), table.Width(w), numberWidth))
	return err
}

// Print writes the result of a replay as text.
func (r *Replayed) Print(w io.Writer) error {
	outcome := "all that the capture has, at the same times"
	if r.Difference != nil {
		outcome = r.Difference.String()
	}
	text := fmt.Sprintf("%s to the card, %s from it as in the capture: %s\n", format.Plural(r.Down, "TLP"), format.Plural(r.Up, "TLP"), outcome)
	_, err := io.WriteString(w, table.Wrap(text, table.Width(w), 2))
	return err
}

// of returns the events of a command, including its doorbell and its interrupt, which other
// commands may share.
func (t *Trace) of(c *Command) []*Event {
	var list []*Event
	for i := range t.Events {
		if e := &t.Events[i]; e.Command == c || e.Number == c.Doorbell || e.Number == c.Interrupt {
			list = append(list, e)
		}
	}
	return list
}

// command returns the command with an id.
func (t *Trace) command(id uint32) (*Command, error) {
	var found *Command
	for _, c := range t.Commands {
		if c.ID != id || c.Fetched == 0 {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("trace: there are several commands %d, at packets %d and %d: the device was reset in between", id, found.Fetch, c.Fetch)
		}
		found = c
	}
	if found == nil {
		return nil, fmt.Errorf("trace: there is no command %d; %s", id, t.ids())
	}
	return found, nil
}

// ids describes which command ids the capture contains.
func (t *Trace) ids() string {
	if len(t.Commands) == 0 {
		return "the capture has none"
	}
	return fmt.Sprintf("the capture has %d, the first is %d and the last %d", len(t.Commands), t.Commands[0].ID, t.Commands[len(t.Commands)-1].ID)
}

// Duration returns the time from the first event to the last.
func (t *Trace) Duration() des.Time {
	if len(t.Events) == 0 {
		return 0
	}
	return t.at(len(t.Events)) - t.at(1)
}
