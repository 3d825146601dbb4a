package external

import (
	"errors"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/extern"
)

// Model runs the compiled model of d (sim/compiled) in a child process. It builds in dir, or in the
// user's cache directory if dir is empty. It is for programs that do not import a model, such as
// tests. It ignores failed assertions. Models of external modules run in this process.
func Model(d *ir.Design, dir string) (Engine, error) { return ModelAt(d, dir, model.Best) }

// ModelAt works like Model, at a level that this processor supports.
func ModelAt(d *ir.Design, dir string, level model.Level) (Engine, error) {
	lowered, _ := drivers.Lower(d)
	f, _ := netlist.Flatten(lowered) // the build reports the problems
	made, err := compiled.Build(d, "github.com/hotline-rtl/hotline/sim/external/serve", dir)
	if err != nil {
		return nil, err
	}
	p, err := start("model", &source{design: d, format: sim.NewFormat(sim.FlatPorts(f))}, binaryCodec{}, made.Path, ir.Hash(d), level.String())
	if err != nil || !d.HasExterns() {
		return p, err
	}
	s, err := extern.Wrap(d, p)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return &hosted{Simulator: s, Blocks: sim.NewBlocks(s), p: p}, nil
}

// Engine is a simulator in a child process.
type Engine interface {
	sim.Simulator
	sim.Batch
	sim.Writable
}

// hosted combines a compiled model with the models of external modules.
type hosted struct {
	*extern.Simulator
	*sim.Blocks
	p *Process
}

// Ports implements sim.Simulator and sim.Batch.
func (h *hosted) Ports() []sim.Port { return h.Simulator.Ports() }

// State implements sim.Writable.
func (h *hosted) State() []sim.State { return h.p.State() }

// Write implements sim.Writable.
func (h *hosted) Write(i, word int, value []uint64) { h.p.Write(i, word, value) }

// Close implements sim.Simulator and sim.Batch.
func (h *hosted) Close() error { return h.p.Close() }
