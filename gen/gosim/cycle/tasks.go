package cycle

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/lower"
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

// several is about how many operations it takes to read words from a place for each lane, to write them there, or to
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

// readsOf returns the values that n needs, each once.
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

// wordsFor returns the size of words in which n can be computed.
func wordsFor(n *plan.Node) int {
	size := plan.ElemBits(n.Width)
	if v := n.Args[0].V; n.Code == ir.Slice && v != nil && v.Node == nil && v.Width > 1 { // from memory
		return max(size, lower.SliceBits(n))
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
