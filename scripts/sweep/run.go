package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/cosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// run is an accelerator with the inputs of a recorded training run.
type run struct {
	d      *ir.Design
	format *sim.Format
	in     []uint64 // a frame for each cycle
}

// record trains for some mini-batches and keeps the traffic, of most cycles at most.
func record(c *configs.Config, batches, most int) (*run, error) {
	d, err := hw.Elaborate(top.Hotline{Params: *c.Accelerator})
	if err != nil {
		return nil, err
	}
	c.Training.Batches = batches
	set, err := cosim.Clicks(c)
	if err != nil {
		return nil, err
	}
	s, err := interp.New(d)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if _, err := cosim.Record(cosim.Job{Config: c, Data: set, Sim: s, Engine: "interp"}, sim.Hash(d), &file); err != nil {
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

// stimulus gives the inputs once more.
func (r *run) stimulus() sim.Stimulus { return &replay{r.in, r.format.InWords} }

// replay is a stimulus of frames that are there already.
type replay struct {
	frames []uint64
	words  int // of a frame
}

// Next implements sim.Stimulus.
func (r *replay) Next(frame []uint64) error {
	if len(r.frames) == 0 {
		return io.EOF
	}
	copy(frame, r.frames[:r.words])
	r.frames = r.frames[r.words:]
	return nil
}

// block is the part of an accelerator that is instance name of its top module, with
// the traffic on its ports.
func (r *run) block(name string) (*run, error) {
	var b *run
	for _, x := range r.d.Top.Body.Insts {
		if x.Name == name {
			d := &ir.Design{Top: x.Of}
			for _, m := range r.d.Modules {
				if d.Modules = append(d.Modules, m); m == x.Of {
					break
				}
			}
			b = &run{d: d, format: sim.NewFormat(sim.PortsOf(d))}
		}
	}
	if b == nil {
		return nil, fmt.Errorf("no instance %s", name)
	}
	s, err := interp.New(r.d, interp.AllSignals())
	if err != nil {
		return nil, err
	}
	frame := make([]uint64, b.format.InWords)
	for c := range r.cycles() {
		frame[0] = r.in[c*r.format.InWords]
		s.SetReset(frame[0] != 0)
		for _, x := range r.format.In {
			s.Set(x.Port, x.Of(r.in[c*r.format.InWords:]))
		}
		for _, x := range b.format.In {
			port := b.format.Ports[x.Port]
			clear(x.Of(frame))
			for k := range port.Type.Count() {
				path := name + "." + port.Name
				if port.Type.IsVec() {
					path += fmt.Sprintf("[%d]", k)
				}
				value, ok := s.Peek(path)
				if !ok {
					return nil, fmt.Errorf("no signal %s", path)
				}
				bv.Insert(x.Of(frame), k*port.Type.Width, value, port.Type.Width)
			}
		}
		b.in = append(b.in, frame...)
		if err := s.Step(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// payload is what the boundary of the accelerator says in valid cycles only.
func payload(ports []sim.Port) sim.Payload { return sim.StreamPayload(ports, nil) }

// golden are the outputs of the accelerator, from a random state.
func (r *run) golden() ([]uint64, error) {
	s, err := interp.New(r.d)
	if err != nil {
		return nil, err
	}
	sim.PowerUp(s, 0)
	out := make([]uint64, r.cycles()*r.format.OutWords)
	return out, sim.NewBlocks(s).RunBlock(r.in, out)
}

// recording is an engine whose outputs are there already.
type recording struct {
	ports []sim.Port
	out   []uint64
}

// Ports implements sim.Batch.
func (r *recording) Ports() []sim.Port { return r.ports }

// RunBlock implements sim.Batch.
func (r *recording) RunBlock(_, out []uint64) error {
	r.out = r.out[copy(out, r.out):]
	return nil
}

// Close implements sim.Batch.
func (r *recording) Close() error { return nil }

// noticed tells whether the design as it is now, from a random state, differs from
// what it should do.
func (r *run) noticed(golden []uint64, seed uint64) (bool, error) {
	s, err := interp.New(r.d)
	if err != nil {
		return false, err
	}
	sim.PowerUp(s, seed)
	report, err := sim.Verification{
		Design: r.d, A: sim.Contender{Name: "golden", Batch: &recording{r.format.Ports, golden}}, B: sim.Contender{Name: "mutant", Batch: sim.NewBlocks(s)},
		Stimulus: r.stimulus(), Cycles: uint64(r.cycles()), Payload: payload(r.format.Ports),
	}.Run()
	return report.First != nil, err
}

// reset is a register with one.
type reset struct {
	name string // module.register
	sig  *ir.Signal
}

func resets(d *ir.Design) (out []reset) {
	for _, m := range d.Modules {
		m.Body.Walk(func(s *ir.Scope) {
			for _, g := range s.Signals {
				if g.HasReset {
					out = append(out, reset{m.Name + "." + g.Name, g})
				}
			}
		})
	}
	return out
}

// survives tells whether nobody notices that a reset is gone, with any of the seeds.
func (r *run) survives(x reset, golden []uint64, seeds uint64) (bool, error) {
	x.sig.HasReset = false
	defer func() { x.sig.HasReset = true }()
	for seed := range seeds {
		if yes, err := r.noticed(golden, seed+1); yes || err != nil {
			return false, err
		}
	}
	return true, nil
}

// known are the lines of survivors.txt: register, reason.
func known(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if name, reason, ok := strings.Cut(strings.TrimSpace(line), " "); ok && !strings.HasPrefix(name, "#") {
			out[name] = strings.TrimSpace(reason)
		}
	}
	return out
}
