package hw

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// FSM is a state machine: a register and one State per name. The first is the
// reset state.
type FSM struct {
	m   *Module
	reg Bits
	at  place // of sw
	sw  *ir.Switch
}

// State is a state of an FSM.
type State struct {
	f *FSM
	k Bits
}

// FSM declares a state machine with the states names. The names of its
// constants, STATE_WAIT for the state Wait of state, are unique in the module.
func (m *Module) FSM(name string, states ...string) (*FSM, []State) {
	pos := ir.Caller(0)
	if len(states) == 0 {
		m.errorf(pos, "fsm", "state machine %q has no states", name)
	}
	s := m.declare(ir.Reg, name, ir.Type{Width: IndexWidth(len(states))}, pos)
	s.HasReset, s.Init, s.States = true, []uint64{0}, slices.Clone(states)
	f := &FSM{m: m, reg: Bits{m.ref(s, pos)}}
	out := make([]State, len(states))
	for i, n := range states {
		m.claimState(s.Name, n, pos)
		e := constant(s.Type.Width, uint64(i), pos)
		e.Label = n
		out[i] = State{f, Bits{&value{m: m, e: e}}}
	}
	return f, out
}

// claimState reserves the name of a state's constant.
func (m *Module) claimState(machine, state string, pos ir.Pos) {
	if !identifier.MatchString(snake(state)) {
		m.errorf(pos, "name", "state %q: in lower case %s", state, nameRule)
	}
	c := strings.ToUpper(machine + "_" + snake(state))
	if at, dup := m.taken[c]; dup {
		m.errorf(pos, "fsm", "state %q: its constant %s is already declared at %s", state, c, at)
	}
	m.taken[c] = pos
}

// Reg is the state register.
func (f *FSM) Reg() Bits { return f.reg }

// Is is 1 in state s.
func (s State) Is() Bits {
	s.declared(ir.Caller(0))
	return s.f.reg.compare(s.k, ir.Eq)
}

// Next makes s the next state.
func (s State) Next() {
	pos := ir.Caller(0)
	s.declared(pos)
	s.f.reg.set(s.k.value, pos)
}

// Do describes what happens in state s. All Do of a machine form one Switch
// and stand in one block.
func (s State) Do(f func()) {
	pos := ir.Caller(0)
	s.declared(pos)
	m, fsm := s.f.m, s.f
	m.statement(pos)
	if fsm.sw == nil {
		fsm.sw, fsm.at = &ir.Switch{Of: fsm.reg.e, Pos: pos}, m.place()
		m.add(fsm.sw)
	}
	if m.place() != fsm.at {
		m.errorf(pos, "fsm", "state %s is described in another block than the first state, at %s", s.k.e.Label, fsm.sw.Pos)
	}
	for _, c := range fsm.sw.Cases {
		if c.Values[0] == s.k.e {
			m.errorf(pos, "fsm", "state %s is described already at %s", s.k.e.Label, c.Pos)
			return
		}
	}
	k := &ir.Case{Values: []*ir.Expr{s.k.e}, Pos: pos}
	fsm.sw.Cases = append(fsm.sw.Cases, k)
	m.within(&k.Body, f)
}

// declared refuses the zero State.
func (s State) declared(pos ir.Pos) {
	if s.f == nil {
		refuse(use{pos: pos}, "a state that was never declared")
	}
}
