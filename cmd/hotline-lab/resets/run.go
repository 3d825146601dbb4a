package resets

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/frames"
	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// run is a design with the recorded inputs of a training.
type run struct {
	d      *ir.Design
	format *sim.Format
	in     []uint64 // one frame for each cycle
	out    []uint64 // the outputs of an undisturbed simulation, in the same format
	rules  rule
}

// record trains on a number of mini-batches and records the inputs of at most most cycles.
func record(c *configs.Config, batches, most int) (*run, error) {
	d, err := hw.Elaborate(top.Hotline{Params: *c.Accelerator})
	if err != nil {
		return nil, err
	}
	d.Plain() // designs of its modules must simulate faults
	c.Training.Batches = batches
	clicks, err := experiment.Clicks(c)
	if err != nil {
		return nil, err
	}
	s, err := interp.New(d)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	systems, err := registry.Choose(catalog.Systems(), "hotline")
	if err != nil {
		return nil, err
	}
	if _, err := experiment.Record(context.Background(), experiment.Job{Config: c, Data: clicks, Systems: systems}, s, sim.Hash(d), &file); err != nil {
		return nil, err
	}
	r := &run{d: d, format: sim.NewFormat(sim.PortsOf(d))}
	trace, err := sim.NewTrace(&file, r.format)
	if err != nil {
		return nil, err
	}
	frame := make([]uint64, r.format.InWords)
	for r.cycles() < most {
		if err := trace.Next(frame); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		r.in = append(r.in, frame...)
	}
	return r, nil
}

func (r *run) cycles() int { return len(r.in) / r.format.InWords }

// blocks returns the blocks of the accelerator with the traffic on their ports, by the names of
// their instances in the top module.
func (r *run) blocks() (map[string]*run, error) {
	out := map[string]*run{}
	for _, x := range r.d.Top.Body.Insts {
		used := within(x.Of)
		d := &ir.Design{Top: x.Of}
		for _, m := range r.d.Modules {
			if used[m] {
				d.Modules = append(d.Modules, m)
			}
		}
		out[x.Name] = &run{d: d, format: sim.NewFormat(sim.PortsOf(d)), rules: rules[x.Name]}
	}
	s, err := interp.New(r.d, interp.AllSignals())
	if err != nil {
		return nil, err
	}
	for c := range r.cycles() {
		frame := r.in[c*r.format.InWords:][:r.format.InWords]
		s.SetReset(frame[0] != 0)
		for _, x := range r.format.In {
			s.Set(x.Port, x.Of(frame))
		}
		for name, b := range out {
			if err := b.look(s, name, frame[0]); err != nil {
				return nil, err
			}
		}
		if err := s.Step(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// within returns m and the modules that it instantiates, directly or indirectly.
func within(m *ir.Module) map[*ir.Module]bool {
	used := map[*ir.Module]bool{m: true}
	m.Body.Walk(func(s *ir.Scope) {
		for _, x := range s.Insts {
			maps.Copy(used, within(x.Of))
		}
	})
	return used
}

// look appends the current inputs of an instance.
func (r *run) look(s *interp.Sim, instance string, reset uint64) error {
	frame := make([]uint64, r.format.InWords)
	frame[0] = reset
	for _, x := range r.format.In {
		port := r.format.Ports[x.Port]
		for k := range port.Type.Count() {
			path := instance + "." + port.Name
			if port.Type.IsVec() {
				path += fmt.Sprintf("[%d]", k)
			}
			value, ok := s.Peek(path)
			if !ok {
				return fmt.Errorf("no signal %s", path)
			}
			bv.Insert(x.Of(frame), k*port.Type.Width, value, port.Type.Width)
		}
	}
	r.in = append(r.in, frame...)
	return nil
}

// golden returns the outputs of a simulation from a random state.
func (r *run) golden(in []uint64) ([]uint64, error) {
	s, err := interp.New(r.d)
	if err != nil {
		return nil, err
	}
	sim.PowerUp(s, 0)
	out := make([]uint64, len(in)/r.format.InWords*r.format.OutWords)
	return out, sim.NewBlocks(s).RunBlock(in, out)
}

// differs reports whether the outputs of x differ from golden.
func (r *run) differs(x sim.Batch, in, golden []uint64, p sim.Payload) (bool, error) {
	known := sim.NamedBatch{Name: "golden", Batch: &frames.Outputs{List: r.format.Ports, Frames: golden}}
	report, err := frames.Compare(r.d, frames.Inputs{Frames: in, Words: r.format.InWords}, known, sim.NamedBatch{Name: "mutant", Batch: x}, p)
	return report.First != nil, err
}
