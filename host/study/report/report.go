package report

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Schema names the keys of a report in JSON. Keys are added without a change of
// it; it changes when one goes or gets another meaning.
const Schema = "hotline.experiment/2"

// Report is the result of a job; docs/reference/json.md documents its keys. Times are picoseconds
// of simulated time of the whole run. Bytes are bytes on the accelerator's link, including framing.
type Report struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`

	Config      string  `json:"config"`
	Data        string  `json:"data"`
	Source      Source  `json:"data_source"`
	Machine     string  `json:"machine"`
	Profile     string  `json:"profile"`
	GPUs        int     `json:"gpus"`  // in each server
	Nodes       int     `json:"nodes"` // number of servers
	Seed        uint64  `json:"seed"`
	MiniBatches int     `json:"mini_batches"`
	Asked       int     `json:"asked_mini_batches,omitempty"` // requested mini-batches, if the data have fewer
	Inputs      int     `json:"inputs"`
	Resumed     int     `json:"resumed_mini_batches,omitempty"` // mini-batches on which the model was trained before; everything else refers to the mini-batches after them
	Values      bool    `json:"values"`                         // the run computed values
	Epochs      *Epochs `json:"epochs,omitempty"`               // nil for one pass in the order of the data

	Systems     []System     `json:"systems"`
	SpeedUps    []SpeedUp    `json:"speed_ups"`             // over the first system, by profile
	Accelerator *Accelerator `json:"accelerator,omitempty"` // activity in the first system that has an accelerator

	Configuration map[string]any     `json:"configuration"` // all effective values
	Constants     map[string]float64 `json:"constants"`     // constants of the machine
	Tables        []Table            `json:"tables"`
	TableBytes    int64              `json:"table_bytes"` // of the values of all tables

	// For WriteTrace and WriteHTML: the machine and the software, the numbers of the plotted
	// mini-batches, and the timelines. The timelines are empty unless the job requested them.
	Trace     *timeline.Timeline   `json:"-"`
	On        *machine.Machine     `json:"-"`
	Software  timing.Profile       `json:"-"`
	Drawn     []Drawn              `json:"-"`
	Timelines []*timeline.Timeline `json:"-"`
}

// System is the result of one system.
type System struct {
	System      string               `json:"system"`
	Model       string               `json:"model"`
	GPUs        int                  `json:"gpus"`
	Nodes       int                  `json:"nodes"`
	MiniBatches int                  `json:"mini_batches"`
	Inputs      int                  `json:"inputs"`
	Time        des.Time             `json:"time_ps"`
	Low         des.Time             `json:"time_low_ps"` // 10th and 90th percentile of the time when the constants are sampled from their ranges
	High        des.Time             `json:"time_high_ps"`
	BoundBy     string               `json:"bound_by"` // the resource with the largest share of the critical path
	Phases      []timing.Phase       `json:"phases"`   // add up to the time
	Chain       []timeline.Share     `json:"chain"`    // critical path by resource; adds up to the time
	Busy        []timeline.Share     `json:"busy"`
	Links       []timing.Link        `json:"links"`  // bytes on each link of a server; the accelerator's link includes framing
	Hits        *float64             `json:"hits"`   // share of the lookups whose rows were on the GPUs; nil if the system has no cache of rows
	Memory      []server.Use         `json:"memory"` // memory in use: of the host, then of each GPU
	Counts      []train.Count        `json:"counts"`
	Idle        string               `json:"idle,omitempty"` // mechanisms of the system that this training did not exercise, with the reason
	Series      []MiniBatch          `json:"series"`
	Loss        *float64             `json:"loss"` // nil without values, like all following fields except Parameters
	AUC         *float64             `json:"auc"`
	HeldOut     *train.Evaluation    `json:"held_out,omitempty"`
	Evaluations []EvaluationAt       `json:"evaluations,omitempty"` // in order; the last is HeldOut
	EarlyStop   *EarlyStop           `json:"early_stop,omitempty"`  // nil if the training did not stop early
	Parameters  int64                `json:"parameters"`
	Promise     string               `json:"promise"`              // guarantee for the parameters: sequential, own order, approximate
	Identical   *bool                `json:"parameters_identical"` // whether the parameters equal the parameters of the first system that guarantees sequential training; null if this system does not
	Difference  string               `json:"difference,omitempty"`
	Check       *consistency.Summary `json:"check,omitempty"` // findings of the consistency checker; nil without checks
	Audit       *Audit               `json:"audit,omitempty"` // outcome of the audit of time; nil without checks
	// OutOfMemory is the allocation that did not fit into the simulated machine; the system has no
	// other results then. It is nil if everything fitted.
	OutOfMemory *server.OutOfMemory `json:"out_of_memory,omitempty"`
	// Failure is any other reason for which a system has no result, or nil.
	Failure *Failure `json:"failure,omitempty"`
}

// Kinds of failures.
const (
	Diverged   = "diverged"    // the training produced infinite or NaN values
	NotTrained = "not trained" // a requirement of the system is not met
	Failed     = "failed"      // any other failure, such as a device that does not respond
)

// Failure is the reason for which a system has no result.
type Failure struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

func (f *Failure) String() string {
	if f.Kind == Diverged {
		return f.Kind + " " + f.Text
	}
	return f.Kind + ": " + f.Text
}

// missing returns a short reason for which the system has no result, or an empty string if it has
// one.
func (s *System) missing() string {
	switch {
	case s.OutOfMemory != nil:
		return "out of memory"
	case s.Failure != nil:
		return s.Failure.Kind
	}
	return ""
}

// Err returns the failures of all systems with their names, or nil. A system that needs more memory
// than the machine has is a result and not a failure.
func (r *Report) Err() error {
	var errs []error
	for _, s := range r.Systems {
		if s.Failure != nil {
			errs = append(errs, fmt.Errorf("%s: %v", s.System, s.Failure))
		}
	}
	return errors.Join(errs...)
}

// Accelerator contains the activity of the accelerator.
type Accelerator struct {
	Engine          string  `json:"engine"`
	Level           string  `json:"level,omitempty"` // instruction set of a compiled model
	PopularShare    float64 `json:"popular_share"`
	Lookups         int64   `json:"lookups"` // in classification
	LookupsPerCycle float64 `json:"lookups_per_cycle"`
	RowsFromGPUs    int64   `json:"rows_from_gpus"`
	RowsFromHost    int64   `json:"rows_from_host"`
	RowsUpdated     int64   `json:"rows_updated"`
	Cycles          uint64  `json:"cycles,omitempty"`           // clock cycles, if cycles are simulated
	CyclesSimulated uint64  `json:"cycles_simulated,omitempty"` // cycles that were not idle
	PCIeBytesUp     uint64  `json:"pcie_bytes_up"`              // from the accelerator
	PCIeBytesDown   uint64  `json:"pcie_bytes_down"`
	LostInterrupts  int64   `json:"lost_interrupts"` // completions that the driver found by polling

	Counters Counters `json:"counters"` // readings of the hardware counters at the end

	Faults   []fault.Event   `json:"faults,omitempty"`        // injected faults, in order
	Unused   []fault.Rule    `json:"faults_unused,omitempty"` // rules whose fault never occurred
	Messages *fault.Messages `json:"messages,omitempty"`      // error messages about the faults; nil without fault injection
}

// Counters contains the performance counters of an accelerator (docs/reference/accelerator.md).
// They have 32 bits, except for the counts of bytes, which have 64.
type Counters struct {
	Lookups      uint32 `json:"lookups"`
	CacheHits    uint32 `json:"cache_hits"`
	HotLookups   uint32 `json:"hot_lookups"`
	LookupCycles uint32 `json:"lookup_cycles"`
	LearnCycles  uint32 `json:"learn_cycles"`
	Conflicts    uint32 `json:"conflicts"`
	WindowStalls uint32 `json:"window_stalls"`
	QueueStalls  uint32 `json:"queue_stalls"`
	RowsRead     uint32 `json:"rows_read"`
	RowsWritten  uint32 `json:"rows_written"`
	LateRows     uint32 `json:"late_rows"`
	TagStalls    uint32 `json:"tag_stalls"`
	WriteStalls  uint32 `json:"write_stalls"`
	MostReads    uint32 `json:"most_reads"` // maximum number of concurrent reads
	BytesRead    uint64 `json:"bytes_read"`
	BytesWritten uint64 `json:"bytes_written"`
}

// Source identifies the source of the samples of a run.
type Source struct {
	Kind string `json:"kind"`           // "generated", or the format of a file
	Path string `json:"path,omitempty"` // path of the file
}

// Table is an embedding table.
type Table struct {
	Name    string `json:"name"`
	Rows    int    `json:"rows"`
	Lookups int    `json:"lookups"` // lookups of an input
}

// Identical reports whether all systems that guarantee sequential training have the same
// parameters.
func (r *Report) Identical() bool { return r.Difference() == "" }

// Trained reports whether at least one system was trained.
func (r *Report) Trained() bool {
	return slices.ContainsFunc(r.Systems, func(s System) bool { return s.missing() == "" })
}

// Difference returns the first difference between the parameters of two systems, or an empty
// string.
func (r *Report) Difference() string {
	for _, s := range r.Systems {
		if s.Identical != nil && !*s.Identical {
			return s.Difference
		}
	}
	return ""
}

// Generated is the kind of samples that a configuration describes.
const Generated = "generated"

// Ratio returns a/b, or 0 if b is 0.
func Ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
