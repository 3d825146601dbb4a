package lower

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/split"
	"github.com/hotline-rtl/hotline/hw/ir/irgen"
)

// copiesOf is 64 copies of a random design.
func copiesOf(t *testing.T, seed uint64) *plan.Plan {
	f, err := plan.Flatten(irgen.Random(seed, irgen.Small))
	require.NoError(t, err)
	words, err := split.Words(f)
	require.NoError(t, err)
	return plan.NewCopies(words.Design, 64)
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
		require.True(t, slices.Contains(sizes, phase.size) && len(phase.tasks) <= most)
		for _, x := range phase.tasks {
			_, met := at[x]
			require.False(t, met)
			require.LessOrEqual(t, x.size, phase.size)
			require.Equal(t, i, x.phase)
			at[x] = len(at)
		}
	}
	require.Len(t, at, len(list.list))
	for _, x := range list.list {
		for _, y := range x.before {
			require.Less(t, at[x], at[y])
		}
	}
}

// What short words have computed for longer ones of a later phase moves there rather than wait in
// memory, and what reads the same register follows.
func TestMoves(t *testing.T) {
	state, sum := &plan.Value{}, &plan.Value{}
	list := newTasks(&plan.Plan{})
	list.of[sum] = list.add(&task{size: 16, reads: []*plan.Value{state}, out: sum})
	list.effect(32, nil, sum)
	list.effect(16, nil, state)
	sizes := []int{16, 32}
	require.Len(t, list.phases(sizes), 2)
	require.Equal(t, []phase{{32, list.list}}, list.moved(sizes, 64))
}

// What phases cost decides about their sizes of words, of which copies must be whole vectors.
func TestBestPhases(t *testing.T) {
	list := edge(copiesOf(t, 3))
	best, err := list.best(64)
	require.NoError(t, err)
	least := list.cost(best, 64)
	for _, sizes := range [][]int{{64}, {32, 64}, {8, 64}, {8, 16, 32, 64}} {
		require.LessOrEqual(t, least, list.cost(list.phases(sizes), 64), fmt.Sprint(sizes))
	}
	for copies, want := range map[int]string{
		4:  "4 copies are no vectors of 64 bits each",
		20: "20 copies are no vectors of 64 bits each",
	} {
		_, err := list.best(copies)
		require.EqualError(t, err, want)
	}
}

// What is of use in the lanes of a mask alone comes together, behind what it waits for: not the mask itself, nor what
// something else needs, nor where a task in between waits for one of them.
func TestGrouped(t *testing.T) {
	value := func() *plan.Value { return &plan.Value{} }
	in, mask, other := value(), value(), value()
	list := newTasks(&plan.Plan{})
	add := func(out *plan.Value, in lanes, reads ...*plan.Value) *task {
		x := &task{size: 8, out: out, reads: reads, lanes: in}
		if out != nil {
			list.of[out] = x
		}
		return list.add(x)
	}
	list.of[mask] = add(mask, lanes{}, in)
	var sum []*task
	last := in
	for range least - 1 {
		v := value()
		sum, last = append(sum, add(v, lanes{}, last, in)), v
		add(nil, lanes{}, other)
	}
	effect := add(nil, lanes{mask: mask}, last, mask)
	phases := list.phases([]int{8})
	require.Len(t, phases, 1)
	groups := list.grouped(phases[0], list.only(), nil)
	require.Len(t, groups, least+1)
	require.Contains(t, groups, group{lanes{mask: mask}, append(sum, effect)})
	require.Equal(t, []*task{list.of[mask]}, groups[0].tasks)

	between := add(nil, lanes{}, other)
	sum[0].first(between)
	between.first(effect)
	require.Len(t, list.grouped(list.phases([]int{8})[0], list.only(), nil), len(list.list), "something waits in between")
	add(nil, lanes{}, last)
	require.NotContains(t, list.only(), sum[0], "all lanes need the sum")
}

// Groups have each task of a phase once, after all that it waits for, and after the masks that say which lanes need them.
func TestGroupsInOrder(t *testing.T) {
	asked := 0
	for seed := range uint64(20) {
		list := edge(copiesOf(t, seed))
		phases, err := list.best(64)
		require.NoError(t, err)
		at := map[*task]int{}
		for _, p := range phases {
			for _, g := range list.grouped(p, list.only(), list.crossing()) {
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
