package sim

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Engine is a Simulator with a name for reports.
type Engine struct {
	Name string
	Simulator
}

// Lockstep runs two engines of the same design as one Simulator. Inputs go to both engines, outputs
// come from the first. Before every clock edge, it compares all outputs and all registers that both
// engines expose.
type Lockstep struct {
	a, b     Engine
	f        *Format
	in       []uint64
	out      [2][]uint64
	none     []uint64 // all zero: no output bit is unknown
	history  *history
	shared   []sharedState
	inspect  [2]Inspector
	diverged error
}

// sharedState is a register or memory with its index in each engine.
type sharedState struct {
	State
	a, b int
}

// NewLockstep combines two engines of the design d, neither of which has run a cycle. It fails if
// their ports differ.
func NewLockstep(d *ir.Design, a, b Engine) (*Lockstep, error) {
	if err := samePorts(a.Name, a.Ports(), b.Name, b.Ports()); err != nil {
		return nil, err
	}
	f := NewFormat(a.Ports())
	l := &Lockstep{a: a, b: b, f: f, in: make([]uint64, f.InWords), none: make([]uint64, f.OutWords), history: newHistory(f, d, a.Name, b.Name)}
	for i := range l.out {
		l.out[i] = make([]uint64, f.OutWords)
	}
	l.matchState()
	return l, nil
}

func samePorts(nameA string, a []Port, nameB string, b []Port) error {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a) || i >= len(b):
			return fmt.Errorf("sim: %s has %d ports, %s has %d", nameA, len(a), nameB, len(b))
		case a[i] != b[i]:
			return fmt.Errorf("sim: port %d of %s is %s, of %s is %s", i, nameA, a[i], nameB, b[i])
		}
	}
	return nil
}

// String formats the port as "input data 4x8".
func (p Port) String() string {
	kind := ir.Output
	if p.Input {
		kind = ir.Input
	}
	return fmt.Sprintf("%s %s %s", kind, p.Name, p.Type)
}

// matchState finds the state that both engines expose.
func (l *Lockstep) matchState() {
	a, okA := l.a.Simulator.(Inspector)
	b, okB := l.b.Simulator.(Inspector)
	if !okA || !okB {
		return
	}
	l.inspect = [2]Inspector{a, b}
	byPath := map[string]int{}
	for i, s := range b.State() {
		byPath[s.Path] = i
	}
	for i, s := range a.State() {
		if j, ok := byPath[s.Path]; ok {
			l.shared = append(l.shared, sharedState{s, i, j})
		}
	}
}

// Ports implements Simulator.
func (l *Lockstep) Ports() []Port { return l.f.Ports }

// Set implements Simulator.
func (l *Lockstep) Set(port int, value []uint64) {
	copy(l.f.input(port).Of(l.in), value)
	l.a.Set(port, value)
	l.b.Set(port, value)
}

// Get implements Simulator. It returns the first engine's value.
func (l *Lockstep) Get(port int, value []uint64) { l.a.Get(port, value) }

// SetReset implements Simulator.
func (l *Lockstep) SetReset(on bool) {
	l.in[0] = 0
	if on {
		l.in[0] = 1
	}
	l.a.SetReset(on)
	l.b.SetReset(on)
}

// Cycle implements Simulator.
func (l *Lockstep) Cycle() uint64 { return l.a.Cycle() }

// Quiet implements Simulator. It returns the first engine's result.
func (l *Lockstep) Quiet() bool { return l.a.Quiet() }

// Close implements Simulator.
func (l *Lockstep) Close() error { return errors.Join(l.a.Close(), l.b.Close()) }

// Step implements Simulator. The error is a *Divergence, which all later calls repeat, or an
// engine's error.
func (l *Lockstep) Step() error {
	if l.diverged != nil {
		return l.diverged
	}
	if d := l.compare(); d != nil {
		l.diverged = d
		return d
	}
	errA, errB := l.a.Step(), l.b.Step()
	if errA != nil {
		return errA
	}
	return errB
}

func (l *Lockstep) compare() *Divergence {
	l.f.read(l.a, l.out[0])
	l.f.read(l.b, l.out[1])
	l.history.push(l.in, l.out[0], l.out[1], l.none)
	if !bv.Equal(l.out[0], l.out[1]) {
		for _, x := range l.f.Out {
			if !bv.Equal(x.Of(l.out[0]), x.Of(l.out[1])) {
				return l.history.port(l.Cycle(), x)
			}
		}
	}
	for i := range l.shared {
		if s := &l.shared[i]; s.Depth == 0 {
			if d := l.state(s, 0); d != nil {
				return d
			}
		}
	}
	return nil
}

// state compares one register or one memory word.
func (l *Lockstep) state(s *sharedState, word int) *Divergence {
	a, b := l.inspect[0].Read(s.a, word), l.inspect[1].Read(s.b, word)
	if bv.Equal(a, b) {
		return nil
	}
	path := s.Path
	if s.Depth > 0 {
		path += fmt.Sprintf("[%d]", word)
	}
	d := l.history.divergence(l.Cycle(), path)
	d.ValueA, d.ValueB, d.Pos, d.isRegister = clone(a), clone(b), s.Pos, true
	return d
}

// CompareMemories compares every word of the memories that both engines expose; Step compares
// registers only. The error is a *Divergence.
func (l *Lockstep) CompareMemories() error {
	for i := range l.shared {
		for word := range l.shared[i].Depth {
			if d := l.state(&l.shared[i], word); d != nil {
				return d
			}
		}
	}
	return nil
}
