package sim

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Hash returns a hexadecimal identifier of the behaviour of d and the names in it. Source positions
// and comments do not contribute. The result is the same in every process.
func Hash(d *ir.Design) string {
	sum := sha256.New()
	c := &canonical{Writer: bufio.NewWriter(sum)}
	for _, m := range d.Modules {
		c.module(m)
	}
	fmt.Fprintf(c, "top %s\n", d.Top.Name)
	c.Flush()
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// canonical writes a design as text in which every expression appears exactly once.
type canonical struct {
	*bufio.Writer
	exprs map[*ir.Expr]int // numbers of the expressions already written in this module
}

func (c *canonical) module(m *ir.Module) {
	c.exprs = map[*ir.Expr]int{}
	fmt.Fprintf(c, "module %s%s\n", m.Name, kind(m.Own.Low, m.Own.Async))
	for _, d := range m.Domains {
		fmt.Fprintf(c, "domain %s %s\n", d.Name(), kind(d.Low, d.Async))
		if d.Reset != nil {
			fmt.Fprintf(c, "reset %s\n", d.Reset.Name)
		}
	}
	for _, p := range m.Ports {
		fmt.Fprintf(c, "port %s\n", p.Name)
	}
	c.scope(m.Body)
}

// kind encodes the kind of a reset: empty for a synchronous, active-high reset.
func kind(low, async bool) string {
	if !low && !async {
		return ""
	}
	return fmt.Sprintf(" low %t async %t", low, async)
}

// clock encodes the clock domain of a signal, memory or instance: empty for the module's own clock.
func clock(d *ir.Domain) string {
	if d == nil {
		return ""
	}
	return " clock " + d.Name()
}

func (c *canonical) scope(s *ir.Scope) {
	for _, g := range s.Signals {
		fmt.Fprintf(c, "%s %s %s %t %x%s\n", g.Kind, g.Name, g.Type, g.HasReset, g.Init, clock(g.Domain))
	}
	for _, m := range s.Mems {
		fmt.Fprintf(c, "mem %s %d %d%s\n", m.Name, m.Depth, m.Width, clock(m.Domain))
		if m.Init != nil {
			fmt.Fprintf(c, "init %x\n", m.Init)
		}
	}
	for _, i := range s.Insts {
		fmt.Fprintf(c, "inst %s %s%s", i.Name, i.Of.Name, clock(i.Domain))
		for _, p := range i.Pins {
			fmt.Fprintf(c, " %s", p.Name)
		}
		if i.Reset != nil {
			fmt.Fprintf(c, " reset %s", i.Reset.Name)
		}
		fmt.Fprintln(c)
	}
	for _, l := range s.Fors {
		fmt.Fprintf(c, "for %s %d {\n", l.Name, l.N)
		c.scope(l.Body)
		fmt.Fprintln(c, "}")
	}
	c.block(s.Stmts)
}

func (c *canonical) block(list []ir.Stmt) {
	for _, st := range list {
		for _, e := range st.Exprs() {
			c.expr(e)
		}
		switch s := st.(type) {
		case *ir.Assign:
			fmt.Fprintf(c, "set %s part %t %s dyn %d bits %d from %d to %d\n", s.LHS.Sig.Name, s.LHS.Part, affine(s.LHS.Index), c.number(s.LHS.Dyn), s.LHS.Bits, s.LHS.Lo, c.number(s.RHS))
		case *ir.When:
			fmt.Fprintf(c, "when %d\n", c.number(s.Cond))
		case *ir.Switch:
			fmt.Fprintf(c, "switch %d\n", c.number(s.Of))
			for _, k := range s.Cases {
				for _, v := range k.Values {
					fmt.Fprintf(c, " %x", v.Val)
				}
				fmt.Fprintln(c)
			}
		case *ir.MemWrite:
			fmt.Fprintf(c, "write %s %d %d\n", s.Mem.Name, c.number(s.Addr), c.number(s.Data))
			if s.Mask != nil {
				fmt.Fprintf(c, "mask %d\n", c.number(s.Mask))
			}
		case *ir.Assert:
			fmt.Fprintf(c, "%s %d %q%s\n", s.Kind, c.number(s.Cond), s.Text, clock(s.Domain))
		}
		for _, b := range st.Blocks() {
			fmt.Fprintln(c, "{")
			c.block(b)
			fmt.Fprintln(c, "}")
		}
	}
}

// expr writes e and its operands, unless e already has a number.
func (c *canonical) expr(e *ir.Expr) {
	if _, ok := c.exprs[e]; ok {
		return
	}
	for _, a := range e.Args {
		c.expr(a)
	}
	c.exprs[e] = len(c.exprs) + 1
	fmt.Fprintf(c, "%d %s %s", c.exprs[e], e.Op, e.Type)
	for _, a := range e.Args {
		fmt.Fprintf(c, " %d", c.exprs[a])
	}
	switch e.Op {
	case ir.Ref:
		fmt.Fprintf(c, " %s", e.Sig.Name)
	case ir.MemRead:
		fmt.Fprintf(c, " %s", e.Mem.Name)
	case ir.Const:
		fmt.Fprintf(c, " %x", e.Val)
	case ir.Slice:
		fmt.Fprintf(c, " %d", e.Lo)
	case ir.ElemAt, ir.LoopConst:
		fmt.Fprintf(c, " %s", affine(e.Index))
	}
	fmt.Fprintln(c)
}

// number returns the number of a written expression, or 0 for nil.
func (c *canonical) number(e *ir.Expr) int { return c.exprs[e] }

func affine(a ir.Affine) string {
	s := fmt.Sprint(a.Const)
	for _, t := range a.Terms {
		s += fmt.Sprintf("+%d*%s", t.Mul, t.Loop.Name)
	}
	return s
}
