package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// forgetful leaves signals unread and optionally marks them as Unused.
type forgetful struct{ Says bool }

func (p forgetful) Build(m *hw.Module) (none struct{}) {
	a, b := m.In("a", 4), m.In("b", 4) // unreadin
	x := hw.Inst(m, "x", twoWays{})    // unreadpin
	x.A.Set(a)
	w := m.Wire("w", 4) // unreadwire
	w.Set(x.Up)
	n := m.Reg("n", 4, 0) // unreadreg
	n.Set(n.Inc())
	mem := m.Mem("mem", 4, 4) // unreadmem
	mem.Write(a.Slice(1, 0), a)
	if p.Says {
		m.Unused(b, x, w, n)
		m.Out("q", 4).Set(mem.Read(a.Slice(1, 0)))
	}
	return none
}

type twoWays struct{}

type twoWaysPorts struct {
	A    hw.Bits `hw:"in,4"`
	Up   hw.Bits `hw:"out,4"`
	Down hw.Bits `hw:"out,4"`
}

func (twoWays) Build(m *hw.Module) twoWaysPorts {
	io := hw.Ports[twoWaysPorts](m)
	io.Up.Set(io.A)
	io.Down.Set(io.A)
	return io
}

func TestUnread(t *testing.T) {
	d, err := hw.Elaborate(forgetful{})
	require.NoError(t, err)
	marks := marks(t)
	for i, p := range ir.Unread(d) {
		require.Equal(t, "unused", p.ID)
		require.Equal(t, "forgetful", p.Module)
		want := []struct{ mark, text string }{
			{"unreadin", `nothing reads input "b"; connect it, or say so with Unused`},
			{"unreadpin", `nothing reads output "down" of instance "x"; connect it, or say so with Unused`},
			{"unreadwire", `nothing reads wire "w"; connect it, or say so with Unused`},
			{"unreadreg", `nothing reads reg "n"; connect it, or say so with Unused`},
			{"unreadmem", `nothing reads memory "mem"`},
		}[i]
		require.Equal(t, want.text, p.Text)
		require.Contains(t, p.Pos.String(), marks[want.mark])
	}
	require.Len(t, ir.Unread(d), 5)

	d, err = hw.Elaborate(forgetful{Says: true})
	require.NoError(t, err)
	require.Empty(t, ir.Unread(d))
	text := d.String()
	require.Contains(t, text, "pin x_down : 4 <- x.down unused\n")
	require.Contains(t, text, "reg n : 4 reset 4'd0 unused\n")
	again, err := ir.Parse("text", text)
	require.NoError(t, err)
	require.Equal(t, text, again.String())
}

func TestUnusedMistakes(t *testing.T) {
	run(t, []mistake{
		{"no signal", func(m *hw.Module) {
			m.Unused(3) // unusedint
		}, []string{"{unusedint} < {build}: bad: [scope] Unused of int, which has no signals"}},
		{"a result", func(m *hw.Module) {
			m.Unused(m.In("a", 4).Not()) // unusednot
		}, []string{"{unusednot} < {build}: bad: [scope] Unused: expected a signal of the module"}},
	})
}
