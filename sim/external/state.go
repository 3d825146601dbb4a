package external

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// variable is a Verilog variable that holds state: a register, possibly with several elements, or a
// memory.
type variable struct {
	path  string // below the top, as in the Verilog
	value []uint64
	stale bool // the child does not have the value yet
}

// states lists the registers and memories of a design, as Go engines list them.
type states struct {
	list []sim.State
	vars []variable
	at   []place // by index in list
}

// place is the location of a state: a variable and the index of the first bit.
type place struct{ variable, lo int }

func newStates(d *ir.Design) (*states, error) {
	lowered, problems := drivers.Lower(d)
	f, loops := netlist.Flatten(lowered)
	for _, p := range append(problems, loops...) {
		return nil, fmt.Errorf("external: %w", p)
	}
	s := &states{}
	byPath := map[string]int{}
	for _, r := range f.Regs {
		path := r.Path
		if r.Sig.Type.IsVec() {
			path = path[:strings.LastIndexByte(path, '[')]
		}
		v, ok := byPath[path]
		if !ok {
			v = len(s.vars)
			byPath[path] = v
			bits := r.Sig.Type.Bits()
			s.vars = append(s.vars, variable{path: path, value: make([]uint64, ir.Words(bits))})
		}
		width := r.Sig.Type.Width
		s.list = append(s.list, sim.State{Path: r.Path, Width: width, Pos: r.Sig.Pos})
		s.at = append(s.at, place{v, int(r.Elem) * width})
	}
	for _, m := range f.Mems {
		s.list = append(s.list, sim.State{Path: m.Path, Width: m.IR.Width, Depth: m.IR.Depth, Fixed: m.IR.Init != nil, Pos: m.IR.Pos})
		s.at = append(s.at, place{variable: len(s.vars)})
		s.vars = append(s.vars, variable{path: m.Path})
	}
	return s, nil
}

// State implements sim.Writable. It omits state that no output, memory or assertion depends on.
func (p *Process) State() []sim.State {
	if p.states == nil {
		var err error
		if p.states, err = newStates(p.design); err != nil {
			p.failed = errors.Join(p.failed, err)
			p.states = &states{}
		}
	}
	return p.states.list
}

// Write implements sim.Writable. It is allowed only before the first cycle and the first Get;
// otherwise, the next request fails.
func (p *Process) Write(i, word int, value []uint64) {
	at := p.states.at[i]
	v := &p.states.vars[at.variable]
	if p.states.list[i].Depth > 0 {
		p.codec.write(p.w, v.path, word, value)
		return
	}
	bv.Insert(v.value, at.lo, value, p.states.list[i].Width)
	v.stale = true
}

// sendState sends the values of registers that were written.
func (p *Process) sendState() {
	if p.states == nil {
		return
	}
	for i := range p.states.vars {
		if v := &p.states.vars[i]; v.stale {
			v.stale = false
			p.codec.write(p.w, v.path, 0, v.value)
		}
	}
}

// public returns a configuration file that makes Verilator keep the registers and memories of
// modules as variables, which the harness finds by name.
func public(files []verilog.File) string {
	var b strings.Builder
	b.WriteString("`verilator_config\n")
	for _, f := range files {
		if len(f.Modules) == 0 {
			continue
		}
		keep := func(name string) {
			fmt.Fprintf(&b, "public_flat_rw -module %q -var %q\n", strings.TrimSuffix(f.Name, ".v"), name)
		}
		f.Modules[0].Body.Walk(func(s *ir.Scope) {
			for _, g := range s.Signals {
				if g.Kind == ir.Reg {
					keep(g.Name)
				}
			}
			for _, x := range s.Mems {
				keep(x.Name)
			}
		})
	}
	return b.String()
}
