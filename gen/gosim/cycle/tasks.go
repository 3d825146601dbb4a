package cycle

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// task is an action of a kernel for a batch of instances: an operation or an effect.
type task struct {
	number   int // number in an order that keeps related tasks together
	size     int // minimum size of its words
	takes    int // approximate number of operations
	out      *plan.Value
	register *plan.Value // register whose next value it stores
	reads    []*plan.Value
	before   []*task // tasks that wait for this task
	waits    int     // number of tasks that this task waits for
	do       func(b *blocked)
	phase    int   // phase that contains the task
	lanes    lanes // only lanes in which it has an effect
	label    int   // equal for tasks that do the same with values of equal labels
	plain    bool  // another task may be alike
}

// several is the approximate number of operations of an access to words at a different place in
// each lane. A product of a word of each lane with a bit matrix takes as many.
const several = 8

// tasks contains all tasks that lead to some effects.
type tasks struct {
	costs
	list   []*task
	of     map[*plan.Value]*task
	runs   map[*plan.Value]run // parities that are computed together
	labels *labels
	depths map[*plan.Value]int  // length of the longest chain of operations to each value
	common map[*plan.Value]bool // values that many similar tasks of a phase read
}

func newTasks(p *plan.Plan) *tasks {
	t := &tasks{costs: costsOf(p), of: map[*plan.Value]*task{}, runs: parityRuns(p), depths: map[*plan.Value]int{}}
	t.labels = &labels{map[string]int{}, t}
	return t
}

// effect appends a task, after all tasks that compute its operands.
func (t *tasks) effect(size int, do func(b *blocked), reads ...*plan.Value) *task {
	for _, v := range reads {
		t.value(v)
	}
	return t.add(&task{size: size, takes: 1, do: do, reads: reads})
}

// add appends x, which waits for the tasks that compute its operands.
func (t *tasks) add(x *task) *task {
	if x.number = len(t.list); !x.plain { // unlike any other task
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

// first makes x wait for t.
func (t *task) first(x *task) {
	t.before = append(t.before, x)
	x.waits++
}

// value appends the computation of v and of all its operands.
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

// readsOf returns the values that n needs, without duplicates.
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
		if i == 0 || a.K == nil || n.Code != ir.Shl && n.Code != ir.ShrU && n.Code != ir.ShrS { // a constant shift amount fits in any size
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
