package cycle

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/split"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
)

// copiesOf returns the plan of 64 instances of a random design.
func copiesOf(t *testing.T, seed uint64) *plan.Plan {
	return planOf(t, random.Random(seed, random.Small))
}

// planOf returns the plan of 64 instances of d.
func planOf(t *testing.T, d *ir.Design) *plan.Plan {
	f, err := plan.Flatten(d)
	require.NoError(t, err)
	words, err := split.Words(f)
	require.NoError(t, err)
	p, err := plan.NewCopies(words.Design, 64)
	require.NoError(t, err)
	return p
}

// TestPhases: phases contain each task once, after all tasks that it waits for, in words that are
// long enough. The same holds after tasks have moved, and moves only reduce the cost.
func TestPhases(t *testing.T) {
	for seed := range uint64(5) {
		p := copiesOf(t, seed)
		for name, list := range map[string]*tasks{"edge": edge(p), "outputs": outputs(p, nil)} {
			for _, sizes := range [][]int{{64}, {32, 64}, {8, 16, 32, 64}} {
				phases := list.phases(sizes)
				checkPhases(t, list, sizes, phases)
				cost := list.cost(phases, 64)
				moved := list.moved(sizes, 64)
				checkPhases(t, list, sizes, moved)
				require.LessOrEqual(t, list.cost(moved, 64), cost, "seed %d: %s in words of %d", seed, name, sizes)
			}
		}
	}
}

func checkPhases(t *testing.T, list *tasks, sizes []int, phases []phase) {
	at := map[*task]int{}
	for i, phase := range phases {
		require.Contains(t, sizes, phase.size)
		kinds := map[int]bool{}
		for _, x := range phase.tasks {
			kinds[x.label] = true
			_, met := at[x]
			require.False(t, met)
			require.LessOrEqual(t, x.size, phase.size)
			require.Equal(t, i, x.phase)
			at[x] = len(at)
		}
		require.LessOrEqual(t, len(kinds), most)
	}
	require.Len(t, at, len(list.list))
	for _, x := range list.list {
		for _, y := range x.before {
			require.Less(t, at[x], at[y])
		}
	}
}

// TestMoves: short words that only longer words of a later phase need are computed in that phase
// instead of waiting in memory. Readers of the same registers follow.
func TestMoves(t *testing.T) {
	one, other, sum := &plan.Value{}, &plan.Value{}, &plan.Value{}
	list := newTasks(&plan.Plan{})
	list.of[sum] = list.add(&task{size: 16, reads: []*plan.Value{one}, out: sum})
	list.effect(32, nil, sum, other)
	list.effect(16, nil, one, other)
	sizes := []int{16, 32}
	require.Len(t, list.phases(sizes), 2)
	require.Equal(t, []phase{{32, list.list}}, list.moved(sizes, 64))
}

// TestMovesTogether: a task moves together with the tasks that only it needs, if none would move
// alone. Both read registers that otherwise only the first phase needs.
func TestMovesTogether(t *testing.T) {
	p, q := &plan.Value{}, &plan.Value{}
	list := newTasks(&plan.Plan{})
	add := func(size int, reads ...*plan.Value) *plan.Value {
		v := &plan.Value{}
		list.of[v] = list.add(&task{size: size, reads: reads, out: v})
		return v
	}
	x := add(16, q)
	y := add(16, p, x)
	stays := add(16, p, q)
	between := stays
	for range 8 {
		between = add(8, between)
	}
	last := add(16, between, y)
	sizes := []int{8, 16}
	require.Len(t, list.phases(sizes), 3)
	require.Len(t, list.moved(sizes, 64), 3)
	require.Equal(t, []int{0, 2, 2, 2}, []int{list.of[stays].phase, list.of[x].phase, list.of[y].phase, list.of[last].phase})
}

// TestTurns: kernels iterate over all vectors once, and once for each of the similar parts.
func TestTurns(t *testing.T) {
	for label, turns := range map[string]int{"the same": 5, "others": 1} {
		list := newTasks(&plan.Plan{})
		for range 5 {
			list.add(&task{size: 16, plain: label == "the same"})
		}
		const vectors, operation, turn = 2, 3, 3 // as documented for the cycle model
		require.Equal(t, vectors*(5*operation+turns*turn), list.cost(list.phases([]int{16}), 64), label)
	}
}

