package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// Kinds of stimulus.
const (
	random   = "random"
	recorded = "recorded"
)

// inputs returns a stimulus and the number of cycles to run.
func (f verifyFlags) inputs(ctx context.Context, log io.Writer, kind, engine string, d *ir.Design, cfg *configs.Config) (sim.Stimulus, uint64, error) {
	format := sim.NewFormat(sim.PortsOf(d))
	if kind == random {
		return until{ctx, sim.Random(format, f.seed)}, f.cycles, nil
	}
	fmt.Fprintf(log, "%s: co-simulating two mini-batches\n", kind)
	trace, cycles, err := record(ctx, engine, d, cfg)
	if err != nil {
		return nil, 0, err
	}
	s, err := sim.NewTrace(bytes.NewReader(trace), format)
	return until{ctx, s}, min(f.cycles, cycles), err
}

// until is a stimulus that fails once the context has ended.
type until struct {
	ctx context.Context
	sim.Stimulus
}

// Next implements sim.Stimulus.
func (u until) Next(frame []uint64) error {
	if u.ctx.Err() != nil {
		return context.Cause(u.ctx)
	}
	return u.Stimulus.Next(frame)
}

// record returns the trace of a short co-simulation, and its length in cycles.
func record(ctx context.Context, engine string, d *ir.Design, cfg *configs.Config) ([]byte, uint64, error) {
	cfg.Training.Batches = 2
	clicks, err := experiment.Clicks(cfg)
	if err != nil {
		return nil, 0, usage(err)
	}
	if err := errors.Join(experiment.Check(cfg, clicks, bitIdentical()), experiment.Job{Config: cfg, Data: clicks, Systems: bitIdentical()}.CheckMemory(memory())); err != nil {
		return nil, 0, usage(err)
	}
	s, err := simulator(engine, d, nil)
	if err != nil {
		return nil, 0, err
	}
	var trace bytes.Buffer
	report, err := experiment.Record(ctx, experiment.Job{Config: cfg, Data: clicks, Systems: bitIdentical()}, s, sim.Hash(d), &trace)
	if err != nil {
		return nil, 0, err
	}
	return trace.Bytes(), report.Accelerator.CyclesSimulated, nil
}
