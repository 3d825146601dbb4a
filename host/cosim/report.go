package cosim

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
)

// Schema names the keys of a report in JSON. Keys are added without a change of
// it; it changes when one goes or gets another meaning.
const Schema = "hotline.cosim/1"

// Report is the outcome of a job; docs/json.md tells of its keys. Times are
// picoseconds of simulated time, per mini-batch; bytes are those on the
// accelerator's link, framing included.
type Report struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`

	Engine      string `json:"engine"`
	Config      string `json:"config"`
	Data        string `json:"data"`
	GPUs        int    `json:"gpus"`
	Seed        uint64 `json:"seed"`
	MiniBatches int    `json:"mini_batches"`
	Inputs      int    `json:"inputs"`
	Source      Source `json:"data_source"`

	PopularShare    float64 `json:"popular_share"`
	Lookups         int64   `json:"lookups"` // in classification
	LookupsPerCycle float64 `json:"lookups_per_cycle"`
	RowsFromGPUs    int64   `json:"rows_from_gpus"`
	RowsFromHost    int64   `json:"rows_from_host"`
	RowsUpdated     int64   `json:"rows_updated"`

	Cycles          uint64 `json:"cycles"`           // of the accelerator's clock
	CyclesSimulated uint64 `json:"cycles_simulated"` // in which something happened
	PCIeBytesUp     uint64 `json:"pcie_bytes_up"`    // from the accelerator
	PCIeBytesDown   uint64 `json:"pcie_bytes_down"`
	LostInterrupts  int64  `json:"lost_interrupts"` // completions that the driver found by polling

	TimeBaseline      node.Time    `json:"time_ps_baseline"`
	TimeHotline       node.Time    `json:"time_ps_hotline"`
	BreakdownBaseline []train.Part `json:"breakdown_baseline"`
	BreakdownHotline  []train.Part `json:"breakdown_hotline"`

	TimeModel      TimeModel     `json:"time_model"`
	BusyBaseline   []train.Usage `json:"busy_baseline"` // in the whole run
	BusyHotline    []train.Usage `json:"busy_hotline"`
	CountsBaseline []train.Count `json:"counts_baseline"`
	CountsHotline  []train.Count `json:"counts_hotline"`
	SeriesBaseline []MiniBatch   `json:"series_baseline"`
	SeriesHotline  []MiniBatch   `json:"series_hotline"`

	Configuration map[string]any `json:"configuration"` // all effective values
	Tables        []Table        `json:"tables"`

	Loss                float64  `json:"loss"`
	AUC                 *float64 `json:"auc"`
	Parameters          int64    `json:"parameters"`
	ParametersIdentical bool     `json:"parameters_identical"`
	Difference          string   `json:"difference,omitempty"`
}

// Source is where the clicks of a run come from.
type Source struct {
	Kind string `json:"kind"`           // "generated", or the format of a file
	Path string `json:"path,omitempty"` // of the file
}

// generated is the kind of clicks that the configuration describes.
const generated = "generated"

// Table is an embedding table.
type Table struct {
	Name    string `json:"name"`
	Rows    int    `json:"rows"`
	Lookups int    `json:"lookups"` // per input
}

func (r *run) report(base, hot train.Result, acc *accelerated, counters driver.Counters, parameters int64, difference error) *Report {
	j := r.Job
	traffic := acc.server.Traffic()
	lookups := hot.Count(hotline.CountLookups)
	out := &Report{
		Schema: Schema, Version: j.Version, Source: j.Source, Configuration: j.Config.Values(), Tables: tables(r.model),
		TimeModel: r.timeModel(base, hot), BusyBaseline: list(base.Busy), BusyHotline: list(hot.Busy),
		CountsBaseline: list(base.Counts), CountsHotline: list(hot.Counts), SeriesBaseline: r.baseline, SeriesHotline: r.hotline,
		Engine: j.Engine, Config: j.Config.Name, Data: j.Data.Name, GPUs: j.Config.Training.GPUs, Seed: j.Config.Training.Seed,
		MiniBatches: hot.MiniBatches, Inputs: hot.Inputs,
		PopularShare: ratio(hot.Count(hotline.CountPopular), hot.Count(hotline.CountInputs)),
		Lookups:      lookups, LookupsPerCycle: ratio(lookups, int64(counters.LookupCycles)),
		RowsFromGPUs: hot.Count(hotline.CountHotRows), RowsFromHost: hot.Count(hotline.CountColdRows), RowsUpdated: hot.Count(hotline.CountUpdated),
		Cycles: acc.card.Cycles(), CyclesSimulated: acc.card.Simulated(),
		PCIeBytesUp: traffic.FromCard.WireBytes, PCIeBytesDown: traffic.ToCard.WireBytes,
		LostInterrupts: hot.Count(hotline.CountLost),
		TimeBaseline:   base.PerBatch, TimeHotline: hot.PerBatch,
		BreakdownBaseline: perBatch(base), BreakdownHotline: perBatch(hot),
		Loss: hot.Loss, AUC: hot.AUC, Parameters: parameters, ParametersIdentical: difference == nil,
	}
	if out.Source.Kind == "" {
		out.Source.Kind = generated
	} else {
		delete(out.Configuration, "data")
		out.Configuration["training"].(map[string]any)["batches"] = hot.MiniBatches
	}
	if difference != nil {
		out.Difference, out.Parameters = difference.Error(), base.Parameters
	}
	return out
}

func tables(model rec.Config) []Table {
	var out []Table
	for _, t := range model.Tables {
		out = append(out, Table(t))
	}
	return out
}

// list is never null in JSON.
func list[T any](s []T) []T { return append([]T{}, s...) }

// perBatch is the breakdown of the mean mini-batch.
func perBatch(r train.Result) []train.Part {
	var out []train.Part
	for _, p := range r.Breakdown {
		if p.Time > 0 {
			out = append(out, train.Part{Label: p.Label, Time: p.Time / node.Time(r.MiniBatches)})
		}
	}
	return out
}

func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// printer prints a line of the table.
type printer func(label, format string, args ...any)

// Print writes the report as a table for people.
// The error is one of writing.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(label, format string, args ...any) {
		fmt.Fprintf(t, "%s\t%s\n", label, fmt.Sprintf(format, args...))
	}
	line("configuration", "%s, %s, %s, engine %s", r.Config, plural(r.GPUs, "GPU"), r.Data, r.Engine)
	line("mini-batches", "%d, %s inputs", r.MiniBatches, thousands(int64(r.Inputs)))
	line("popular share", "%.1f%% of inputs", 100*r.PopularShare)
	line("lookups", "%s, %.2f per cycle", thousands(r.Lookups), r.LookupsPerCycle)
	line("rows gathered", "%s from GPUs, %s from host memory", thousands(r.RowsFromGPUs), thousands(r.RowsFromHost))
	line("rows updated", "%s in host memory", thousands(r.RowsUpdated))
	line("accelerator", "%s cycles, active in %s", thousands(int64(r.Cycles)), thousands(int64(r.CyclesSimulated)))
	line("PCIe", "%s bytes from the accelerator, %s to it", thousands(int64(r.PCIeBytesUp)), thousands(int64(r.PCIeBytesDown)))
	if r.LostInterrupts > 0 {
		line("lost interrupts", "%s, found by polling", thousands(r.LostInterrupts))
	}
	line("baseline, per mini-batch", "%s", micro(r.TimeBaseline))
	breakdown(line, r.BreakdownBaseline)
	line("Hotline, per mini-batch", "%s", micro(r.TimeHotline))
	breakdown(line, r.BreakdownHotline)
	r.TimeModel.print(line)
	line("loss", "%.6f", r.Loss)
	if r.AUC != nil {
		line("AUC", "%.4f", *r.AUC)
	} else {
		line("AUC", "none: all labels are the same")
	}
	line("parameters", "%s", thousands(r.Parameters))
	if r.ParametersIdentical {
		line("parameters bit-identical", "yes")
	} else {
		line("parameters bit-identical", "NO: %s", r.Difference)
	}
	return t.Flush()
}

func breakdown(line printer, list []train.Part) {
	for _, p := range list {
		line("  "+p.Label, "%s", micro(p.Time))
	}
}

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