// TestBestPhases: the cost of phases determines their sizes of words. The instances must fill whole
// vectors.
func TestBestPhases(t *testing.T) {
	list := edge(copiesOf(t, 3))
	best, err := list.best(64)
	require.NoError(t, err)
	least := list.cost(best, 64)
	for _, sizes := range [][]int{{64}, {32, 64}, {8, 64}, {8, 16, 32, 64}} {
		require.LessOrEqual(t, least, list.cost(list.phases(sizes), 64), "%d", sizes)
	}
	for copies, want := range map[int]string{
		4:  "4 instances are not vectors of 64 bits each",
		20: "20 instances are not vectors of 64 bits each",
	} {
		_, err := list.best(copies)
		require.EqualError(t, err, want)
	}
}

// made returns a value that a task computes from others.
func (t *tasks) made(code ir.Op, in lanes, reads ...*plan.Value) *plan.Value {
	n := &plan.Node{Code: code, Width: 1}
	for _, v := range reads {
		n.Args = append(n.Args, plan.Operand{V: v, Width: 1})
	}
	n.Out = &plan.Value{Node: n}
	t.of[n.Out] = t.add(&task{size: 8, takes: 1, out: n.Out, reads: readsOf(n), lanes: in})
	return n.Out
}

// taken returns the task of an effect in some lanes.
func (t *tasks) taken(in lanes, reads ...*plan.Value) *task {
	return t.add(&task{size: 8, takes: 1, reads: reads, lanes: in})
}

// TestGrouped: tasks that are needed only in the lanes of a mask form a group, after the tasks that
// they wait for. Exceptions are the mask itself, values with other readers, and cases in which a
// task in between waits for one of them.
func TestGrouped(t *testing.T) {
	in, other := &plan.Value{}, &plan.Value{}
	list := newTasks(&plan.Plan{})
	mask := list.made(ir.Not, lanes{}, in)
	var sum []*task
	last := in
	for range least - 1 {
		last = list.made(ir.Xor, lanes{}, last, in)
		sum = append(sum, list.of[last])
		list.taken(lanes{}, other)
	}
	effect := list.taken(lanes{mask: mask}, last, mask)
	phases := list.phases([]int{8})
	require.Len(t, phases, 1)
	groups := list.grouped(phases[0], list.only())
	require.Len(t, groups, least+1)
	require.Contains(t, groups, group{lanes{mask: mask}, append(sum, effect)})
	require.Equal(t, []*task{list.of[mask]}, groups[0].tasks)

	between := list.taken(lanes{}, other)
	sum[0].first(between)
	between.first(effect)
	require.Len(t, list.grouped(list.phases([]int{8})[0], list.only()), len(list.list), "something waits in between")
	list.taken(lanes{}, last)
	require.Empty(t, list.only()[sum[0]], "all lanes need the sum")
}

// TestChosen: a value that is chosen in the lanes of a mask, or joined to a mask, is needed only
// there, if that holds for all its readers. The tasks that compute it form a group and leave it in
// memory for the choice.
func TestChosen(t *testing.T) {
	a, b := &plan.Value{}, &plan.Value{}
	for name, c := range map[string]struct {
		read func(list *tasks, mask, x *plan.Value)
		want bool
	}{
		"chosen":            {func(list *tasks, mask, x *plan.Value) { list.made(ir.Mux, lanes{}, mask, x, b) }, true},
		"chosen elsewhere":  {func(list *tasks, mask, x *plan.Value) { list.made(ir.Mux, lanes{}, mask, b, x) }, false},
		"chosen everywhere": {func(list *tasks, mask, x *plan.Value) { list.made(ir.Mux, lanes{}, mask, x, x) }, false},
		"chosen by":         {func(list *tasks, mask, x *plan.Value) { list.made(ir.Mux, lanes{}, x, mask, b) }, false},
		"joined":            {func(list *tasks, mask, x *plan.Value) { list.made(ir.And, lanes{}, x, mask) }, true},
		"united":            {func(list *tasks, mask, x *plan.Value) { list.made(ir.Or, lanes{}, x, mask) }, false},
		"chosen, then copied": {func(list *tasks, mask, x *plan.Value) {
			list.made(ir.Mux, lanes{}, mask, list.made(ir.Not, lanes{}, x), b)
		}, true},
		"chosen, and read": {func(list *tasks, mask, x *plan.Value) {
			list.made(ir.Mux, lanes{}, mask, x, b)
			list.taken(lanes{}, x)
		}, false},
		"chosen, and joined": {func(list *tasks, mask, x *plan.Value) {
			list.made(ir.Mux, lanes{}, mask, x, b)
			list.made(ir.And, lanes{}, mask, x)
		}, true},
	} {
		list := newTasks(&plan.Plan{})
		mask, x := list.made(ir.Not, lanes{}, a), b
		for range least + 2 {
			x = list.made(ir.Xor, lanes{}, x, a)
		}
		c.read(list, mask, x)
		groups := list.grouped(list.phases([]int{8})[0], list.only())
		require.Equal(t, c.want, slices.ContainsFunc(groups, func(g group) bool {
			return g.lanes.mask == mask && slices.Contains(g.tasks, list.of[x])
		}), name)
		crossing := map[*plan.Value]bool{}
		list.across(groups, crossing)
		require.Len(t, crossing, len(groupsOf(groups)), name)
	}
}

