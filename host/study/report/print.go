package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/table"
)

// printer prints a line of a list.
type printer func(label, format string, args ...any)

// Print writes the report for people: the run, tables that compare the systems, and additional
// results of some systems. It returns write errors.
func (r *Report) Print(w io.Writer) error {
	width := table.Width(w)
	all := list(width, r.printRun)
	for _, c := range r.Comparisons() {
		all += c.format(width)
	}
	if more := list(width, r.printMore); more != "" {
		all += "\n" + more
	}
	_, err := io.WriteString(w, all)
	return err
}

// list formats lines of labels and texts.
func list(width int, lines func(printer)) string {
	t := table.Table{Columns: []table.Column{text("label"), text("text")}, Headless: true}
	lines(func(label, format string, args ...any) {
		t.Rows = append(t.Rows, []string{label, fmt.Sprintf(format, args...)})
	})
	return t.Format(width)
}

// printRun prints a description of the run.
func (r *Report) printRun(line printer) {
	servers := ""
	if r.Nodes > 1 {
		servers = fmt.Sprintf(" in each of %d servers", r.Nodes)
	}
	line("configuration", "%s, %s%s, %s", r.Config, format.Plural(r.GPUs, "GPU"), servers, r.Data)
	asked := ""
	if r.Asked > 0 {
		asked = fmt.Sprintf("; %s were asked for, but the data have no more", format.Thousands(int64(r.Asked)))
	}
	line("mini-batches", "%s, %s inputs%s", format.Thousands(int64(r.MiniBatches)), format.Thousands(int64(r.Inputs)), asked)
	if r.Epochs != nil {
		line("epochs", "%v", r.Epochs)
	}
	if r.Resumed > 0 {
		line("resumed", "behind %s", format.Plural(r.Resumed, "mini-batch"))
	}
	if r.Accelerator != nil {
		r.Accelerator.print(line)
	}
}

// printMore prints results of systems that are not in the tables.
func (r *Report) printMore(line printer) {
	for _, s := range r.Systems {
		if s.OutOfMemory != nil {
			line(s.System, "out of memory: %s", outOfMemory(s.OutOfMemory))
		}
		if s.Failure != nil {
			label := s.System
			for _, text := range strings.Split(s.Failure.String(), "\n") {
				line(label, "%s", text)
				label = ""
			}
		}
		if s.Difference != "" {
			line(s.System+": difference", "%s", s.Difference)
		}
		if s.Check != nil {
			printCheck(line, s.System, s.Check)
			if s.Audit != nil && s.Audit.Text != "" {
				line(s.System+": audit", "%s", s.Audit.Text)
			}
		}
		if s.EarlyStop != nil {
			line(s.System+": early stop", "%v", s.EarlyStop)
		}
		if len(s.Evaluations) > 0 && !r.byEpoch() {
			printEvaluations(line, s.System, s.Evaluations)
		}
	}
}

func (a *Accelerator) print(line printer) {
	line("popular share", "%.1f%% of inputs", 100*a.PopularShare)
	line("lookups", "%s, %.2f per cycle", format.Thousands(a.Lookups), a.LookupsPerCycle)
	line("rows gathered", "%s from GPUs, %s from host memory", format.Thousands(a.RowsFromGPUs), format.Thousands(a.RowsFromHost))
	line("rows updated", "%s in host memory", format.Thousands(a.RowsUpdated))
	if a.Cycles > 0 {
		line("accelerator", "engine %s, %s cycles, active in %s", a.Engine, format.Thousands(int64(a.Cycles)), format.Thousands(int64(a.CyclesSimulated)))
	} else {
		line("accelerator", "%s model", a.Engine)
	}
	line("PCIe", "%s bytes from the accelerator, %s to it", format.Thousands(int64(a.PCIeBytesUp)), format.Thousands(int64(a.PCIeBytesDown)))
	if a.LostInterrupts > 0 {
		line("lost interrupts", "%s, found by polling", format.Thousands(a.LostInterrupts))
	}
	for _, f := range fault.Summary(a.Faults) {
		line("faults", "%s", f)
	}
	for _, r := range a.Unused {
		line("faults", "%v: never occurred", r)
	}
	if m := a.Messages; m != nil {
		line("error messages", "%d correctable, %d non-fatal, %d fatal", m.Correctable, m.NonFatal, m.Fatal)
	}
}

// outOfMemory formats the parts that exceed a thousandth of the needed memory.
func outOfMemory(o *server.OutOfMemory) string {
	var parts []string
	for _, p := range o.Parts {
		if p.Bytes >= o.Needs/1000 {
			parts = append(parts, fmt.Sprintf("%s for %s", format.Bytes(float64(p.Bytes)), p.What))
		}
	}
	return fmt.Sprintf("%s has %s, but needs %s: %s", o.Where, format.Bytes(float64(o.Has)), format.Bytes(float64(o.Needs)), strings.Join(parts, ", "))
}

// printEvaluations summarizes evaluations in one line.
func printEvaluations(line printer, system string, all []EvaluationAt) {
	lowest := all[0]
	for _, e := range all {
		if e.LogLoss < lowest.LogLoss {
			lowest = e
		}
	}
	line(system+": over time", "%s, log loss %.6f after %s, lowest %.6f after %s", format.Plural(len(all), "evaluation"),
		all[0].LogLoss, format.Plural(all[0].MiniBatch, "mini-batch"), lowest.LogLoss, format.Plural(lowest.MiniBatch, "mini-batch"))
}
