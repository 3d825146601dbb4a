package cover

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// Plan is a design whose simulations are to be looked at.
type Plan struct {
	// Design is the design, with a register for each condition of Module.Cover: 1 in the
	// cycle after one in which it is met. It is another design than the one that the plan is
	// of, with a hash, and models, of its own.
	Design *ir.Design

	conditions map[*ir.Signal]*ir.Assert
	points     []point
	at         map[string]int // number in points, by path
}

// point is a register, an element of one, or a port of the top: something that can be
// looked at.
type point struct {
	path   string
	module string
	sig    *ir.Signal
	width  int
}

// Of plans to look at simulations of d, which becomes the plan's and is changed. The error
// lists what is wrong with the design.
func Of(d *ir.Design) (*Plan, error) {
	p := &Plan{Design: d, conditions: map[*ir.Signal]*ir.Assert{}, at: map[string]int{}}
	for _, m := range d.Modules {
		p.scope(m.Body, taken(m))
	}
	if err := p.list(); err != nil {
		return nil, err
	}
	return p, nil
}

// list finds what there is to look at.
func (p *Plan) list() error {
	lowered, problems := drivers.Lower(p.Design)
	if err := ir.Join(problems); err != nil {
		return err
	}
	f, problems := netlist.Flatten(lowered)
	if err := ir.Join(problems); err != nil {
		return err
	}
	top := p.Design.Top
	for _, g := range top.Ports {
		p.add(point{g.Name, top.Name, g, g.Type.Bits()})
	}
	for _, r := range f.Regs {
		p.add(point{r.Path, r.Sig.Scope.Module.Name, r.Sig, r.Sig.Type.Width})
	}
	return nil
}

func (p *Plan) add(x point) {
	p.at[x.path] = len(p.points)
	p.points = append(p.points, x)
}

// taken are the names that a module has.
func taken(m *ir.Module) map[string]bool {
	names := map[string]bool{}
	for _, g := range m.Ports {
		names[g.Name] = true
	}
	var visit func(s *ir.Scope)
	visit = func(s *ir.Scope) {
		for _, g := range s.Signals {
			names[g.Name] = true
		}
		for _, x := range s.Mems {
			names[x.Name] = true
		}
		for _, x := range s.Insts {
			names[x.Name] = true
		}
		for _, x := range s.Fors {
			names[x.Name] = true
			visit(x.Body)
		}
	}
	visit(m.Body)
	return names
}

// scope gives each condition in s a register, and in the loops inside.
func (p *Plan) scope(s *ir.Scope, names map[string]bool) {
	var clear []ir.Stmt
	s.Stmts = rewrite(s.Stmts, func(a *ir.Assert) ir.Stmt {
		n := 0
		for names[fmt.Sprint("covered_", n)] {
			n++
		}
		g := &ir.Signal{Name: fmt.Sprint("covered_", n), Kind: ir.Reg, Type: ir.Type{Width: 1}, Scope: s, Domain: a.Domain, Unused: true, Kept: true, Pos: a.Pos}
		names[g.Name] = true
		s.Signals = append(s.Signals, g)
		p.conditions[g] = a
		clear = append(clear, assign(g, 0, a.Pos))
		return &ir.When{Cond: a.Cond, Then: []ir.Stmt{assign(g, 1, a.Pos)}, Pos: a.Pos}
	})
	s.Stmts = append(clear, s.Stmts...)
	for _, f := range s.Fors {
		p.scope(f.Body, names)
	}
}

// assign gives a register of a bit a constant.
func assign(g *ir.Signal, bit uint64, pos ir.Pos) ir.Stmt {
	return &ir.Assign{LHS: ir.LValue{Sig: g}, RHS: &ir.Expr{Op: ir.Const, Type: g.Type, Val: []uint64{bit}, Pos: pos}, Pos: pos}
}

// rewrite has other statements in the places of conditions, at any depth.
func rewrite(list []ir.Stmt, f func(*ir.Assert) ir.Stmt) []ir.Stmt {
	out := slices.Clone(list)
	for i, s := range out {
		switch s := s.(type) {
		case *ir.Assert:
			if s.Kind == ir.Covered {
				out[i] = f(s)
			}
		case *ir.When:
			s.Then, s.Else = rewrite(s.Then, f), rewrite(s.Else, f)
		case *ir.Switch:
			s.Default = rewrite(s.Default, f)
			for _, c := range s.Cases {
				c.Body = rewrite(c.Body, f)
			}
		}
	}
	return out
}
