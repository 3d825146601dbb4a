package lower

import (
	"fmt"
	"iter"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// task is something that a kernel of copies does: an operation, or an effect.
type task struct {
	number   int // in an order in which what is done together is near
	size     int // of words that it is done in, the least
	takes    int // so many operations, about
	out      *plan.Value
	register *plan.Value // to which it gives the next value
	reads    []*plan.Value
	before   []*task // that need this one to be done
	waits    int     // for so many others
	do       func(b *blocked)
	phase    int   // that it is in
	lanes    lanes // in which alone it has an effect
	label    int   // the same for tasks that do the same with what has the same labels
	plain    bool  // another may be like it
}

// several is about how many operations it takes to read words from places that lanes tell, to write them there, or to
// multiply a word of each lane with a matrix of bits.
const several = 8

// tasks are all that leads to some effects.
type tasks struct {
	costs
	list   []*task
	of     map[*plan.Value]*task
	runs   map[*plan.Value]run // parities that are done together
	labels *labels
	depths map[*plan.Value]int  // greatest numbers of operations, one after the other, that lead to values
	common map[*plan.Value]bool // what many tasks of a phase read that are alike
}

func newTasks(p *plan.Plan) *tasks {
	t := &tasks{costs: costsOf(p), of: map[*plan.Value]*task{}, runs: parityRuns(p), depths: map[*plan.Value]int{}}
	t.labels = &labels{map[string]int{}, t}
	return t
}

// effect appends a task, after all that computes what it reads.
func (t *tasks) effect(size int, do func(b *blocked), reads ...*plan.Value) *task {
	for _, v := range reads {
		t.value(v)
	}
	return t.add(&task{size: size, takes: 1, do: do, reads: reads})
}

// add appends x, which waits for what computes what it reads.
func (t *tasks) add(x *task) *task {
	if x.number = len(t.list); !x.plain { // like no other
		x.label = t.labels.number("task", x.number)
	}
	t.list = append(t.list, x)
	for _, v := range x.reads {
		if from := t.of[v]; from != nil {
			from.first(x)
		}
	}
	return x
}

// first has x wait for t.
func (t *task) first(x *task) {
	t.before = append(t.before, x)
	x.waits++
}

// value appends the computation of v, and of all that it needs.
func (t *tasks) value(v *plan.Value) {
	if v == nil || v.Node == nil || t.of[v] != nil {
		return
	}
	if r, ok := t.runOf(v); ok {
		t.inRun(r)
		return
	}
	if z, ok := t.zerosIn(v); ok {
		t.zeros(v, z)
		return
	}
	n := v.Node
	reads := readsOf(n)
	for _, x := range reads {
		t.value(x)
	}
	t.of[v] = &task{size: wordsFor(n), takes: 1, out: v, reads: reads, do: func(b *blocked) { b.operation(n) }, label: t.labels.node(n, reads), plain: plain(n)}
	if n.Code == ir.MemRead {
		t.of[v].takes = several
	}
	t.add(t.of[v])
}

// readsOf are the values that n needs, each once.
func readsOf(n *plan.Node) (out []*plan.Value) {
	if at, _, ok := rowAt(n.Mem, n.Args...); ok {
		return []*plan.Value{at.V}
	}
	n.Uses(func(x *plan.Value, _ bool) {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	})
	return out
}

// wordsFor is the size of words in which n can be computed.
func wordsFor(n *plan.Node) int {
	size := plan.ElemBits(n.Width)
	if v := n.Args[0].V; n.Code == ir.Slice && v != nil && v.Node == nil && v.Width > 1 { // from memory
		return max(size, sliceBits(n))
	}
	for i, a := range n.Args {
		if i == 0 || a.K == nil || n.Code != ir.Shl && n.Code != ir.ShrU && n.Code != ir.ShrS { // of a constant amount what counts is small
			size = max(size, plan.ElemBits(a.Width))
		}
	}
	switch n.Code {
	case ir.Shl, ir.ShrU, ir.ShrS, ir.Mul, ir.SExt, ir.LtS:
		size = max(size, 16)
	case ir.MemRead:
		size = max(size, 32, plan.ElemBits(n.Mem.Width))
	}
	return size
}

// edge are the tasks of a clock edge: next values of registers, each when nothing reads the present
// one any more, what assertions find, and writes to memories, which nothing reads any more either.
func edge(p *plan.Plan) *tasks {
	t := newTasks(p)
	taken := map[*plan.Value]*task{}
	for r, d := range nextOf(p) {
		reads, size := []*plan.Value(nil), max(8, r.Q.LaneBits())
		for _, v := range []*plan.Value{d.V, r.Mask, r.Clear} {
			if v != nil {
				reads = append(reads, v)
			}
		}
		if d.V != nil {
			size = max(size, d.V.LaneBits())
		}
		x := t.effect(size, func(b *blocked) { b.take(r, d) }, reads...)
		x.lanes, x.register = lanes{r.Mask, r.Clear}, r.Q
		if x.plain = inLanes(d, r.Q.Lanes); x.plain {
			x.label = t.labels.take(r, d, reads)
		}
		taken[r.Q] = x
	}
	for _, x := range p.Checks {
		t.effect(8, func(b *blocked) { b.keep(x.Fail) }, x.Fail)
	}
	written := map[*plan.Memory]*task{}
	for _, m := range p.Mems {
		written[m] = t.writes(m)
	}
	for _, x := range t.list { // those that a later write has added, too
		for _, v := range x.reads {
			if y := taken[v]; y != nil && y != x {
				x.first(y)
			}
		}
		if x.out != nil && written[x.out.Node.Mem] != nil {
			x.first(written[x.out.Node.Mem])
		}
	}
	return t
}

// nextOf are registers and what each takes: of a value that is only copied for it, that value itself, unless
// registers would then wait for each other. Their masks are no registers.
func nextOf(p *plan.Plan) iter.Seq2[*plan.Regs, plan.Operand] {
	return func(yield func(*plan.Regs, plan.Operand) bool) {
		from := map[*plan.Value]*plan.Value{}
		for _, r := range p.Regs {
			d := r.D
			if n := d.V.Node; n.Code == ir.Or && len(n.Args) == 1 {
				first := n.Args[0].V
				for first != r.Q && from[first] != nil {
					first = from[first]
				}
				if first != r.Q {
					d = n.Args[0]
					from[r.Q] = d.V
				}
			}
			if !yield(r, d) {
				return
			}
		}
	}
}

// writes appends the writes to m, one after the other, and returns the first; nil if there is none.
func (t *tasks) writes(m *plan.Memory) (first *task) {
	var last *task
	for writes := range rowsOf(m) {
		w := writes[0]
		operands := []plan.Operand{w.Enable, w.Addr}
		size, do := max(32, plan.ElemBits(m.Width), plan.ElemBits(w.Addr.Width)), func(b *blocked) { b.write(m, w) }
		if len(writes) > 1 {
			operands[1], _, _ = rowAt(m, w.Addr)
			do = func(b *blocked) { b.writeRow(m, writes) }
		}
		for _, w := range writes {
			operands = append(operands, w.Data)
		}
		var reads []*plan.Value
		for _, o := range operands {
			if o.V != nil {
				reads = append(reads, o.V)
			}
		}
		x := t.effect(size, do, reads...)
		x.lanes.mask = w.Enable.V
		x.takes = several * len(writes)
		if last == nil {
			first = x
		} else {
			last.first(x)
		}
		last = x
	}
	return first
}

// outputs are the tasks that put ports at places.
func outputs(p *plan.Plan, places map[int]kernel.Place) *tasks {
	t := newTasks(p)
	for i, refs := range p.Outputs {
		if refs == nil {
			continue
		}
		o := plan.Operand{V: refs[0].V, At: plan.Identity, K: refs[0].K, Width: p.D.Ports[i].Sig.Type.Width}
		var reads []*plan.Value
		if o.V != nil {
			reads = append(reads, o.V)
		}
		t.effect(places[i].Size, func(b *blocked) { b.show(places[i], o) }, reads...)
	}
	return t
}

// phase is tasks that one kernel does, in words of at most a size.
type phase struct {
	size  int
	tasks []*task
}

// most is the greatest number of tasks of a phase: so many instructions stay in the caches of
// a processor while a kernel goes through its blocks.
const most = 500

// phases puts tasks in an order in which each comes after what it waits for, and divides them
// by size of words: the shorter the words, the more copies go through a kernel at once. Words are of
// one of some sizes. What is ready and goes on longest comes next.
func (t *tasks) phases(sizes []int) (out []phase) {
	s := t.order(func(x *task) int {
		n, _ := slices.BinarySearch(sizes, x.size)
		return sizes[n]
	})
	for left := len(t.list); left > 0; {
		best := phase{}
		for _, size := range sizes {
			if list := s.copy().follow(size); len(list) > len(best.tasks) {
				best = phase{size, list}
			}
		}
		if len(best.tasks) == 0 {
			panic(fmt.Sprintf("gosim: %d tasks wait for each other", left))
		}
		for _, x := range s.follow(best.size) {
			x.phase = len(out)
		}
		out = append(out, best)
		left -= len(best.tasks)
	}
	return out
}

// order is tasks of which some are done.
type order struct {
	key   func(*task) int // what is done together
	waits []int           // for so many that are not done, by number
	ready map[int][]*task // what waits for none, by key, in the order of numbers
}

// order is that of no task done yet.
func (t *tasks) order(key func(*task) int) *order {
	s := &order{key, make([]int, len(t.list)), map[int][]*task{}}
	for i, x := range t.list {
		if s.waits[i] = x.waits; x.waits == 0 {
			s.add(x)
		}
	}
	return s
}

func (s *order) copy() *order {
	c := &order{s.key, slices.Clone(s.waits), map[int][]*task{}}
	for key, list := range s.ready {
		c.ready[key] = slices.Clone(list)
	}
	return c
}

// add notes that x is ready.
func (s *order) add(x *task) {
	key := s.key(x)
	at, _ := slices.BinarySearchFunc(s.ready[key], x.number, func(y *task, number int) int { return y.number - number })
	s.ready[key] = slices.Insert(s.ready[key], at, x)
}

// follow does what can be done of a key, one task after the other.
func (s *order) follow(key int) (out []*task) {
	labels := map[int]bool{}
	for len(s.ready[key]) > 0 {
		x := s.ready[key][0]
		if len(labels) == most && !labels[x.label] {
			break
		}
		s.ready[key] = s.ready[key][1:]
		out = append(out, x)
		labels[x.label] = true
		for _, y := range x.before {
			if s.waits[y.number]--; s.waits[y.number] == 0 {
				s.add(y)
			}
		}
	}
	return out
}

// best are phases of words of such sizes that they cost least for so many copies.
func (t *tasks) best(copies int) ([]phase, error) {
	all := sizesFor(copies)
	widest := 8
	for _, x := range t.list {
		widest = max(widest, x.size)
	}
	last, _ := slices.BinarySearch(all, widest)
	if last == len(all) {
		return nil, fmt.Errorf("%d copies are no vectors of %d bits each", copies, widest)
	}
	var best []int
	least := 0
	for set := range 1 << last { // of sizes below that
		var sizes []int
		for i, size := range all[:last+1] {
			if i == last || set>>i&1 != 0 {
				sizes = append(sizes, size)
			}
		}
		if n := t.cost(t.moved(sizes, copies), copies); best == nil || n < least {
			best, least = sizes, n
		}
	}
	return t.moved(best, copies), nil
}

// moved are phases of words of some sizes, after tasks have moved.
func (t *tasks) moved(sizes []int, copies int) []phase {
	return t.arranged(t.phases(sizes), copies).moved()
}

// cost is about what phases take for so many copies.
func (t *tasks) cost(phases []phase, copies int) int { return t.arranged(phases, copies).cost() }

// crossing are the values that tasks of another phase read.
func (t *tasks) crossing() map[*plan.Value]bool {
	out := map[*plan.Value]bool{}
	for _, x := range t.list {
		for _, v := range x.reads {
			if from := t.of[v]; from != nil && from.phase != x.phase {
				out[v] = true
			}
		}
	}
	return out
}
