package interp

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// register is a register element; words is its size.
type register struct {
	q, d, words uint32
	fan         span
	init        []uint64 // nil without reset
	path        string
}

// memory is a memory; each word takes size consecutive elements of data.
type memory struct {
	depth, width, size int
	data               []uint64
	writes             []write
	readers            []reader
	path               string
	any                bool // see DontCare
}

// write is a write port, given by the slots of its operands.
type write struct{ enable, addr, addrWords, data uint32 }

// reader is a MemRead operation: the slots of its address, its index and its result.
type reader struct {
	addr, addrWords uint32
	op              int32
	out             netlist.Net
}

// watch is a recorded signal element.
type watch struct {
	net    netlist.Net
	signal wave.Signal
}

// compiler builds a Sim.
type compiler struct {
	*Sim
	alias []netlist.Net // by netlist.Net: the net that it shares slots with, or itself
	users [][]int       // by netlist.Net: members of the pending set that depend on it
}

func compile(s *Sim) {
	c := &compiler{Sim: s}
	c.clears()
	c.shareSlots()
	c.isolateRegisters()
	c.storage()
	c.state()
	ops := c.operations()
	c.layout(len(ops))
	for i, op := range ops {
		c.instruction(i, op)
	}
	c.effects()
	c.fanOut(ops)
	c.start()
}

// clears converts each conditional reset to a multiplexer in front of the register.
func (c *compiler) clears() {
	for i := range c.d.Regs {
		r := &c.d.Regs[i]
		if r.Clear == netlist.None {
			continue
		}
		init, next := c.newNet(r), c.newNet(r)
		c.d.Consts = append(c.d.Consts, netlist.Const{Net: init, Val: r.Init})
		c.d.Ops = append(c.d.Ops, netlist.Op{Code: ir.Mux, Out: next, NOut: 1, Args: []netlist.Net{r.Clear, init, r.D}})
		r.D = next
	}
}

// newNet returns a new net with the width of r.
func (c *compiler) newNet(r *netlist.Reg) netlist.Net {
	c.d.Width = append(c.d.Width, c.d.Width[r.Q])
	return netlist.Net(len(c.d.Width) - 1)
}

// shareSlots lets a zero-extension within one word use the slot of its operand.
func (c *compiler) shareSlots() {
	c.alias = make([]netlist.Net, len(c.d.Width))
	for n := range c.alias {
		c.alias[n] = netlist.Net(n)
	}
	for i := range c.d.Ops {
		if op := &c.d.Ops[i]; c.sharesSlot(op) {
			c.alias[op.Out] = c.alias[op.Args[0]] // final, because operands precede their users
		}
	}
}

func (c *compiler) sharesSlot(op *netlist.Op) bool {
	return op.Code == ir.ZExt && c.width(op.Out) <= 64
}

// isolateRegisters adds a copy operation for each register that loads the current value of another
// register. Registers can then be committed in any order.
func (c *compiler) isolateRegisters() {
	isQ := map[netlist.Net]bool{}
	for _, r := range c.d.Regs {
		isQ[r.Q] = true
	}
	for i := range c.d.Regs {
		r := &c.d.Regs[i]
		if d := c.alias[r.D]; d == r.Q || !isQ[d] {
			continue
		}
		n := c.newNet(r)
		c.alias = append(c.alias, n)
		c.d.Ops = append(c.d.Ops, netlist.Op{Code: ir.Or, Out: n, NOut: 1, Args: []netlist.Net{r.D}})
		r.D = n
	}
}

// storage assigns slots to each net.
func (c *compiler) storage() {
	c.users = make([][]int, len(c.alias))
	c.slots = make([]uint32, len(c.alias))
	next := uint32(0)
	for n, a := range c.alias {
		if a == netlist.Net(n) {
			c.slots[n] = next
			next += uint32(c.words(a))
		}
	}
	for n, a := range c.alias {
		c.slots[n] = c.slots[a]
	}
	c.vals = make([]uint64, next)
	for _, k := range c.d.Consts {
		copy(c.net(k.Net), k.Val)
	}
}

func (c *compiler) width(n netlist.Net) int { return int(c.d.Width[n]) }

func (c *compiler) words(n netlist.Net) int { return ir.Words(c.width(n)) }

