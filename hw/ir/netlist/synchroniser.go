package netlist

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// synchronisers checks that a register of one clock drives each synchroniser, without logic in
// between.
func (c *crossing) synchronisers() {
	for i, r := range c.d.Regs {
		v := c.pending[i]
		if !v.sig.Crosses.Synchronises() {
			continue
		}
		report := func(format string, args ...any) {
			what := fmt.Sprintf("synchroniser %q of clock %s ", r.Path, c.clockName(c.follows[r.Q]))
			c.problems = append(c.problems, ir.Problem{ID: "crossing", Module: v.frame.mod.IR.Name, Pos: r.Sig.Pos, Text: what + fmt.Sprintf(format, args...)})
		}
		taken := c.next(i)
		launched := c.launched(taken)
		switch ways := c.ways(taken); {
		case launched == nil:
			report("takes logic, which may glitch while it is taken: %s; drive it by a register of one clock", list(ways))
		case len(launched) > 1:
			report("takes %d registers, whose bits may arrive in different cycles: %s; join them in one register before", len(launched), list(ways))
		}
	}
}

// next returns the value that register i captures at an edge of its clock, outside its reset.
func (c *crossing) next(i int) Net {
	v := c.pending[i]
	return c.driven(v.frame.signal(v.sig).from[v.elem], v.elem)
}

// launched returns the registers and ports that provide the bits of n, or nil if logic computes n.
func (c *crossing) launched(n Net) map[Net]bool {
	if _, ok := c.by[n]; ok || c.op[n] == nil {
		return map[Net]bool{n: true}
	}
	if !wiring(c.op[n].Code) {
		return nil
	}
	out := map[Net]bool{}
	for _, a := range c.op[n].Args {
		if _, ok := c.fixed[a]; ok {
			continue
		}
		part := c.launched(a)
		if part == nil {
			return nil
		}
		for x := range part {
			out[x] = true
		}
	}
	return out
}

// wiring reports whether an operation only moves bits to other positions.
func wiring(op ir.Op) bool {
	return op == ir.Slice || op == ir.Concat || op == ir.ZExt || op == ir.SExt
}

// hop is a point on a path through logic.
type hop struct {
	name string
	pos  ir.Pos
}

// ways returns a path to n from each register, port and memory that n depends on, in operand
// order.
func (c *crossing) ways(n Net) [][]hop {
	var out [][]hop
	seen := map[Net]bool{}
	var visit func(n Net, behind []hop)
	visit = func(n Net, behind []hop) {
		if _, ok := c.fixed[n]; ok || seen[n] {
			return
		}
		seen[n] = true
		if i, ok := c.by[n]; ok {
			out = append(out, before(hop{c.d.Regs[i].Path, c.d.Regs[i].Sig.Pos}, behind))
			return
		}
		x, ok := c.named[n]
		op := c.op[n]
		switch {
		case ok:
			behind = before(hop{x.name, x.pos}, behind)
		case op != nil && !wiring(op.Code):
			behind = before(hop{op.Code.String(), op.From.Pos}, behind)
		}
		if op == nil {
			out = append(out, behind)
			return
		}
		if op.Code == ir.MemRead {
			m := c.d.Mems[op.Lo]
			out = append(out, before(hop{m.Path, m.IR.Pos}, behind))
		}
		for _, a := range op.Args {
			visit(a, behind)
		}
	}
	visit(n, nil)
	return out
}

// before prepends x to a path.
func before(x hop, way []hop) []hop { return append([]hop{x}, way...) }

// maxWays is the maximum number of paths in a message.
const maxWays = 4

// list formats paths and shortens long lists.
func list(ways [][]hop) string {
	var out []string
	for _, w := range ways[:min(len(ways), maxWays)] {
		out = append(out, wayText(w))
	}
	if more := len(ways) - maxWays; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}

func wayText(way []hop) string {
	hops := make([]string, len(way))
	for i, x := range way {
		hops[i] = fmt.Sprintf("%s (%s)", x.name, x.pos)
	}
	return strings.Join(hops, " -> ")
}
