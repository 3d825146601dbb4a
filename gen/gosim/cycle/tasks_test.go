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

// copiesOf returns the plan of 64 copies of a random design.
func copiesOf(t *testing.T, seed uint64) *plan.Plan {
	return planOf(t, random.Random(seed, random.Small))
}

// planOf returns the plan of 64 copies of d.
func planOf(t *testing.T, d *ir.Design) *plan.Plan {
	f, err := plan.Flatten(d)
	require.NoError(t, err)
	words, err := split.Words(f)
	require.NoError(t, err)
	p, err := plan.NewCopies(words.Design, 64)
	require.NoError(t, err)
	return p
}

// Phases have each task once, after all that it waits for, in words that are long enough; also after
// tasks have moved, which only makes them cost less.
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

// What short words have computed for longer ones of a later phase moves there rather than wait in
// memory, and what reads the same registers follows.
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

// What is computed for one task alone moves with it where neither would move alone: both read registers that only the
// first phase needs otherwise.
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

// Kernels go through all vectors once, and once for each of the parts that are alike.
func TestTurns(t *testing.T) {
	for label, turns := range map[string]int{"the same": 5, "others": 1} {
		list := newTasks(&plan.Plan{})
		for range 5 {
			list.add(&task{size: 16, plain: label == "the same"})
		}
		const vectors, operation, turn = 2, 3, 3 // as the document of the cycle model has them
		require.Equal(t, vectors*(5*operation+turns*turn), list.cost(list.phases([]int{16}), 64), label)
	}
}

// What phases cost decides about their sizes of words, of which copies must be whole vectors.
func TestBestPhases(t *testing.T) {
	list := edge(copiesOf(t, 3))
	best, err := list.best(64)
	require.NoError(t, err)
	least := list.cost(best, 64)
	for _, sizes := range [][]int{{64}, {32, 64}, {8, 64}, {8, 16, 32, 64}} {
		require.LessOrEqual(t, least, list.cost(list.phases(sizes), 64), "%d", sizes)
	}
	for copies, want := range map[int]string{
		4:  "4 copies are no vectors of 64 bits each",
		20: "20 copies are no vectors of 64 bits each",
	} {
		_, err := list.best(copies)
		require.EqualError(t, err, want)
	}
}

// made is a value that a task computes of others.
func (t *tasks) made(code ir.Op, in lanes, reads ...*plan.Value) *plan.Value {
	n := &plan.Node{Code: code, Width: 1}
	for _, v := range reads {
		n.Args = append(n.Args, plan.Operand{V: v, Width: 1})
	}
	n.Out = &plan.Value{Node: n}
	t.of[n.Out] = t.add(&task{size: 8, takes: 1, out: n.Out, reads: readsOf(n), lanes: in})
	return n.Out
}

// taken is the task of an effect in some lanes.
func (t *tasks) taken(in lanes, reads ...*plan.Value) *task {
	return t.add(&task{size: 8, takes: 1, reads: reads, lanes: in})
}

// What is of use in the lanes of a mask alone comes together, behind what it waits for: not the mask itself, nor what
// something else needs, nor where a task in between waits for one of them.
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

// What is chosen in the lanes of a mask, or joined to one, is of use there alone, if that is so wherever it is read. What
// has computed it does so together, and leaves it in memory to what chooses.
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

// groupsOf are those that may be left out.
func groupsOf(groups []group) []group {
	return slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return g.lanes.mask == nil })
}

// Of two values that are joined either can be left out where the other is not set, but not both.
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

// What costs more to leave in memory than to compute is not left out.
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

// Groups have each task of a phase once, after all that it waits for, and after the masks that say which lanes need them.
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

// Memory is dearer where the registers of all copies are more than the first cache.
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
	for of, want := range map[costs]int{near: 3*3 + 4 + 2*2 + 3*3, far: 3*2 + 8 + 2*4 + 3*3} { // as the document of the cycle model has them
		list := newTasks(&plan.Plan{})
		list.costs = of
		list.of[x] = list.add(&task{size: 8, out: x})
		list.effect(16, nil, x).phase = 1
		require.Equal(t, want, list.cost([]phase{{8, list.list[:1]}, {16, list.list[1:]}}, 64))
	}
}
