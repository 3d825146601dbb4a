package experiment

import (
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

func (r *run) report() (*report.Report, error) {
	j, t := r.Job, r.Config.Training
	out := &report.Report{
		Schema: report.Schema, Version: j.Version, Source: j.Source, Configuration: j.Config.Values(), Constants: map[string]float64{}, Tables: tables(r.model), TableBytes: 4 * int64(r.model.Rows()) * int64(r.model.Dim),
		Config: j.Config.Name, Data: j.Data.Name(), Machine: j.Config.Machine().Name, Profile: j.Config.Profile().Name,
		GPUs: t.GPUs, Nodes: t.Nodes, Seed: t.Seed, Values: !j.Valueless, SpeedUps: []report.SpeedUp{},
	}
	fitting := r.fitting()
	if len(fitting) > 0 {
		out.Inputs = fitting[0].result.Inputs
		out.MiniBatches = r.batchesOf(out.Inputs)
	}
	out.Resumed, _ = r.before()
	if asked := t.MiniBatches(); len(fitting) > 0 && fitting[0].earlyStop == nil && out.Resumed+out.MiniBatches < asked {
		out.Asked = asked
	}
	if t.Epochs > 1 || t.Shuffle > 0 {
		out.Epochs = &report.Epochs{Number: t.Epochs, Inputs: r.sets.epoch, Shuffle: t.Shuffle}
	}
	for _, t := range r.trained {
		s, err := r.systemReport(t)
		if err != nil {
			return nil, err
		}
		out.Systems = append(out.Systems, s)
		if out.Accelerator == nil {
			if out.Accelerator, err = t.accelerator(j.Accelerator); err != nil {
				return nil, err
			}
		}
	}
	out.On, out.Software = j.Config.Machine(), j.Config.Profile()
	for _, c := range out.On.Constants() {
		out.Constants[c.Name] = c.Value
	}
	if out.Source.Kind == "" {
		out.Source.Kind = report.Generated
	} else {
		delete(out.Configuration, "data")
		batches := out.MiniBatches
		if t.Epochs > 1 {
			batches = r.batchesOf(int(r.sets.epoch))
		}
		out.Configuration["training"].(map[string]any)["batches"] = batches
	}
	out.Trace = timeline.New()
	if len(fitting) == 0 {
		return out, nil
	}
	var err error
	if out.SpeedUps, err = r.speedUps(); err != nil {
		return nil, err
	}
	if j.Trace {
		if out.Trace, err = r.trace(fitting[len(fitting)-1]); err != nil {
			return nil, err
		}
	}
	if j.HTML {
		err = r.draw(out)
	}
	return out, err
}

func (r *run) systemReport(t *trained) (report.System, error) {
	x := t.result
	s := report.System{
		System: t.Name, Promise: t.Guarantee.String(), Model: r.model.Name, GPUs: r.Config.Training.GPUs, Nodes: r.Config.Training.Nodes, MiniBatches: x.MiniBatches, Inputs: x.Inputs,
		Counts: list(x.Counts), Series: t.series, AUC: x.AUC, Parameters: t.parameters, OutOfMemory: t.noRoom, Failure: t.outcome(), Memory: []server.Use{},
	}
	if t.server != nil {
		s.Memory = t.server.Uses()
	}
	if !t.fits() {
		s.Links, s.Parameters, s.Series, s.Phases, s.Chain, s.Busy = []timing.Link{}, x.Parameters, series{}, []timing.Phase{}, []timeline.Share{}, []timeline.Share{}
		return s, nil
	}
	s.Hits = t.series.hits(r.model.Lookups())
	s.Idle = t.Idle(x)
	if !r.Valueless {
		s.Loss = &x.Loss
	}
	if same := t.difference == nil; !r.Valueless && t.Guarantee == registry.Sequential {
		s.Identical = &same
	}
	if t.watch != nil {
		check := t.watch.Summary()
		s.Check = &check
		var err error
		if s.Audit, err = r.audited(t); err != nil {
			return s, err
		}
	}
	s.EarlyStop = t.earlyStop
	setEvaluations(&s, t.evaluations, r.EvaluateEvery > 0 || r.Config.Training.Epochs > 1)
	if t.difference != nil {
		s.Difference, s.Parameters = t.difference.Error(), x.Parameters
	}
	return s, r.timed(t, &s)
}

func tables(model dlrm.Config) []report.Table {
	var out []report.Table
	for _, t := range model.Tables {
		out = append(out, report.Table(t))
	}
	return out
}

// list returns a copy that is not nil, so that it is not encoded as null in JSON.
func list[T any](s []T) []T { return append([]T{}, s...) }
