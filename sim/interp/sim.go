package interp

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/extern"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// Sim interprets a design. It implements sim.Simulator and sim.Inspector.
type Sim struct {
	d       *netlist.Design
	ports   []sim.Port // the first visible ports belong to the top module
	visible int        // number of ports of the top module
	rst     int        // index of the reset port of a netlist, or -1
	host    *extern.Host

	vals   []uint64 // values of all nets; a net has one or more consecutive slots
	slots  []uint32 // by netlist.Net
	code   []instr
	args   []uint32
	wide   []wideOp
	spans  []span
	marks  []mark
	fans   []span // by netlist.Net: marks of a change
	temp   []uint64
	regs   []register
	resets []int32 // indices of registers with a reset
	mems   []memory
	waves  []watch

	pending set
	region  [numRegions]region
	dirty   bool // an operation may be pending
	reset   bool
	cycle   uint64
	evals   uint64

	recorder wave.Recorder
	wasReset bool           // in the last recorded cycle
	byPath   map[string]int // indices of registers and memories
	noise    *rand.Rand     // of DontCare, or nil
	collided []int32        // operations
	held     []heldWrite
	signals  map[string]netlist.Net
}

// Option configures New.
type Option func(*options)

type options struct {
	all       bool
	recorders []wave.Recorder
	noise     *rand.Rand
}

// AllSignals keeps every named signal for Peek, even if nothing observable depends on it.
func AllSignals() Option { return func(o *options) { o.all = true } }

// Record sends every named signal to r, each cycle. New refuses more than one recorder.
func Record(r wave.Recorder) Option {
	return func(o *options) {
		o.all = true
		if r != nil {
			o.recorders = append(o.recorders, r)
		}
	}
}

// New returns an interpreter of d with all-zero state. The error lists the problems of a design
// that elaboration has not checked, or is the recorder's error.
func New(d *ir.Design, opts ...Option) (*Sim, error) {
	var o options
	for _, f := range opts {
		f(&o)
	}
	if n := len(o.recorders); n > 1 {
		return nil, fmt.Errorf("interp: %d recorders; expected at most one", n)
	}
	lowered, problems := drivers.Lower(d)
	if err := ir.Join(problems); err != nil {
		return nil, err
	}
	flatten := netlist.Flatten
	if o.all {
		flatten = netlist.FlattenAll
	}
	f, problems := flatten(lowered)
	if err := ir.Join(problems); err != nil {
		return nil, err
	}
	s := &Sim{d: f, ports: sim.FlatPorts(f), visible: len(d.Top.Ports), rst: -1, noise: o.noise}
	if len(o.recorders) == 1 {
		s.recorder = o.recorders[0]
	}
	// A netlist has its reset as the last port. Package hw rejects that name for a port.
	if last := len(d.Top.Ports) - 1; !d.Top.Reset && len(d.Top.Domains) == 0 && d.Top.Port(d.Top.Own.ResetName()) != nil {
		s.visible, s.rst = last, last
	}
	compile(s)
	var err error
	if s.host, err = extern.NewHost(f, bare{s}); err != nil {
		return nil, err
	}
	return s, s.beginRecording()
}

// Ports implements sim.Simulator.
func (s *Sim) Ports() []sim.Port { return s.ports[:s.visible] }

// Set implements sim.Simulator. It panics if the port is an output.
func (s *Sim) Set(port int, value []uint64) {
	p := &s.ports[port]
	if !p.Input {
		panic("interp: Set of output " + p.Name)
	}
	for k, n := range s.d.Ports[port].Nets {
		s.drive(n, value, k*p.Type.Width, p.Type.Width)
	}
}

// drive sets net n to width bits of value, starting at bit lo.
func (s *Sim) drive(n netlist.Net, value []uint64, lo, width int) {
	old := s.net(n)
	x := s.temp[:len(old)]
	bv.Slice(x, value, lo, width)
	if !bv.Equal(x, old) {
		copy(old, x)
		s.markAll(s.fans[n])
	}
}

// Get implements sim.Simulator.
func (s *Sim) Get(port int, value []uint64) {
	s.settle()
	s.get(port, value)
}

// bare exposes the interpreter without external modules to their models.
type bare struct{ *Sim }

// Get implements extern.Engine.
func (s bare) Get(port int, value []uint64) {
	s.evaluate()
	s.get(port, value)
}

func (s *Sim) get(port int, value []uint64) {
	nets := s.d.Ports[port].Nets
	if len(nets) == 1 {
		copy(value, s.net(nets[0]))
		return
	}
	w := s.ports[port].Type.Width
	clear(value)
	for k, n := range nets {
		bv.Insert(value, k*w, s.net(n), w)
	}
}

// SetReset implements sim.Simulator.
func (s *Sim) SetReset(on bool) {
	s.reset = on
	if s.rst >= 0 {
		s.Set(s.rst, []uint64{bit(on)})
	}
}

// Cycle implements sim.Simulator.
func (s *Sim) Cycle() uint64 { return s.cycle }

// Close implements sim.Simulator.
func (s *Sim) Close() error { return nil }

// Evaluated returns the number of operations evaluated so far, a measure of the design's activity.
func (s *Sim) Evaluated() uint64 { return s.evals }

// net returns the storage of n.
func (s *Sim) net(n netlist.Net) []uint64 {
	o := s.slots[n]
	return s.vals[o : int(o)+ir.Words(int(s.d.Width[n]))]
}
