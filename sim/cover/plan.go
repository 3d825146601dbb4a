package cover

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// Plan is a design instrumented for coverage.
type Plan struct {
	// Design is the design with an added register for each condition of Module.Cover. The register
	// is 1 in the cycle after the condition is met. Design has another hash than the original
	// design, and therefore other models.
	Design *ir.Design

	conditions map[*ir.Signal]*ir.Assert
	points     []point
	at         map[string]int // index in points, by path
}

// point is an observable signal: a register, an element of a register, or a top-level port.
type point struct {
	path   string
	module string
	sig    *ir.Signal
	width  int
}

// Of returns a coverage plan for d. It modifies d, which becomes the plan's design. The error lists
// the problems of the design.
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

// list collects the points of the design.
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

// taken returns the names in use in a module.
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

// scope adds a register for each condition in s and in its loops.
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

// assign returns an assignment of a constant to a one-bit register.
func assign(g *ir.Signal, bit uint64, pos ir.Pos) ir.Stmt {
	return &ir.Assign{LHS: ir.LValue{Sig: g}, RHS: &ir.Expr{Op: ir.Const, Type: g.Type, Val: []uint64{bit}, Pos: pos}, Pos: pos}
}

// rewrite replaces each condition by the statement that f returns, at any depth.
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
