package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
)

func TestDoc(t *testing.T) {
	describe := func(m *hw.Module) {
		a, q := m.In("a", 2).Doc("where to look"), m.OutVec("q", 2, 4).Doc("what is there")
		mem := hw.Of[Pair](nil).Mem(m, "words", 4).Doc("pairs of halves")
		mem.Write(a, hw.Of[Pair](nil).Zero(m))
		n := m.Reg("n", 4, 0).Doc("steps so far")
		n.Set(n.Inc())
		q.N(0).Set(mem.Read(a).Low.As("low").Doc("the lower half"))
		q.N(1).Set(n)
	}
	d, err := hw.Elaborate(described{&describe})
	require.NoError(t, err)
	for _, line := range []string{
		`input a : 2 doc "where to look"`, `output q : 2x4 doc "what is there"`, `reg n : 4 reset 4'd0 doc "steps so far"`,
		`wire low : 4 doc "the lower half"`, `mem words : 4x8 doc "pairs of halves {low 4, high 4}"`,
	} {
		require.Contains(t, d.String(), line+"\n")
	}
}

func TestDocMistakes(t *testing.T) {
	run(t, []mistake{
		{"of a value", func(m *hw.Module) {
			a := m.In("a", 1)
			a.Not().Doc("not a") // doca
		}, []string{`{doca} < {build}: bad: [direction] only a signal that the module declares can have a Doc; name the value with As`}},
		{"of a pin", func(m *hw.Module) {
			a, q := m.In("a", 1), m.Out("q", 1)
			u := hw.Inst(m, "queue", FIFO{Width: 1, Depth: 2})
			u.Push.Valid.Set(a)
			u.Push.Data.Set(a)
			u.Pop.Ready.Set(a)
			q.Set(u.Pop.Data.Doc("the oldest")) // docb
		}, []string{`{docb} < {build}: bad: [direction] only a signal that the module declares can have a Doc; name the value with As`}},
		{"of a number", func(m *hw.Module) {
			hw.K(5).Doc("five") // docc
		}, []string{`{docc} < {build}: bad: [direction] only a signal can have a Doc`}},
	})
}
