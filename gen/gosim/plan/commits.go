package plan

import (
	"maps"
	"slices"
)

// Places of the steps that follow all nodes of their block.
const (
	fillOutputs  = 1<<30 + iota // before anything changes
	setRegisters                // in the order that keeps the fewest present values
	writeMemory                 // after all reads, in the order of the ports
	setArrays    = 1<<31 - 1    // from arrays with next values
)

// fill adds the step that fills the outputs.
func (b *branching) fill(root *Block) {
	b.step(root, &Commit{}, fillOutputs)
	b.p.shown(func(v *Value) { b.use(root, v) })
}

// commits adds the steps that set registers and write memories. Where a choice
// keeps the present value of a register, the register is set in the other arms only.
func (b *branching) commits(root *Block) {
	for _, r := range b.p.Regs {
		if r.Q.Lanes > 1 {
			b.step(root, &Commit{Reg: r, Value: r.D}, setArrays)
			continue
		}
		in := root
		if r.Clear != nil {
			arms := b.when(in, r.Clear)
			b.put(arms[0], &Commit{Reg: r, Value: Operand{K: r.Init, Width: r.Q.Width}})
			in = arms[1]
		}
		if r.Mask != nil {
			in = b.when(in, r.Mask)[0]
		}
		b.put(in, &Commit{Reg: r, Value: r.D})
	}
	for i := 0; i < len(b.all); i++ {
		c := b.all[i]
		for _, s := range c.stores {
			for k, arm := range c.Arms {
				b.put(arm, &Commit{Reg: s.reg, Value: c.Value(s.of, k)})
			}
		}
	}
	b.writes(root)
}

// writes adds the steps that write memories.
func (b *branching) writes(root *Block) {
	place, written := writeMemory, map[*Memory]bool{}
	for _, m := range b.p.Mems {
		for _, w := range m.Writes {
			in := root
			if w.Enable.V != nil {
				in = b.choiceOn(root, w.Enable, []uint64{1}, false, place).Arms[0]
				in.after = maps.Clone(written)
			}
			if !is(w.Enable, 0) {
				b.step(in, &Commit{Mem: m, Addr: w.Addr, Value: w.Data}, place)
			}
			place++
			written[m] = true
		}
	}
}

// when returns the two arms of the choice by a condition.
func (b *branching) when(in *Block, condition *Value) []*Block {
	return b.choiceOn(in, Operand{V: condition, Width: 1}, []uint64{1}, false, setRegisters).Arms
}

// step adds a commit to a block.
func (b *branching) step(in *Block, c *Commit, place int) {
	in.Steps = append(in.Steps, &Step{Commit: c, order: place})
	b.use(in, c.Addr.V)
	b.use(in, c.Value.V)
}

// put sets a register in a block, unless it keeps its value. It follows a choice that nothing else
// reads, or that may keep the value, into its arms.
func (b *branching) put(in *Block, c *Commit) {
	v := c.Value.V
	if v == c.Reg.Q {
		return
	}
	if v == nil || !b.has(v) || !v.Node.chooses() || in.depth >= mostDepth || b.users[v.Node] > 1 && !v.Node.keeps(c.Reg.Q) {
		b.step(in, c, setRegisters)
		return
	}
	x := b.choice(in, v.Node, setRegisters)
	x.stores = append(x.stores, chosen{c.Reg, v.Node})
}

// keeps reports whether an argument of n, a choice, is q.
func (n *Node) keeps(q *Value) bool {
	return slices.ContainsFunc(n.Args[1:], func(o Operand) bool { return o.V == q })
}

// orderCommits orders the steps of b that set registers: registers that few other steps read come
// first.
func (b *Block) orderCommits() {
	from := slices.IndexFunc(b.Steps, func(s *Step) bool { return s.order == setRegisters })
	if from < 0 {
		return
	}
	to := from
	for to < len(b.Steps) && b.Steps[to].order == setRegisters {
		to++
	}
	steps := b.Steps[from:to]
	reads, sets := make([]map[*Value]bool, len(steps)), make([]map[*Value]bool, len(steps))
	readers := map[*Value]int{}
	index := map[*Step]int{}
	for i, s := range steps {
		reads[i], sets[i] = map[*Value]bool{}, map[*Value]bool{}
		index[s] = i
		s.access(func(v *Value) { reads[i][v] = true }, func(v *Value) { sets[i][v] = true })
		for v := range reads[i] {
			readers[v]++
		}
	}
	kept := func(s *Step) (count int) {
		i := index[s]
		for v := range sets[i] {
			if n := readers[v]; n > 1 || n == 1 && !reads[i][v] {
				count++
			}
		}
		return count
	}
	for k := range steps {
		best := k
		for i := k + 1; i < len(steps); i++ {
			if kept(steps[i]) < kept(steps[best]) {
				best = i
			}
		}
		s := steps[best]
		copy(steps[k+1:best+1], steps[k:best])
		steps[k] = s
		for v := range reads[index[s]] {
			readers[v]--
		}
	}
}

// access calls read and set for the values that s reads and for the registers that it sets, in the
// order of execution. A constant is a nil value.
func (s *Step) access(read, set func(v *Value)) {
	switch {
	case s.Node != nil:
		s.Node.reads(read)
	case s.Choice != nil:
		read(s.Choice.On.V)
		for i := range s.Choice.Arms {
			s.Choice.access(i, read, set)
		}
	default:
		s.Commit.access(read, set)
	}
}

// access calls read and set as Step.access does, for an arm.
func (c *Choice) access(arm int, read, set func(v *Value)) {
	for _, s := range c.Arms[arm].Steps {
		s.access(read, set)
	}
	for _, v := range c.values(arm) {
		read(v)
	}
}

func (c *Commit) access(read, set func(v *Value)) {
	read(c.Addr.V)
	read(c.Value.V)
	if c.Reg != nil {
		set(c.Reg.Q)
	}
}

// overwritten returns the registers whose present values are read after they are set.
func (b *Block) overwritten() (kept []*Value) {
	var visit func(b *Block, set map[*Value]bool)
	read := func(set map[*Value]bool) func(v *Value) {
		return func(v *Value) {
			if set[v] && !slices.Contains(kept, v) {
				kept = append(kept, v)
			}
		}
	}
	visit = func(b *Block, set map[*Value]bool) {
		for _, s := range b.Steps {
			c := s.Choice
			if c == nil {
				s.access(read(set), func(v *Value) { set[v] = true })
				continue
			}
			read(set)(c.On.V)
			after := maps.Clone(set)
			for i, arm := range c.Arms {
				own := maps.Clone(set)
				visit(arm, own)
				for _, v := range c.values(i) {
					read(own)(v)
				}
				maps.Copy(after, own)
			}
			maps.Copy(set, after)
		}
	}
	visit(b, map[*Value]bool{})
	return kept
}
