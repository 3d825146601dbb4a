package experiment

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/server"
)

// printer prints a line of the table.
type printer func(label, format string, args ...any)

// Print writes the report as a table for people.
// The error is one of writing.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(label, format string, args ...any) {
		fmt.Fprintf(t, "%s\t%s\n", label, fmt.Sprintf(format, args...))
	}
	servers := ""
	if r.Nodes > 1 {
		servers = fmt.Sprintf(" in each of %d servers", r.Nodes)
	}
	line("configuration", "%s, %s%s, %s", r.Config, plural(r.GPUs, "GPU"), servers, r.Data)
	line("mini-batches", "%s, %s inputs", thousands(int64(r.MiniBatches)), thousands(int64(r.Inputs)))
	if r.Resumed > 0 {
		line("resumed", "behind %s", plural(r.Resumed, "mini-batch"))
	}
	if r.Accelerator != nil {
		r.Accelerator.print(line)
	}
	line("time of a mini-batch", "simulated: %s, profile %s; in brackets the range over their constants", r.Machine, r.Profile)
	for _, s := range r.Systems {
		s.printTime(line)
	}
	r.printSpeedUps(line)
	for _, s := range r.Systems {
		s.printOutcome(line)
	}
	return t.Flush()
}

func (a *AcceleratorReport) print(line printer) {
	line("popular share", "%.1f%% of inputs", 100*a.PopularShare)
	line("lookups", "%s, %.2f per cycle", thousands(a.Lookups), a.LookupsPerCycle)
	line("rows gathered", "%s from GPUs, %s from host memory", thousands(a.RowsFromGPUs), thousands(a.RowsFromHost))
	line("rows updated", "%s in host memory", thousands(a.RowsUpdated))
	if a.Cycles > 0 {
		line("accelerator", "engine %s, %s cycles, active in %s", a.Engine, thousands(int64(a.Cycles)), thousands(int64(a.CyclesSimulated)))
	} else {
		line("accelerator", "%s model", a.Engine)
	}
	line("PCIe", "%s bytes from the accelerator, %s to it", thousands(int64(a.PCIeBytesUp)), thousands(int64(a.PCIeBytesDown)))
	if a.LostInterrupts > 0 {
		line("lost interrupts", "%s, found by polling", thousands(a.LostInterrupts))
	}
}

func (s *SystemReport) printTime(line printer) {
	if s.OutOfMemory != nil {
		line("  "+s.System, "out of memory")
		return
	}
	per := func(t node.Time) string { return micro(s.per(t)) }
	line("  "+s.System, "%s (%s to %s), bound by %s", per(s.Time), strings.TrimSpace(per(s.Low)), strings.TrimSpace(per(s.High)), s.BoundBy)
	for _, p := range s.Phases {
		if s.per(p.Time) >= node.Microsecond/100 {
			line("    "+p.Label, "%s, %s", per(p.Time), p.BoundBy)
		}
	}
}

func (r *Report) printSpeedUps(line printer) {
	for i, s := range r.SpeedUps {
		if i == 0 || r.SpeedUps[i-1].System != s.System {
			line(fmt.Sprintf("speed-up of %s", s.System), "over %s, by software; a model's, not measured", s.Over)
		}
		line("  "+s.Profile, "%s", s)
	}
}

func (s *SystemReport) printOutcome(line printer) {
	if s.OutOfMemory != nil {
		line(s.System, "out of memory: %s", outOfMemory(s.OutOfMemory))
		return
	}
	if s.Loss == nil {
		line(s.System, "values off, %s parameters", thousands(s.Parameters))
		return
	}
	same := s.Promise
	switch {
	case s.Identical == nil:
	case *s.Identical:
		same = "bit-identical"
	default:
		same = "DIFFERENT: " + s.Difference
	}
	line(s.System, "loss %.6f, %s, %s parameters, %s", *s.Loss, aucText(s.AUC), thousands(s.Parameters), same)
	if e := s.HeldOut; e != nil {
		line("  held out", "%s inputs, log loss %.6f, accuracy %.2f%%, %s", thousands(int64(e.Inputs)), e.LogLoss, 100*e.Accuracy, aucText(e.AUC))
	}
	if s.Check != nil {
		printCheck(line, s.Check)
	}
	if len(s.Evaluations) > 0 {
		printEvaluations(line, s.Evaluations)
	}
}

// outOfMemory leaves out parts that make no difference.
func outOfMemory(o *server.OutOfMemory) string {
	var parts []string
	for _, p := range o.Parts {
		if p.Bytes >= o.Needs/1000 {
			parts = append(parts, fmt.Sprintf("%s for %s", bytes(float64(p.Bytes)), p.What))
		}
	}
	return fmt.Sprintf("%s has %s, but needs %s: %s", o.Where, bytes(float64(o.Has)), bytes(float64(o.Needs)), strings.Join(parts, ", "))
}

func aucText(auc *float64) string {
	if auc == nil {
		return "no AUC, as all labels are the same"
	}
	return fmt.Sprintf("AUC %.4f", *auc)
}

func scaled(t node.Time, factor float64) node.Time { return node.Time(math.Round(float64(t) * factor)) }

// micro prints a time so that those below each other have their points below
// each other.
func micro(t node.Time) string {
	hundredths := (int64(t) + 5000) / 10_000
	return fmt.Sprintf("%7s.%02d us", thousands(hundredths/100), hundredths%100)
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if strings.HasSuffix(thing, "ch") {
		thing += "e"
	}
	return fmt.Sprintf("%s %ss", thousands(int64(n)), thing)
}

// thousands prints n in groups of three digits.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}
