package cycle

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// lanesOf returns tasks for n lanes. Each lane computes a function of a register and a common value
// in several steps, and stores it in the register.
func lanesOf(n int) (list *tasks, registers []*plan.Value, common *plan.Value) {
	id := 0
	value := func() *plan.Value {
		id++
		return &plan.Value{ID: id, Width: 8, Lanes: 64}
	}
	list, common = newTasks(&plan.Plan{}), value()
	for range n {
		register := value()
		registers = append(registers, register)
		last := register
		for step := range fewestSaved {
			v := value()
			list.of[v] = list.add(&task{size: 8, out: v, reads: []*plan.Value{last, common}, label: -1 - step, plain: true})
			last = v
		}
		list.add(&task{size: 8, register: register, reads: []*plan.Value{last}, label: -1 - fewestSaved, plain: true})
	}
	return list, registers, common
}

func newRows() *layout { return &layout{of: map[*plan.Value]*row{}} }

// TestAlike: parts that do the same are merged, with their registers in a row. Each task is done
// once.
func TestAlike(t *testing.T) {
	list, registers, common := lanesOf(5)
	other := list.add(&task{size: 8})
	r := newRows()
	parts := list.parts(list.list, nil, nil, r)
	require.Len(t, parts, 2)
	alike, rest := parts[0], parts[1]
	require.Len(t, alike.members, 5)
	for i, m := range alike.members {
		require.Equal(t, list.list[i*(fewestSaved+1):][:fewestSaved+1], m)
	}
	require.Equal(t, []*plan.Value{common}, alike.again)
	require.Equal(t, [][]*task{{other}}, rest.members)
	require.Equal(t, [][]*plan.Value{registers}, r.all())
}

// TestUnlike lists differences that prevent lanes from sharing a kernel.
func TestUnlike(t *testing.T) {
	for name, change := range map[string]func(list *tasks, registers []*plan.Value, r *layout) map[*task]bool{
		"another order": func(_ *tasks, registers []*plan.Value, r *layout) map[*task]bool {
			r.add([]*plan.Value{registers[0], {ID: 1000}, registers[1]})
			return nil
		},
		"what one takes, the next reads": func(list *tasks, registers []*plan.Value, _ *layout) map[*task]bool {
			list.list[fewestSaved+1].first(list.list[fewestSaved])
			return nil
		},
		"another task": func(list *tasks, _ []*plan.Value, _ *layout) map[*task]bool {
			list.list[0].plain = false
			return nil
		},
		"left out": func(list *tasks, _ []*plan.Value, _ *layout) map[*task]bool {
			return map[*task]bool{list.list[0]: true}
		},
		"some wait for the rest, which waits for others": func(list *tasks, _ []*plan.Value, _ *layout) map[*task]bool {
			x := list.add(&task{size: 8})
			list.list[0].first(x)
			x.first(list.list[1])
			return nil
		},
	} {
		list, registers, _ := lanesOf(fewestAlike)
		r := newRows()
		left := change(list, registers, r)
		parts := list.parts(list.list, left, nil, r)
		require.Equal(t, []part{{members: [][]*task{list.list}}}, parts, name)
	}
}

// TestRows: rows are joined, and the members are in the order of the rows. A row can be part of
// another row.
func TestRows(t *testing.T) {
	v := make([]*plan.Value, 8)
	for i := range v {
		v[i] = &plan.Value{ID: i, Width: 8, Lanes: 64}
	}
	even, odd := []*plan.Value{v[0], v[2], v[4], v[6]}, []*plan.Value{v[1], v[3], v[5], v[7]}
	r := newRows()
	r.add(even)
	r.add(odd)
	require.True(t, r.fits(odd))
	require.True(t, r.fits(odd[1:]))
	require.False(t, r.fits(v), "in between")
	require.False(t, r.fits([]*plan.Value{v[0], v[4]}), "apart")
	require.False(t, r.fits([]*plan.Value{v[0], v[0]}), "twice")

	var f family
	for _, x := range v {
		f.members, f.roles = append(f.members, nil), append(f.roles, []*plan.Value{x})
	}
	var order []*plan.Value
	for _, roles := range r.sorted(f).roles {
		order = append(order, roles[0])
	}
	require.Equal(t, slices.Concat(even, odd), order)
	require.True(t, r.fits(order))
	r.add(order)
	require.Equal(t, [][]*plan.Value{order}, r.all())
}

// TestParts: parts of random designs contain each task once, after all tasks that it waits for,
// members one after the other.
func TestParts(t *testing.T) {
	alike := 0
	for _, seed := range []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 140} { // the last one contains similar parts
		list := edge(copiesOf(t, seed))
		phases, err := list.best(64)
		require.NoError(t, err)
		at := map[*task]int{}
		for _, parts := range list.divide(phases, &Program{Crossing: list.crossing()}, newRows()) {
			for _, x := range parts {
				for _, m := range x.members {
					for _, y := range m {
						_, met := at[y]
						require.False(t, met)
						at[y] = len(at)
					}
				}
				alike += len(x.members) - 1
			}
		}
		require.Len(t, at, len(list.list))
		for _, x := range list.list {
			for _, y := range x.before {
				require.Less(t, at[x], at[y])
			}
		}
	}
	require.Positive(t, alike)
}