// groupsOf returns the groups that may be skipped.
func groupsOf(groups []group) []group {
	return slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return g.lanes.mask == nil })
}

// TestGroupsOfJoined: either of two joined values can be skipped where the other is not set, but
// not both.
func TestGroupsOfJoined(t *testing.T) {
	list := newTasks(&plan.Plan{})
	sum := func(n int) *plan.Value {
		in := &plan.Value{}
		x := in
		for range n {
			x = list.made(ir.Xor, lanes{}, x, in)
		}
		return x
	}
	x, y := sum(least+3), sum(least+2)
	list.made(ir.And, lanes{}, x, y)
	groups := list.grouped(list.phases([]int{8})[0], list.only())
	require.Len(t, groupsOf(groups), 1)
	require.Equal(t, y, groups[least+2].lanes.mask)
}

// TestWorth: tasks are not skipped if storing their values costs more than computing them.
func TestWorth(t *testing.T) {
	a := &plan.Value{}
	list := newTasks(&plan.Plan{})
	mask := list.made(ir.Not, lanes{}, a)
	for range least {
		list.made(ir.Mux, lanes{}, mask, list.made(ir.Xor, lanes{}, a), a)
	}
	phase := list.phases([]int{8})[0]
	require.Empty(t, groupsOf(list.grouped(phase, list.only())))
	for _, x := range list.list {
		x.takes = several
	}
	require.Len(t, groupsOf(list.grouped(phase, list.only())), 1)
}

// TestGroupsInOrder: groups contain each task of a phase once, after all tasks that it waits for,
// and after the masks that define the lanes that need them.
func TestGroupsInOrder(t *testing.T) {
	asked := 0
	for seed := range uint64(20) {
		p := copiesOf(t, seed/2)
		list := edge(p)
		if seed%2 > 0 {
			list = outputs(p, nil)
		}
		phases, err := list.best(64)
		require.NoError(t, err)
		at, only := map[*task]int{}, list.only()
		for _, p := range phases {
			for _, g := range list.grouped(p, only) {
				for _, v := range []*plan.Value{g.lanes.mask, g.lanes.clear} {
					if from := list.of[v]; from != nil {
						_, met := at[from]
						require.True(t, met)
						asked++
					}
				}
				for _, x := range g.tasks {
					_, met := at[x]
					require.False(t, met)
					at[x] = len(at)
				}
			}
		}
		require.Len(t, at, len(list.list))
		for _, x := range list.list {
			for _, y := range x.before {
				require.Less(t, at[x], at[y])
			}
		}
	}
	require.Positive(t, asked)
}

// TestCosts: memory costs more if the registers of all instances exceed the first-level cache.
func TestCosts(t *testing.T) {
	words := func(bytes int) *plan.Regs { return &plan.Regs{Q: &plan.Value{Width: 64, Lanes: bytes / 8}} }
	bits := &plan.Regs{Q: &plan.Value{Width: 1, Lanes: 8}}
	for name, c := range map[string]struct {
		regs []*plan.Regs
		want costs
	}{
		"none":       {nil, near},
		"as many":    {[]*plan.Regs{words(firstCache - 1024), words(1016), bits, bits, bits, bits, bits, bits, bits, bits}, near},
		"a bit more": {[]*plan.Regs{words(firstCache), bits}, far},
	} {
		require.Equal(t, c.want, newTasks(&plan.Plan{Regs: c.regs}).costs, name)
	}
	x := &plan.Value{Width: 8, Lanes: 64}
	for of, want := range map[costs]int{near: 3*3 + 4 + 2*2 + 3*3, far: 3*2 + 8 + 2*4 + 3*3} { // as documented for the cycle model
		list := newTasks(&plan.Plan{})
		list.costs = of
		list.of[x] = list.add(&task{size: 8, out: x})
		list.effect(16, nil, x).phase = 1
		require.Equal(t, want, list.cost([]phase{{8, list.list[:1]}, {16, list.list[1:]}}, 64))
	}
}
