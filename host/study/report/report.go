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
const Schema = "hotline.experiment/1"

// Report is the outcome of a job; docs/reference/json.md tells of its keys. Times are
// picoseconds of simulated time of the whole run; bytes are those on the
// accelerator's link, framing included.
type Report struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`

	Config      string `json:"config"`
	Data        string `json:"data"`
	Source      Source `json:"data_source"`
	Machine     string `json:"machine"`
	Profile     string `json:"profile"`
	GPUs        int    `json:"gpus"`  // in a server
	Nodes       int    `json:"nodes"` // servers
	Seed        uint64 `json:"seed"`
	MiniBatches int    `json:"mini_batches"`
	Asked       int    `json:"asked_mini_batches,omitempty"` // more than the data have
	Inputs      int    `json:"inputs"`
	Resumed     int    `json:"resumed_mini_batches,omitempty"` // that the model was trained on before; all else is of those after
	Values      bool   `json:"values"`                         // there was arithmetic

	Systems     []System     `json:"systems"`
	SpeedUps    []SpeedUp    `json:"speed_ups"`             // over the first system, by profile
	Accelerator *Accelerator `json:"accelerator,omitempty"` // of the first system that has one

	Configuration map[string]any     `json:"configuration"` // all effective values
	Constants     map[string]float64 `json:"constants"`     // of the machine
	Tables        []Table            `json:"tables"`

	// For WriteTrace and WriteHTML: what times depend on, the mini-batches that are
	// drawn, and the timelines of all systems; empty unless they were asked for.
	Trace     *timeline.Timeline   `json:"-"`
	On        *machine.Machine     `json:"-"`
	Software  timing.Profile       `json:"-"`
	Drawn     []Drawn              `json:"-"`
	Timelines []*timeline.Timeline `json:"-"`
}

// System is the outcome of one system.
type System struct {
	System      string               `json:"system"`
	Model       string               `json:"model"`
	GPUs        int                  `json:"gpus"`
	Nodes       int                  `json:"nodes"`
	MiniBatches int                  `json:"mini_batches"`
	Inputs      int                  `json:"inputs"`
	Time        des.Time             `json:"time_ps"`
	Low         des.Time             `json:"time_low_ps"` // a tenth of the draws from the constants' ranges is below
	High        des.Time             `json:"time_high_ps"`
	BoundBy     string               `json:"bound_by"` // the resource with the largest share of what bounds the run
	Phases      []timing.Phase       `json:"phases"`   // add up to the time
	Chain       []timeline.Share     `json:"chain"`    // what bounds the run, by resource; adds up to the time
	Busy        []timeline.Share     `json:"busy"`
	Links       []timing.Link        `json:"links"`  // with what they carried in a server; that of the accelerator with its framing
	Hits        *float64             `json:"hits"`   // lookups of rows that the GPUs held, as a share of all; nil if the system has no cache of rows
	Memory      []server.Use         `json:"memory"` // what is kept: of the host, then of each GPU
	Counts      []train.Count        `json:"counts"`
	Series      []MiniBatch          `json:"series"`
	Loss        *float64             `json:"loss"` // nil without values, as is all below but Parameters
	AUC         *float64             `json:"auc"`
	HeldOut     *train.Evaluation    `json:"held_out,omitempty"`
	Evaluations []EvaluationAt       `json:"evaluations,omitempty"` // in order; the last is HeldOut
	Parameters  int64                `json:"parameters"`
	Promise     string               `json:"promise"`              // what the parameters are: sequential, own order, approximate
	Identical   *bool                `json:"parameters_identical"` // to those of the first system that promises sequential training; null if this one does not
	Difference  string               `json:"difference,omitempty"`
	Check       *consistency.Summary `json:"check,omitempty"` // what a watch has found; nil if nobody checked
	// OutOfMemory is what did not fit into the simulated machine, so that there is
	// nothing else to tell; nil if all did.
	OutOfMemory *server.OutOfMemory `json:"out_of_memory,omitempty"`
	// Failure is why a system has no result for another reason; nil if it has one.
	Failure *Failure `json:"failure,omitempty"`
}

// Kinds of failures.
const (
	Diverged   = "diverged"    // the training left the numbers
	NotTrained = "not trained" // the system needs something that it does not have
	Failed     = "failed"      // anything else, such as a device that does not answer
)

// Failure is why a system has no result.
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

// missing returns in a few words why a system has no result, or nothing if it has one.
func (s *System) missing() string {
	switch {
	case s.OutOfMemory != nil:
		return "out of memory"
	case s.Failure != nil:
		return s.Failure.Kind
	}
	return ""
}

// Err returns why systems failed, with the name of each; nil if none did. A system that needs more memory than the machine has is
// a result.
func (r *Report) Err() error {
	var errs []error
	for _, s := range r.Systems {
		if s.Failure != nil {
			errs = append(errs, fmt.Errorf("%s: %v", s.System, s.Failure))
		}
	}
	return errors.Join(errs...)
}

// Accelerator is what the accelerator did.
type Accelerator struct {
	Engine          string  `json:"engine"`
	Level           string  `json:"level,omitempty"` // of a compiled model
	PopularShare    float64 `json:"popular_share"`
	Lookups         int64   `json:"lookups"` // in classification
	LookupsPerCycle float64 `json:"lookups_per_cycle"`
	RowsFromGPUs    int64   `json:"rows_from_gpus"`
	RowsFromHost    int64   `json:"rows_from_host"`
	RowsUpdated     int64   `json:"rows_updated"`
	Cycles          uint64  `json:"cycles,omitempty"`           // of its clock, if cycles are simulated
	CyclesSimulated uint64  `json:"cycles_simulated,omitempty"` // in which something happened
	PCIeBytesUp     uint64  `json:"pcie_bytes_up"`              // from the accelerator
	PCIeBytesDown   uint64  `json:"pcie_bytes_down"`
	LostInterrupts  int64   `json:"lost_interrupts"` // completions that the driver found by polling

	Counters Counters `json:"counters"` // of the hardware, at the end

	Faults   []fault.Event   `json:"faults,omitempty"`   // that were made to happen, in order
	Messages *fault.Messages `json:"messages,omitempty"` // about them; nil if none were
}

// Counters are the performance counters of an accelerator (docs/reference/accelerator.md), of 32 bits but for
// bytes, which have 64.
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
	MostReads    uint32 `json:"most_reads"` // in flight at once
	BytesRead    uint64 `json:"bytes_read"`
	BytesWritten uint64 `json:"bytes_written"`
}

// Source is where the clicks of a run come from.
type Source struct {
	Kind string `json:"kind"`           // "generated", or the format of a file
	Path string `json:"path,omitempty"` // of the file
}

// Table is an embedding table.
type Table struct {
	Name    string `json:"name"`
	Rows    int    `json:"rows"`
	Lookups int    `json:"lookups"` // per input
}

// Identical tells whether all systems have the same parameters.
func (r *Report) Identical() bool { return r.Difference() == "" }

// Trained reports whether there is a system that was trained.
func (r *Report) Trained() bool {
	return slices.ContainsFunc(r.Systems, func(s System) bool { return s.missing() == "" })
}

// Difference is the first between the parameters of two systems, empty if there
// is none.
func (r *Report) Difference() string {
	for _, s := range r.Systems {
		if s.Identical != nil && !*s.Identical {
			return s.Difference
		}
	}
	return ""
}

// Generated is the kind of clicks that a configuration describes.
const Generated = "generated"

// Ratio is a/b, 0 if b is.
func Ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
