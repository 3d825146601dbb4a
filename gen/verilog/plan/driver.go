package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// target identifies what is driven: a whole signal, an element of it, or a memory.
type target struct {
	of   any    // *ir.Signal or *ir.Mem
	elem string // "" for the whole
}

// driver collects what one scope does to a target.
type driver struct {
	target
	lhs         ir.LValue // of a signal: whole or the element
	at          []int     // top-level statements that assign it
	conditional bool
	reset       bool // a register with a reset
	clocked     bool
	domain      *ir.Domain // of a clocked one
}

// targetOf returns the target of a leaf statement, if it has one.
func (p *planner) targetOf(st ir.Stmt) (target, bool) {
	switch st := st.(type) {
	case *ir.Assign:
		if p.whole[st.LHS.Sig] {
			return target{of: st.LHS.Sig}, true
		}
		return target{st.LHS.Sig, st.LHS.Index.String()}, true
	case *ir.MemWrite:
		return target{of: st.Mem}, true
	}
	return target{}, false
}

// collect records the targets of top-level statement i. An unconditional assignment of all of
// a target makes the earlier ones void.
func (p *planner) collect(i int, st ir.Stmt, inside bool) {
	if t, ok := p.targetOf(st); ok {
		d := p.by[t]
		if d == nil {
			d = &driver{target: t}
			p.by[t] = d
			p.order = append(p.order, d)
		}
		a, isAssign := st.(*ir.Assign)
		plain := isAssign && !inside && a.LHS.Dyn == nil && a.LHS.Bits == 0 && (t.elem != "" || !a.LHS.Part)
		switch {
		case plain:
			d.at, d.conditional = []int{i}, false
		case len(d.at) == 0 || d.at[len(d.at)-1] != i:
			d.at = append(d.at, i)
		}
		d.conditional = d.conditional || !plain
		if isAssign {
			d.clocked, d.reset, d.domain = a.LHS.Sig.Kind == ir.Reg, a.LHS.Sig.HasReset, a.LHS.Sig.Domain
			d.lhs = ir.LValue{Sig: a.LHS.Sig}
			if t.elem != "" {
				d.lhs = ir.LValue{Sig: a.LHS.Sig, Part: true, Index: a.LHS.Index}
			}
		} else {
			d.clocked, d.domain = true, st.(*ir.MemWrite).Mem.Domain
		}
	}
	for _, b := range st.Blocks() {
		for _, x := range b {
			p.collect(i, x, true)
		}
	}
}
