package hw_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func TestPortMistakes(t *testing.T) {
	run(t, []mistake{
		{"port", func(m *hw.Module) {
			a := m.In("a", 4)
			mem := m.Mem("mem", 16, 8)
			rd := mem.Port("rd")
			rd.Read(a)                        // porpa
			rd.Read(a)                        // porpb
			mem.Port("idle")                  // porpc
			mem.Port("slim").Read(a.Trunc(3)) // porpd
			m.When(a.Bit(0), func() {         // porpeb
				mem.Port("inner").Read(a) // porpe
			})
			m.For("lane", 2, func(hw.Index) { // porpfb
				mem.Port("away").Read(a) // porpf
			})
			hw.Port[hw.Bits]{}.Read(a) // porpg
		}, []string{
			"{porpb} < {build}: bad: [memory] port \"rd\" reads already at {porpa} < {build}; choose the address with Mux, or declare another port",
			"{porpc} < {build}: bad: [memory] port \"idle\" never reads; call Read",
			"{porpd} < {build}: bad: [width] the address of mem has 3 bits, expected 4; use Ext, SExt or Trunc",
			"{porpe} < {porpeb}: bad: [scope] port \"inner\" is inside a condition; put Read inside it",
			"{porpf} < {porpfb}: bad: [scope] port \"away\" is outside the scope that declares memory \"mem\"",
			"{porpg} < {build}: bad: [direction] a port that was never declared",
		}},
		{"collisions", func(m *hw.Module) {
			a, x := m.In("a", 4), m.In("x", 8)
			m.Out("q", 8).Set(m.Mem("at_once", 16, 8).OnWrite(hw.NewWord).Read(a)) // porka
			late := m.Mem("late", 16, 8)
			late.Write(a, x)
			late.OnWrite(hw.AnyWord)                    // porkb
			busy := m.Mem("busy", 16, 8).Style("block") // porkc
			for range 3 {
				busy.Write(a, x)
			}
			lanes := m.Mem("lanes", 16, 8).OnWrite(hw.NewWord)
			lanes.Port("rd").Read(a)
			lanes.WriteLanes(a, x, x.Trunc(2))
			lanes.WriteLanes(a, x, x.Trunc(4)) // porkd
			lanes.WriteLanes(a, x, x.Trunc(3)) // porke
			lanes.WriteLanes(a, x, x.Bit(0))   // porkf
			lanes.WriteLanes(a, x, hw.K(1))    // porkg
		}, []string{
			"{porka} < {build}: bad: [memory] memory \"at_once\": Read returns the old word in the same cycle; read a memory with another OnWrite through a Port",
			"{porkb} < {build}: bad: [memory] OnWrite of memory \"late\" follows a port or a write; call it where the memory is declared",
			"{porkc} < {build}: bad: [memory] memory \"busy\" has 3 writes, and a RAM of style block has 2 ports; use registers, or choose what is written first",
			"{porkd} < {build}: bad: [memory] memory \"lanes\" is written with masks of 2 and 4 bits; its ports read new words, for which all must be the same",
			"{porke} < {build}: bad: [memory] a mask of 3 bits does not divide the 8 bits of a word of \"lanes\" into equal lanes; expected at least two lanes",
			"{porkf} < {build}: bad: [memory] a mask of 1 bits does not divide the 8 bits of a word of \"lanes\" into equal lanes; expected at least two lanes",
			"{porkg} < {build}: bad: [const] a constant without width; use Lit",
		}},
	})
}

// collider is a memory of 4 words with 3 lanes, one port and two writes; the first write has a
// mask. It behaves the same inside and outside of a loop.
type collider struct {
	On   hw.Collision
	Loop bool
}

func (p collider) Build(m *hw.Module) struct{} {
	w1, w2, r := m.In("w1", 3), m.In("w2", 1), m.In("r", 1)
	a1, a2, ar := m.In("a1", 2), m.In("a2", 2), m.In("ar", 2)
	x1, x2 := m.In("x1", 12), m.In("x2", 12)
	q := m.OutVec("q", 1, 12)
	f := func(at hw.Index) {
		mem := m.Mem("mem", 4, 12).OnWrite(p.On)
		rd := mem.Port("rd")
		mem.WriteLanes(a1, x1, w1)
		m.When(r, func() { rd.Read(ar) })
		m.When(w2, func() { mem.Write(a2, x2) })
		q.At(at).Set(rd.Data)
	}
	if p.Loop {
		m.For("lane", 1, f)
	} else {
		f(hw.At(0))
	}
	return struct{}{}
}

func merge(old, x, mask uint64) uint64 {
	for i := range uint64(3) {
		if mask>>i&1 == 1 {
			old = old&^(0xF<<(4*i)) | x&(0xF<<(4*i))
		}
	}
	return old
}

// TestCollisions: a port reads the old word, the new word, or an arbitrary word, as specified. For
// the new word, the behaviour of the memory itself does not matter.
func TestCollisions(t *testing.T) {
	for _, p := range []collider{{}, {hw.NewWord, false}, {hw.NewWord, true}, {hw.AnyWord, false}} {
		d, err := hw.Elaborate(p)
		require.NoError(t, err)
		s, err := interp.New(d, interp.DontCare(1))
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(2, 0))
		var mem [4]uint64
		var want uint64
		random, known := 0, true
		for range 3000 {
			in := map[string]uint64{"w1": r.Uint64N(8), "w2": r.Uint64N(2), "r": r.Uint64N(2), "a1": r.Uint64N(4),
				"a2": r.Uint64N(4), "ar": r.Uint64N(4), "x1": r.Uint64N(4096), "x2": r.Uint64N(4096)}
			for name, v := range in {
				sim.Find(s, name).Set(v)
			}
			have := sim.Find(s, "q").Get()
			if known {
				require.Equal(t, want, have, "%+v", p)
			} else if have != want {
				random++
			}
			old := mem[in["ar"]]
			mem[in["a1"]] = merge(mem[in["a1"]], in["x1"], in["w1"])
			if in["w2"] == 1 {
				mem[in["a2"]] = in["x2"]
			}
			if in["r"] == 1 {
				want, known = old, true
				switch p.On {
				case hw.NewWord:
					want = mem[in["ar"]]
				case hw.AnyWord:
					hit := in["a1"] == in["ar"] || in["w2"] == 1 && in["a2"] == in["ar"]
					known = !hit
				}
			}
			require.NoError(t, s.Step())
		}
		require.Equal(t, p.On == hw.AnyWord, random > 100, "%d", random)
	}
}
