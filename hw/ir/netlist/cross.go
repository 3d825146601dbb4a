package netlist

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
)

// Crossings returns the clock domain mistakes of d, which must have no loops. It reports three
// kinds:
//
//   - values of one clock that state of another clock uses without a crossing register
//     (ir.Signal.Crosses);
//   - logic before a synchroniser;
//   - crossings from one clock to another that reconverge after their synchronisers.
func Crossings(d *drivers.Design) []ir.Problem {
	if len(d.IR.Top.Domains) == 0 {
		return nil
	}
	c := &crossing{builder: newBuilder(d, false), clocks: map[Net]int{}, by: map[Net]int{}, follows: map[Net]uint64{}, op: map[Net]*Op{}, named: map[Net]named{}}
	c.builder.signals(c.name)
	c.builder.registers()
	c.sources()
	c.values()
	c.uses()
	c.synchronisers()
	c.meetings()
	return c.problems
}

// crossing is the state of the check. Clocks are identified by their index in the Domains of the
// top module.
type crossing struct {
	*builder
	clocks   map[Net]int    // by the net of the port
	by       map[Net]int    // registers, by their stored net and by their read net
	follows  map[Net]uint64 // the clocks that a net follows
	op       map[Net]*Op
	named    map[Net]named
	problems []ir.Problem
}

// named is the user's name of a net.
type named struct {
	name   string
	pos    ir.Pos
	memory bool
}

// name records the names of a signal's nets. The first name wins; it is the outermost.
func (c *crossing) name(f *frame, s *ir.Signal, nets []Net) {
	for k, n := range nets {
		if _, ok := c.named[n]; ok {
			continue
		}
		name := join(f.sub(s.Name))
		if s.Type.IsVec() {
			name += fmt.Sprintf("[%d]", k)
		}
		c.named[n] = named{name: name, pos: s.Pos}
	}
}

// clock returns the set that contains the clock of state in domain d of f.
func (c *crossing) clock(f *frame, d *ir.Domain) uint64 {
	t := c.clocking(f, d).tick
	if t == None {
		return 0
	}
	return 1 << c.clocks[t]
}

// sources records the clocks of ports and registers.
func (c *crossing) sources() {
	for i, d := range c.d.Top.Domains {
		c.clocks[c.element(c.frames[0], d.Clock, 0)] = i
	}
	for _, p := range c.d.Ports {
		if p.Sig.Kind != ir.Input || p.Sig.Domain == nil {
			continue
		}
		for _, n := range p.Nets {
			c.follows[n] = c.clock(c.frames[0], p.Sig.Domain)
		}
	}
	for i, r := range c.d.Regs {
		v := c.pending[i]
		set := c.clock(v.frame, v.sig.Domain)
		c.follows[r.Q] = set
		c.by[r.Q] = i
		if reads := c.element(v.frame, v.sig, v.elem); reads != r.Q { // an asynchronous reset selects
			c.by[reads] = i
		}
	}
}

// values computes the clocks that the results of operations follow.
func (c *crossing) values() {
	memories := c.memories()
	for i := range c.d.Ops {
		op := &c.d.Ops[i]
		var set uint64
		for _, a := range op.Args {
			set |= c.follows[a]
		}
		if op.Code == ir.MemRead {
			set |= memories[op.Lo]
		}
		for k := range op.NOut {
			c.follows[op.Out+Net(k)] = set
			c.op[op.Out+Net(k)] = op
		}
	}
}

// memories returns the clocks of the memories.
func (c *crossing) memories() []uint64 {
	out := make([]uint64, len(c.d.Mems))
	for _, f := range c.frames {
		for m, i := range f.memIDs {
			out[i] = c.clock(f, m.Domain)
		}
	}
	return out
}

// uses checks the inputs of registers, memories, assertions and outputs.
func (c *crossing) uses() {
	for i, r := range c.d.Regs {
		if v := c.pending[i]; v.sig.Crosses == ir.NoCrossing || v.sig.Crosses == ir.CrossSettled {
			c.use(v.frame, c.follows[r.Q], r.D, fmt.Sprintf("register %q", r.Path), r.Sig.Pos)
		}
	}
	at := 0
	for _, f := range c.frames {
		s := f.mod.Scopes[f.scope]
		for _, w := range s.Writes {
			x := c.d.Writes[at]
			at++
			for _, n := range []Net{x.Enable, x.Addr, x.Data} {
				c.use(f, c.clock(f, w.Mem.Domain), n, fmt.Sprintf("memory %q", join(f.sub(w.Mem.Name))), w.Pos)
			}
		}
		for _, a := range s.Checks {
			c.use(f, c.clock(f, a.Domain), c.scalar(f, a.Cond), fmt.Sprintf("assertion %q", a.Text), a.Pos)
		}
	}
	for _, p := range c.d.Ports {
		if p.Sig.Kind == ir.Output && p.Sig.Domain != nil {
			for _, n := range p.Nets {
				c.use(c.frames[0], c.clock(c.frames[0], p.Sig.Domain), n, fmt.Sprintf("output %q", p.Sig.Name), p.Sig.Pos)
			}
		}
	}
}

// use reports n if it follows a clock other than own. It reports each source line at most once.
func (c *crossing) use(f *frame, own uint64, n Net, what string, pos ir.Pos) {
	foreign := c.follows[n] &^ own
	if foreign == 0 || slices.ContainsFunc(c.problems, func(p ir.Problem) bool { return p.Pos == pos }) {
		return
	}
	path := c.path(n, foreign, map[Net]bool{})
	hops := make([]string, len(path))
	for i, x := range path {
		hops[i] = fmt.Sprintf("%s (%s)", x.name, x.pos)
	}
	from := "a value"
	if len(path) > 0 {
		from = fmt.Sprintf("%q", path[0].name)
		if path[0].memory {
			from = "memory " + from
		}
	}
	c.problems = append(c.problems, ir.Problem{ID: "domain", Module: f.mod.IR.Name, Pos: pos,
		Text: fmt.Sprintf("%s of clock %s depends on %s of clock %s: %s; %s", what, c.clockName(own), from, c.clockName(foreign), strings.Join(hops, " -> "), advice(what, path))})
}

// advice suggests a correction for a crossing.
func advice(what string, path []named) string {
	switch {
	case len(path) > 0 && path[0].memory:
		return "a word may change while it is read; a queue between two clocks is cdc.FIFO of hw/lib"
	case strings.HasPrefix(what, "memory "):
		return "one clock writes a memory; cross before it with a part of hw/lib/cdc"
	}
	return "cross with a part of hw/lib/cdc"
}

func (c *crossing) clockName(set uint64) string {
	return c.d.Top.Domains[bits.TrailingZeros64(set)].Name()
}

// path returns the names on the path from a source with a clock in foreign to n. If the source is
// a memory, the path starts with the memory.
func (c *crossing) path(n Net, foreign uint64, seen map[Net]bool) (out []named) {
	if seen[n] {
		return nil
	}
	seen[n] = true
	if op := c.op[n]; op != nil {
		for _, a := range op.Args {
			if c.follows[a]&foreign != 0 {
				out = c.path(a, foreign, seen)
				break
			}
		}
		if out == nil && op.Code == ir.MemRead {
			m := c.d.Mems[op.Lo]
			out = []named{{name: m.Path, pos: m.IR.Pos, memory: true}}
		}
	}
	if i, ok := c.by[n]; ok {
		return []named{{name: c.d.Regs[i].Path, pos: c.d.Regs[i].Sig.Pos}}
	}
	if x, ok := c.named[n]; ok {
		out = append(out, x)
	}
	return out
}
