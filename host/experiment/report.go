package experiment

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/node/timeline"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/shadow"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Schema names the keys of a report in JSON. Keys are added without a change of
// it; it changes when one goes or gets another meaning.
const Schema = "hotline.experiment/1"

// Report is the outcome of a job; docs/json.md tells of its keys. Times are
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
	Inputs      int    `json:"inputs"`
	Resumed     int    `json:"resumed_mini_batches,omitempty"` // that the model was trained on before; all else is of those after
	Values      bool   `json:"values"`                         // there was arithmetic

	Systems     []SystemReport     `json:"systems"`
	SpeedUps    []SpeedUp          `json:"speed_ups"`             // over the first system, by profile
	Accelerator *AcceleratorReport `json:"accelerator,omitempty"` // of the first system that has one

	Configuration map[string]any     `json:"configuration"` // all effective values
	Constants     map[string]float64 `json:"constants"`     // of the machine
	Tables        []Table            `json:"tables"`

	trace *timeline.Timeline

	// For WriteHTML: what times depend on, the mini-batches that it draws, and the
	// timelines of all systems.
	machine   *machine.Machine
	software  timing.Profile
	drawn     []drawn
	timelines []*timeline.Timeline
}

// SystemReport is the outcome of one system.
type SystemReport struct {
	System      string            `json:"system"`
	Model       string            `json:"model"`
	GPUs        int               `json:"gpus"`
	Nodes       int               `json:"nodes"`
	MiniBatches int               `json:"mini_batches"`
	Inputs      int               `json:"inputs"`
	Time        node.Time         `json:"time_ps"`
	Low         node.Time         `json:"time_low_ps"` // a tenth of the draws from the constants' ranges is below
	High        node.Time         `json:"time_high_ps"`
	BoundBy     string            `json:"bound_by"` // the resource with the largest share of what bounds the run
	Phases      []timing.Phase    `json:"phases"`   // add up to the time
	Chain       []timeline.Share  `json:"chain"`    // what bounds the run, by resource; adds up to the time
	Busy        []timeline.Share  `json:"busy"`
	Counts      []train.Count     `json:"counts"`
	Series      []MiniBatch       `json:"series"`
	Loss        *float64          `json:"loss"` // nil without values, as is all below but Parameters
	AUC         *float64          `json:"auc"`
	HeldOut     *train.Evaluation `json:"held_out,omitempty"`
	Evaluations []EvaluationAt    `json:"evaluations,omitempty"` // in order; the last is HeldOut
	Parameters  int64             `json:"parameters"`
	Promise     string            `json:"promise"`              // what the parameters are: sequential, own order, approximate
	Identical   *bool             `json:"parameters_identical"` // to those of the first system that promises sequential training; null if this one does not
	Difference  string            `json:"difference,omitempty"`
	Check       *shadow.Summary   `json:"check,omitempty"` // what a watch has found; nil if nobody checked
	// OutOfMemory is what did not fit into the simulated machine, so that there is
	// nothing else to tell; nil if all did.
	OutOfMemory *server.OutOfMemory `json:"out_of_memory,omitempty"`
}

// AcceleratorReport is what the accelerator did.
type AcceleratorReport struct {
	Engine          string  `json:"engine"`
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

// Identical tells whether all systems have the same parameters.
func (r *Report) Identical() bool { return r.Difference() == "" }

// Trained tells whether there is a system that fits the machine.
func (r *Report) Trained() bool {
	return slices.ContainsFunc(r.Systems, func(s SystemReport) bool { return s.OutOfMemory == nil })
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

func (r *run) report() (*Report, error) {
	j, t := r.Job, r.Config.Training
	out := &Report{
		Schema: Schema, Version: j.Version, Source: j.Source, Configuration: j.Config.Values(), Constants: map[string]float64{}, Tables: tables(r.model),
		Config: j.Config.Name, Data: j.Data.Name(), Machine: j.Config.Machine().Name, Profile: j.Config.Profile().Name,
		GPUs: t.GPUs, Nodes: t.Nodes, Seed: t.Seed, Values: !j.Valueless, SpeedUps: []SpeedUp{},
	}
	fitting := r.fitting()
	if len(fitting) > 0 {
		out.Inputs = fitting[0].result.Inputs
		out.MiniBatches = r.batchesOf(out.Inputs)
	}
	out.Resumed, _ = r.before()
	for _, t := range r.trained {
		s, err := r.systemReport(t)
		if err != nil {
			return nil, err
		}
		out.Systems = append(out.Systems, s)
		if out.Accelerator == nil {
			if out.Accelerator, err = t.accelerator(j.Accelerator.Name); err != nil {
				return nil, err
			}
		}
	}
	out.machine, out.software = j.Config.Machine(), j.Config.Profile()
	for _, c := range out.machine.Constants() {
		out.Constants[c.Name] = c.Value
	}
	if out.Source.Kind == "" {
		out.Source.Kind = generated
	} else {
		delete(out.Configuration, "data")
		out.Configuration["training"].(map[string]any)["batches"] = out.MiniBatches
	}
	out.trace = timeline.New()
	if len(fitting) == 0 {
		return out, nil
	}
	var err error
	if out.SpeedUps, err = r.speedUps(); err != nil {
		return nil, err
	}
	if j.Trace {
		if out.trace, err = r.trace(fitting[len(fitting)-1]); err != nil {
			return nil, err
		}
	}
	if j.HTML {
		err = r.draw(out)
	}
	return out, err
}

func (r *run) systemReport(t *trained) (SystemReport, error) {
	x := t.result
	s := SystemReport{
		System: t.Name, Promise: t.Promise.String(), Model: r.model.Name, GPUs: r.Config.Training.GPUs, Nodes: r.Config.Training.Nodes, MiniBatches: x.MiniBatches, Inputs: x.Inputs,
		Counts: list(x.Counts), Series: t.series, AUC: x.AUC, Parameters: t.parameters, OutOfMemory: t.noRoom,
	}
	if s.OutOfMemory != nil {
		s.Parameters, s.Series, s.Phases, s.Chain, s.Busy = x.Parameters, series{}, []timing.Phase{}, []timeline.Share{}, []timeline.Share{}
		return s, nil
	}
	if !r.Valueless {
		s.Loss = &x.Loss
	}
	if same := t.difference == nil; !r.Valueless && t.Promise == Sequential {
		s.Identical = &same
	}
	if t.watch != nil {
		check := t.watch.Summary()
		s.Check = &check
	}
	s.setEvaluations(t.evaluations, r.EvaluateEvery > 0)
	if t.difference != nil {
		s.Difference, s.Parameters = t.difference.Error(), x.Parameters
	}
	return s, r.times(t, &s)
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

func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
