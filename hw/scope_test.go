package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// rises returns 1 in the first cycle in which x is 1.
func rises(m *hw.Module, x hw.Bits) hw.Bits {
	last := m.Reg("last", 1, 0) // scoa
	last.Set(x)
	return x.And(last.Not()).As("rises") // scob
}

// everything declares one thing of each kind that has a name.
func everything(m *hw.Module, x hw.Bits) hw.Bits {
	mem := m.Mem("words", 4, 1)
	mem.Write(hw.Lit(2, 0), x)
	any := m.WireVec("each", 2, 1)
	m.For("copies", 2, func(i hw.Index) { any.At(i).Set(mem.Read(i.Bits(2)).As("copy")) })
	inner := hw.Inst(m, "queue", FIFO{Width: 1, Depth: 2})
	inner.Push.Valid.Set(any.Pack().Any())
	inner.Push.Data.Set(x)
	inner.Pop.Ready.Set(hw.K(1))
	state := hw.FSM[struct{ Idle, Busy hw.State }](m, "state")
	state.Idle.Do(state.Busy.Next)
	state.Busy.Do(nil)
	return state.Busy.Is().And(inner.Pop.Data).As("out")
}

func TestScopeNames(t *testing.T) {
	describe := func(m *hw.Module) {
		a, q := m.In("a", 1), m.Out("q", 1)
		up := hw.Scope(m, "up", func() hw.Bits { return rises(m, a) })
		down := hw.Scope(m, "down", func() hw.Bits { return rises(m, a.Not()) })
		var deep hw.Bits
		m.Scope("left", func() {
			m.Scope("deep", func() { deep = everything(m, a) })
			deep = deep.Or(rises(m, a)).As("both")
		})
		q.Set(up.Or(down).As("both").Or(deep))
	}
	built, err := hw.Elaborate(described{&describe})
	require.NoError(t, err)
	var names []string
	built.Top.Body.Walk(func(s *ir.Scope) {
		for _, x := range s.Signals {
			names = append(names, x.Name)
		}
		for _, x := range s.Mems {
			names = append(names, x.Name)
		}
		for _, x := range s.Insts {
			names = append(names, x.Name)
		}
		for _, x := range s.Fors {
			names = append(names, x.Name)
		}
	})
	require.Equal(t, []string{"a", "q", "up_last", "up_rises", "down_last", "down_rises",
		"left_deep_each", "left_deep_queue_push_valid", "left_deep_queue_push_ready", "left_deep_queue_push_data",
		"left_deep_queue_pop_valid", "left_deep_queue_pop_ready", "left_deep_queue_pop_data", "left_deep_queue_level",
		"left_deep_state", "left_deep_out", "left_last", "left_rises", "left_both", "both",
		"left_deep_words", "left_deep_queue", "left_deep_copies", "left_deep_copy"}, names)
}

func TestScopeMistakes(t *testing.T) {
	run(t, []mistake{
		{"called twice", func(m *hw.Module) {
			a := m.In("a", 1)
			rises(m, a) // scof
			rises(m, a) // scoc
		}, []string{
			`{scoa} < {scoc}: bad: [name] reg "last" is already declared at {scoa} < {scof}; a function that is called twice needs hw.Scope`,
			`{scob} < {scoc}: bad: [name] wire "rises" is already declared at {scob} < {scof}; a function that is called twice needs hw.Scope`,
		}},
		{"port", func(m *hw.Module) {
			m.Scope("up", func() { m.In("a", 1) }) // scod
		}, []string{`{scod} < {scod}: bad: [scope] port "up_a" is declared in a Scope; ports belong to the module`}},
		{"name", func(m *hw.Module) {
			m.Scope("Up", func() {}) // scoe
		}, []string{`{scoe} < {build}: bad: [name] scope "Up": a name is lower-case words of letters and digits joined by single underscores`}},
	})
}