// operations returns the operations that require an instruction.
func (c *compiler) operations() []*netlist.Op {
	var out []*netlist.Op
	for i := range c.d.Ops {
		if op := &c.d.Ops[i]; !c.sharesSlot(op) {
			out = append(out, op)
		}
	}
	return out
}

// state creates registers and memories.
func (c *compiler) state() {
	c.regs = make([]register, len(c.d.Regs))
	for i, r := range c.d.Regs {
		g := &c.regs[i]
		*g = register{q: c.slots[r.Q], d: c.slots[r.D], words: uint32(c.words(r.Q)), path: r.Path}
		if r.Reset {
			g.init = r.Init
			c.resets = append(c.resets, int32(i))
		}
	}
	c.mems = make([]memory, len(c.d.Mems))
	for i, m := range c.d.Mems {
		size := ir.Words(m.IR.Width)
		c.mems[i] = memory{depth: m.IR.Depth, width: m.IR.Width, size: size, data: make([]uint64, m.IR.Depth*size), path: m.Path, any: m.IR.Any}
		copy(c.mems[i].data, m.IR.Init)
	}
	for _, w := range c.d.Writes {
		m := &c.mems[w.Mem]
		m.writes = append(m.writes, write{c.slots[w.Enable], c.slots[w.Addr], uint32(c.words(w.Addr)), c.slots[w.Data]})
	}
}

// layout assigns the regions of the pending set.
func (c *compiler) layout(ops int) {
	c.code = make([]instr, ops)
	if c.recorder != nil {
		c.watchSignals()
	}
	counts := [numRegions]int{operations: ops, registers: len(c.regs), memories: len(c.mems), assertions: len(c.d.Checks), watches: len(c.waves)}
	top := 0
	for i, n := range counts {
		size := (n + regionBits - 1) / regionBits
		c.region[i] = region{top, top + size}
		top += size
	}
	c.pending = set{words: make([]uint64, top*64), top: make([]uint64, top)}
}

// use records that member i of a region depends on nets.
func (c *compiler) use(region, i int, nets ...netlist.Net) {
	for _, n := range nets {
		r := c.alias[n]
		c.users[r] = append(c.users[r], c.region[region].first()+i)
	}
}

// effects records the dependencies of state, assertions and waves.
func (c *compiler) effects() {
	for i, r := range c.d.Regs {
		c.use(registers, i, r.D)
	}
	for _, w := range c.d.Writes {
		c.use(memories, w.Mem, w.Enable, w.Addr, w.Data)
	}
	for i, k := range c.d.Checks {
		c.use(assertions, i, k.Enable, k.Cond)
	}
	for i, w := range c.waves {
		c.use(watches, i, w.net)
	}
}

// fanOut converts users to marks.
func (c *compiler) fanOut(ops []*netlist.Op) {
	c.fans = make([]span, len(c.users))
	for n, users := range c.users {
		slices.Sort(users)
		lo := len(c.marks)
		for _, u := range users {
			m := mark{1 << (u & 63), uint32(u >> 6)}
			if last := len(c.marks) - 1; last >= lo && c.marks[last].word == m.word {
				c.marks[last].bits |= m.bits
				continue
			}
			c.marks = append(c.marks, m)
		}
		c.fans[n] = span{uint32(lo), uint32(len(c.marks))}
	}
	for i, op := range ops {
		in := &c.code[i]
		if !in.spanned() {
			in.fan, in.end = c.fans[op.Out].lo, c.fans[op.Out].hi
			continue
		}
		in.fan = uint32(len(c.spans))
		for k := range op.NOut {
			c.spans = append(c.spans, c.fans[op.Out+netlist.Net(k)])
		}
	}
	for i, r := range c.d.Regs {
		c.regs[i].fan = c.fans[r.Q]
	}
}

// start makes everything pending.
func (c *compiler) start() {
	counts := [numRegions]int{len(c.code), len(c.regs), len(c.mems), len(c.d.Checks), len(c.waves)}
	for r, n := range counts {
		for i := range n {
			c.pending.addOne(c.region[r].first() + i)
		}
	}
	c.dirty = true
	size := 1
	for i := range c.d.Ops {
		op := &c.d.Ops[i]
		size = max(size, int(op.NOut)*c.words(op.Out))
	}
	for _, w := range c.d.Width {
		size = max(size, ir.Words(int(w)))
	}
	c.temp = make([]uint64, size)
}
