package resets

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands"
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/trial"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// Size of the search for stale state. Half of the episodes of random commands leave registers unset
// after a reset.
const (
	staleEpisodes = 6
	staleCommands = 300
)

// smallest returns the parameters of the accelerator for the search.
func smallest() arch.Params {
	p := randomcommands.Tiny(128)
	p.GPUs = 2
	return p
}

// stale returns the paths of state whose value from before a reset, or from power-up, reaches the
// boundary. Such state has no reset and is read before it is written. The search runs random
// commands with resets and repeats them with other values in this state at power-up and in each
// reset. It ends after the first episode that reveals such state.
func stale(p arch.Params, spoil func(*ir.Design), episodes int) (paths []string, err error) {
	for number := 0; number < episodes && len(paths) == 0; number++ {
		d, err := hw.Elaborate(top.Hotline{Params: p})
		if err != nil {
			return nil, err
		}
		spoil(d)
		r, err := episode(d, p, number)
		if err != nil {
			return nil, err
		}
		all, err := r.states()
		if err != nil {
			return nil, err
		}
		if paths, err = r.reaching(all); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// episode records the inputs of random commands. A failure of the accelerator ends the recording
// early.
func episode(d *ir.Design, p arch.Params, number int) (*run, error) {
	r := &run{d: d, format: sim.NewFormat(sim.PortsOf(d))}
	var failed error
	_, _ = trial.Episode{Params: p, Seed: 1, Number: number, Commands: staleCommands, Simulate: func() (sim.Simulator, error) {
		s, err := r.started(nil)
		failed = err
		return &recorder{Simulator: s, run: r, frame: make([]uint64, r.format.InWords)}, err
	}}.Run()
	return r, failed
}

// recorder records the inputs of a simulation.
type recorder struct {
	sim.Simulator
	run   *run
	frame []uint64
}

// Set implements sim.Simulator.
func (x *recorder) Set(port int, value []uint64) {
	for _, in := range x.run.format.In {
		if in.Port == port {
			copy(in.Of(x.frame), value)
		}
	}
	x.Simulator.Set(port, value)
}

// SetReset implements sim.Simulator.
func (x *recorder) SetReset(on bool) {
	x.frame[0] = 0
	if on {
		x.frame[0] = 1
	}
	x.Simulator.SetReset(on)
}

// Step implements sim.Simulator.
func (x *recorder) Step() error {
	x.run.in = append(x.run.in, x.frame...)
	return x.Simulator.Step()
}

// disturbed is a simulation that overwrites chosen state with other values at power-up and in each
// reset. The reset itself determines which of the values survive.
type disturbed struct {
	*interp.Sim
	states []sim.State
	chosen map[string]bool
	flr    int // index of the port cfg_flr
	on     bool
	seed   uint64
}

// started returns a simulation of the design at its first cycle. Only the chosen state depends on a
// second seed.
func (r *run) started(chosen []string) (*disturbed, error) {
	s, err := interp.New(r.d, interp.AllSignals())
	if err != nil {
		return nil, err
	}
	sim.PowerUp(s, 1)
	x := &disturbed{Sim: s, states: s.State(), chosen: map[string]bool{}, seed: 1}
	for _, path := range chosen {
		x.chosen[path] = true
	}
	x.flr = slices.IndexFunc(s.Ports(), func(p sim.Port) bool { return p.Name == "cfg_flr" })
	x.disturb(everywhere)
	return x, nil
}

func everywhere(string) bool { return true }

// disturb overwrites the chosen state of some blocks with other values.
func (x *disturbed) disturb(reset func(path string) bool) {
	x.seed++
	sim.PowerUp(&part{x, reset}, x.seed)
}

// part is the chosen state in the blocks that a reset affects.
type part struct {
	*disturbed
	reset func(path string) bool
}

// Write implements sim.Writable.
func (x *part) Write(i, word int, value []uint64) {
	if path := x.states[i].Path; x.chosen[path] && x.reset(path) {
		x.Sim.Write(i, word, value)
	}
}

// SetReset implements sim.Simulator.
func (x *disturbed) SetReset(on bool) {
	x.on = on
	x.Sim.SetReset(on)
}

// Step implements sim.Simulator.
func (x *disturbed) Step() error {
	var flr [1]uint64
	x.Sim.Get(x.flr, flr[:])
	clear, _ := x.Sim.Peek("soft_reset.clear")
	switch {
	case len(x.chosen) == 0:
	case x.on || flr[0] == 1:
		x.disturb(everywhere)
	case clear[0] == 1: // the bus interface keeps its state, for the access in flight
		x.disturb(func(path string) bool {
			return !strings.HasPrefix(path, "csr_slave.") && !strings.HasPrefix(path, "isa.registers.csr_read_")
		})
	}
	return x.Sim.Step()
}

// states returns the paths of the registers and memories that a reset does not change.
func (r *run) states() (paths []string, err error) {
	const seeds = 8
	var sims []*interp.Sim
	for seed := range uint64(seeds) {
		s, err := interp.New(r.d, interp.AllSignals())
		if err != nil {
			return nil, err
		}
		sim.PowerUp(s, seed)
		s.SetReset(true)
		if err := s.Step(); err != nil {
			return nil, err
		}
		sims = append(sims, s)
	}
	for i, x := range sims[0].State() {
		first := slices.Clone(sims[0].Read(i, 0))
		if !x.Fixed && slices.ContainsFunc(sims, func(s *interp.Sim) bool { return !slices.Equal(s.Read(i, 0), first) }) {
			paths = append(paths, x.Path)
		}
	}
	return paths, nil
}

// reaching reduces a set of state to the state that reaches the boundary: single registers and
// memories, or groups that reach it only together.
func (r *run) reaching(paths []string) ([]string, error) {
	shows, err := r.shows(paths)
	if err != nil || !shows || len(paths) == 1 {
		if shows {
			return paths, err
		}
		return nil, err
	}
	first, err := r.reaching(paths[:len(paths)/2])
	if err != nil {
		return nil, err
	}
	second, err := r.reaching(paths[len(paths)/2:])
	if err != nil {
		return nil, err
	}
	if found := append(first, second...); len(found) > 0 {
		return found, nil
	}
	return []string{strings.Join(paths, " with ")}, nil
}

// shows reports whether other values of the state change a payload at the boundary.
func (r *run) shows(paths []string) (bool, error) {
	if r.out == nil {
		s, err := r.started(nil)
		if err != nil {
			return false, err
		}
		r.out = make([]uint64, r.cycles()*r.format.OutWords)
		if err := sim.NewBlocks(s).RunBlock(r.in, r.out); err != nil {
			return false, err
		}
	}
	s, err := r.started(paths)
	if err != nil {
		return false, err
	}
	return r.differs(sim.NewBlocks(s), r.in, r.out, sim.StreamPayload(r.format.Ports, nil))
}
