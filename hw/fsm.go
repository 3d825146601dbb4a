package hw

import (
	"reflect"
	"strings"

	"github.com/hotline-rtl/hotline/hw/internal/snake"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// State is a state of a state machine: a field of the struct that FSM returns.
type State struct {
	f *machine
	k *value
}

// machine is a state machine under construction.
type machine struct {
	m    *Module
	reg  Bits
	at   place // of sw
	sw   *ir.Switch
	here *ir.Expr                // the state that is being described, or nil
	next map[*ir.Expr][]*ir.Expr // successors of each state; key nil holds transitions from any state
}

// FSM declares a state machine of m: a register of the given name and one State per field of T, a
// struct that consists only of State fields. The first field is the reset state. In the Verilog,
// the state HotSet of a machine state has the constant STATE_HOT_SET, unique in the module.
//
// Do describes each state, exactly once, and all calls of Do are in one block.
func FSM[T any](m *Module, name string) (states T) {
	m.machine(name, reflect.ValueOf(&states).Elem(), ir.Caller(0))
	return states
}

// machine declares a state machine and sets the struct of its states.
func (m *Module) machine(name string, states reflect.Value, pos ir.Pos) {
	names := stateNames(states)
	if len(names) == 0 {
		m.errorf(pos, "fsm", "state machine %q: %s is not a struct with only states, exported fields of type hw.State", name, states.Type())
		return
	}
	s := m.declare(ir.Reg, name, ir.Type{Width: IndexWidth(len(names))}, pos)
	m.setInit(m.ref(s, pos).e, []uint64{0})
	s.Enum = &ir.Enum{Name: s.Name, Width: s.Type.Width}
	f := &machine{m: m, reg: Bits{m.ref(s, pos)}, next: map[*ir.Expr][]*ir.Expr{}}
	for i, n := range names {
		if !identifier.MatchString(snake.Case(n)) {
			m.errorf(pos, "name", "state %q: in lower case %s", n, nameRule)
		}
		s.Enum.Values = append(s.Enum.Values, ir.EnumValue{Value: uint64(i), Name: snake.Case(n)})
		e := constant(s.Type.Width, uint64(i), pos)
		e.Label = s.Enum.Label(uint64(i))
		m.claimLabel(e.Label, pos)
		states.Field(i).Set(reflect.ValueOf(State{f, &value{m: m, e: e}}))
	}
	m.ir.Enums = append(m.ir.Enums, s.Enum)
	m.machines = append(m.machines, f)
}

// stateNames returns the field names of a struct of States, or none if v is not such a struct.
func stateNames(v reflect.Value) (names []string) {
	if v.Kind() != reflect.Struct {
		return nil
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || f.Type != reflect.TypeFor[State]() {
			return nil
		}
		names = append(names, f.Name)
	}
	return names
}

// Is returns 1 in state s.
func (s State) Is() Bits {
	s.declared(ir.Caller(0))
	return s.f.reg.compare(Bits{s.k}, ir.Eq)
}

// Next makes s the next state.
func (s State) Next() {
	pos := ir.Caller(0)
	s.declared(pos)
	s.f.reg.set(s.k, pos)
	s.f.next[s.f.here] = append(s.f.next[s.f.here], s.k.e)
}

// Do describes the behaviour in state s; f may be nil.
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
		m.errorf(pos, "fsm", "%s is described in another block than the first state, at %s", s.k.e.Label, fsm.sw.Pos)
	}
	if c := fsm.described(s.k.e); c != nil {
		m.errorf(pos, "fsm", "%s is described already at %s", s.k.e.Label, c.Pos)
		return
	}
	k := &ir.Case{Values: []*ir.Expr{s.k.e}, Pos: pos}
	fsm.sw.Cases = append(fsm.sw.Cases, k)
	fsm.here = s.k.e
	m.within(&k.Body, f)
	fsm.here = nil
}

// described returns the case of a state, or nil.
func (f *machine) described(state *ir.Expr) *ir.Case {
	if f.sw == nil {
		return nil
	}
	for _, c := range f.sw.Cases {
		if c.Values[0] == state {
			return c
		}
	}
	return nil
}

// declared rejects the zero State.
func (s State) declared(pos ir.Pos) {
	if s.f == nil {
		refuse(use{pos: pos}, "a state that was never declared")
	}
}

// check reports states without a description and unreachable states.
func (f *machine) check() {
	s := f.reg.e.Sig
	if f.sw == nil {
		return // the missing driver is reported elsewhere
	}
	reached := map[uint64]bool{0: true}
	for _, any := range f.next[nil] {
		reached[any.Uint()] = true
	}
	for range s.Enum.Values {
		for from, to := range f.next {
			for _, t := range to {
				reached[t.Uint()] = reached[t.Uint()] || from != nil && reached[from.Uint()]
			}
		}
	}
	known := map[uint64]bool{}
	for _, c := range f.sw.Cases {
		known[c.Values[0].Uint()] = true
	}
	var undescribed, unreached []string
	for _, v := range s.Enum.Values {
		switch {
		case !known[v.Value]:
			undescribed = append(undescribed, s.Enum.Label(v.Value))
		case !reached[v.Value]:
			unreached = append(unreached, s.Enum.Label(v.Value))
		}
	}
	if len(undescribed) > 0 {
		f.m.errorf(s.Pos, "fsm", "nothing describes %s; Do(nil) says that nothing happens there", strings.Join(undescribed, ", "))
	}
	if len(unreached) > 0 {
		f.m.errorf(s.Pos, "fsm", "%q never comes to %s", s.Name, strings.Join(unreached, ", "))
	}
}
