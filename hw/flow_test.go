package hw_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw"
)

func TestLatch(t *testing.T) {
	run(t, []mistake{
		{"when", func(m *hw.Module) {
			c, x, y, z := m.In("c", 2), m.Wire("x", 4), m.Wire("y", 4), m.WireVec("z", 2, 4)
			m.When(c.Bit(0), func() { // la
				x.Set(hw.K(1))
				m.When(c.Bit(1), func() { y.Set(hw.K(1)) }) // lb
				z.N(1).Set(hw.K(1))
			}).Else(func() { y.Set(hw.K(1)) })
			z.N(0).Set(hw.K(1))
		}, []string{
			`{la} < {build}: bad: [latch] "x" has no value on some path through here; set a default before`,
			`{la} < {build}: bad: [latch] "z" has no value on some path through here; set a default before`,
			`{lb} < {la}: bad: [latch] "y" has no value on some path through here; set a default before`,
		}},
		{"switch", func(m *hw.Module) {
			c, x, y := m.In("c", 2), m.Wire("x", 4), m.Wire("y", 4)
			one := func() { x.Set(hw.K(1)) }
			m.Switch(c).Case(hw.K(0), one).Case(hw.K(1), one).Any([]hw.Bits{hw.K(2)}, one) // lc
			m.Switch(c).Case(hw.K(0), func() { y.Set(hw.K(1)) }).Default(func() {})        // ld
		}, []string{
			`{lc} < {build}: bad: [latch] "x" has no value on some path through here; set a default before`,
			`{ld} < {build}: bad: [latch] "y" has no value on some path through here; set a default before`,
		}},
		{"element of nothing", func(m *hw.Module) {
			i, v := m.In("i", 2), m.WireVec("v", 4, 8)
			v.Index(i).Set(hw.K(1)) // le
		}, []string{`{le} < {build}: bad: [latch] an element of "v" is assigned before the other elements have a value; set all of it first`}},
	})
	sound(t, func(m *hw.Module) {
		c, x, y, z := m.In("c", 2), m.Wire("x", 4), m.Wire("y", 4), m.Wire("z", 4)
		one := func() { x.Set(hw.K(1)) }
		m.Switch(c).Any([]hw.Bits{hw.K(0), hw.K(3)}, one).Case(hw.K(1), one).Case(hw.K(2), one)
		m.When(hw.K(1), func() { y.Set(hw.K(1)) })
		m.Switch(hw.Lit(2, 3)).Case(hw.K(3), func() { z.Set(hw.K(1)) })
		m.When(c.Bit(0), nil).Else(nil)
	})
}

func TestLoop(t *testing.T) {
	run(t, []mistake{
		{"wires", func(m *hw.Module) {
			a, x, y, z := m.In("a", 4), // one line each:
				m.Wire("x", 4), // oa
				m.Wire("y", 4), // ob
				m.Wire("z", 4) // oc
			x.Set(y.Inc())
			y.Set(z.And(a))
			z.Set(x.Not())
		}, []string{`{oa} < {build}: bad: [loop] combinational loop: ` +
			`x ({oa} < {build}) <- y ({ob} < {build}) <- z ({oc} < {build}) <- x ({oa} < {build})`}},
		{"itself", func(m *hw.Module) {
			x := m.Wire("x", 4) // od
			x.Set(x.Inc())
		}, []string{`{od} < {build}: bad: [loop] combinational loop: x ({od} < {build}) <- x ({od} < {build})`}},
		{"elements", func(m *hw.Module) {
			v := m.WireVec("v", 3, 4) // oe
			m.For("lane", 2, func(i hw.Index) { v.At(i.Plus(1)).Set(v.At(i).Inc()) })
			v.N(0).Set(v.N(2))
		}, []string{`{oe} < {build}: bad: [loop] combinational loop: v[0] ({oe} < {build}) <- v[2] ({oe} < {build}) <- v[1] ({oe} < {build}) <- v[0] ({oe} < {build})`}},
		{"through an instance", func(m *hw.Module) {
			x := m.Wire("x", 4)              // of
			p := hw.Inst(m, "pass", pass{4}) // og
			p.A.Set(x)
			x.Set(p.NotA)
			p.B.Set(p.NotA)
		}, []string{`{of} < {build}: bad: [loop] combinational loop: x ({of} < {build}) <- pass_not_a ({og} < {build}) <- ` +
			`pass.not_a ({oh} < {og}) <- pass.a ({oi} < {og}) <- pass_a ({og} < {build}) <- x ({of} < {build})`}},
		{"in an iteration", func(m *hw.Module) {
			m.For("lane", 2, func(hw.Index) { // oj
				x := m.Wire("x", 4) // ok
				x.Set(x.Inc())
			})
		}, []string{`{ok} < {oj}: bad: [loop] combinational loop: lane[0].x ({ok} < {oj}) <- lane[0].x ({ok} < {oj})`}},
		{"beside another mistake", func(m *hw.Module) { // loops are not reported then
			x := m.Wire("x", 4)
			x.Set(x.Inc())
			m.Out("q", 4) // on
		}, []string{`{on} < {build}: bad: [driver] output "q" has no driver`}},
		{"through an address", func(m *hw.Module) {
			mem, x := m.Mem("mem", 4, 2), m.Wire("x", 2) // ol
			x.Set(mem.Read(x))
		}, []string{`{ol} < {build}: bad: [loop] combinational loop: x ({ol} < {build}) <- x ({ol} < {build})`}},
	})
	sound(t, func(m *hw.Module) { // a chain through the elements of one vector
		v := m.WireVec("v", 9, 4)
		m.For("lane", 8, func(i hw.Index) { v.At(i.Plus(1)).Set(v.At(i).Inc()) })
		v.N(0).Set(hw.K(1))
	})
	sound(t, func(m *hw.Module) { // back through the other path of an instance
		p := hw.Inst(m, "pass", pass{4})
		p.A.Set(p.MinusB)
		p.B.Set(m.In("x", 4))
	})
	sound(t, func(m *hw.Module) { // elements of vector ports, choices of whole vectors
		p := hw.Inst(m, "lanes", lanes{})
		v := m.WireVec("v", 3, 4)
		v.Set(hw.Mux(m.In("c", 1), p.Q, m.InVec("w", 3, 4)))
		p.A.N(0).Set(hw.K(1))
		p.A.N(1).Set(v.N(0))
		p.A.N(2).Set(v.Pack().Unpack(4).N(1))
	})
	sound(t, func(m *hw.Module) { // a choice with a constant condition
		x, y := m.Wire("x", 4), m.Wire("y", 4)
		x.Set(hw.Mux(hw.K(0), y, hw.K(3)))
		y.Set(x)
	})
}

// pass has two disjoint combinational paths.
type pass struct{ Width int }

func (p pass) Build(m *hw.Module) struct{ A, B, NotA, MinusB hw.Bits } {
	a, b := m.In("a", p.Width), m.In("b", p.Width)               // oi
	na, mb := m.Out("not_a", p.Width), m.Out("minus_b", p.Width) // oh
	na.Set(a.Not())
	mb.Set(b.Neg())
	return struct{ A, B, NotA, MinusB hw.Bits }{a, b, na, mb}
}

// lanes operates on the elements of a vector.
type lanes struct{}

func (lanes) Build(m *hw.Module) struct{ A, Q hw.Vec } {
	a, q := m.InVec("a", 3, 4), m.OutVec("q", 3, 4)
	m.For("lane", 3, func(i hw.Index) { q.At(i).Set(a.At(i).Inc()) })
	return struct{ A, Q hw.Vec }{a, q}
}

func TestParam(t *testing.T) {
	run(t, []mistake{
		{"not comparable", func(m *hw.Module) {
			hw.Inst(m, "list", List{[]int{1}})       // pa
			hw.Inst(m, "boxed", Boxed{[]int{1}})     // pb
			hw.Inst(m, "pointer", Pointer{new(int)}) // names no address, so that one is legal
			hw.Inst(m, "other", Pointer{new(int)})   // pc
		}, []string{
			"{pa} < {build}: list: [param] parameters of type hw_test.List are not comparable: use no slices, maps or functions",
			"{pb} < {build}: boxed: [param] parameters of type hw_test.Boxed are not comparable: use no slices, maps or functions",
			`{pc} < {build}: pointer: [name] two modules have this name: hw_test.Pointer{Value:?} and hw_test.Pointer{Value:?}; give one a ModuleName`,
		}},
		{"iterations", func(m *hw.Module) {
			m.For("none", 0, func(hw.Index) {})     // pd
			m.For("many", 1<<20, func(hw.Index) {}) // pe
		}, []string{
			`{pd} < {build}: bad: [param] loop "none" has 0 iterations; expected 1 to 65536`,
			`{pe} < {build}: bad: [param] loop "many" has 1048576 iterations; expected 1 to 65536`,
		}},
		{"by the user", func(m *hw.Module) {
			m.Errorf("the depth %d is not a power of two", 5) // pf
		}, []string{"{pf} < {build}: bad: [param] the depth 5 is not a power of two"}},
		{"consequences are not reported", func(m *hw.Module) {
			hw.Inst(m, "queue", queue{-5})  // pq
			m.Out("q", 4).Set(m.In("a", 5)) // pr
		}, []string{
			"{pp} < {pq}: queue: [param] depth is -5; expected at least 1",
			`{pr} < {build}: bad: [width] "q" has 4 bits, the value has 5; use Ext, SExt or Trunc`,
		}},
		{"consequences that end the elaboration", func(m *hw.Module) {
			hw.Inst(m, "queue", queue{0}) // ps
		}, []string{"{pp} < {ps}: queue: [param] depth is 0; expected at least 1"}},
		{"ports that point to themselves", func(m *hw.Module) {
			hw.Inst(m, "knot", knot{}) // pg
		}, []string{`{pg} < {build}: bad: [param] the ports of module knot point to themselves`}},
	})
}

// queue reports its invalid parameter late.
type queue struct{ Depth int }

func (queue) ModuleName() string { return "queue" }

func (p queue) Build(m *hw.Module) struct{ Q hw.Bits } {
	q := m.Out("q", 8)
	m.Mem("mem", p.Depth, 8)
	hw.Inst(m, "store", store(p))
	if p.Depth < 1 {
		m.Errorf("depth is %d; expected at least 1", p.Depth) // pp
	}
	if p.Depth == 0 {
		hw.K(1).Set(q)
	}
	return struct{ Q hw.Bits }{q}
}

// store is part of a queue.
type store struct{ Depth int }

func (store) ModuleName() string { return "store" }

func (p store) Build(m *hw.Module) (ports struct{}) {
	m.Out("level", p.Depth)
	m.Errorf("depth %d again", p.Depth)
	return
}

type (
	List    struct{ Values []int }
	Boxed   struct{ Value any }
	Pointer struct{ Value *int }
)

func (List) Build(*hw.Module) (ports struct{})    { return }
func (Boxed) Build(*hw.Module) (ports struct{})   { return }
func (Pointer) Build(*hw.Module) (ports struct{}) { return }

// knot returns ports that point to themselves.
type knot struct{}
type knotPorts struct{ Next *knotPorts }

func (knot) Build(*hw.Module) *knotPorts {
	p := &knotPorts{}
	p.Next = p
	return p
}

func TestMemory(t *testing.T) {
	run(t, []mistake{
		{"shape", func(m *hw.Module) {
			m.Mem("a", 0, 8)                // ma
			m.Mem("b", 8, 0)                // mb
			m.Mem("c", 1<<40, 8)            // mc
			m.Mem("d", 8, 8).Style("fancy") // md
		}, []string{
			`{ma} < {build}: bad: [memory] memory "a": 0 words of 8 bits; expected 1 to 2147483648 words of at most 1048576 bits`,
			`{mb} < {build}: bad: [memory] memory "b": 8 words of 0 bits; expected 1 to 2147483648 words of at most 1048576 bits`,
			`{mc} < {build}: bad: [memory] memory "c": 1099511627776 words of 8 bits; expected 1 to 2147483648 words of at most 1048576 bits`,
			`{md} < {build}: bad: [memory] memory "d" has no style "fancy"; use block, ultra, distributed or registers`,
		}},
		{"ports", func(m *hw.Module) {
			a, mem := m.In("a", 8), m.Mem("mem", 13, 16)
			mem.Read(a)               // me
			mem.Write(a.Trunc(4), a)  // mf
			mem.Write(a, hw.K(1<<16)) // mg
		}, []string{
			"{me} < {build}: bad: [width] the address of mem has 8 bits, expected 4; use Ext, SExt or Trunc",
			"{mf} < {build}: bad: [width] the data of mem has 8 bits, expected 16; use Ext, SExt or Trunc",
			"{mg} < {build}: bad: [const] constant 65536 does not fit in 16 bits",
			"{mg} < {build}: bad: [width] the address of mem has 8 bits, expected 4; use Ext, SExt or Trunc",
		}},
	})
}

func TestFSM(t *testing.T) {
	run(t, []mistake{
		{"states", func(m *hw.Module) {
			hw.FSM[struct{}](m, "none")                       // xa
			hw.FSM[int](m, "number")                          // xb
			hw.FSM[struct{ Idle, busy hw.State }](m, "mixed") // xk
			s := hw.FSM[struct{ BC hw.State }](m, "a")        // xy
			s.BC.Do(s.BC.Next)
			t := hw.FSM[struct{ C hw.State }](m, "a_b") // xc
			u := hw.FSM[struct{ B_C hw.State }](m, "a") // xd
			t.C.Do(t.C.Next)
			u.B_C.Do(nil)
		}, []string{
			`{xa} < {build}: bad: [fsm] state machine "none": struct {} is not a struct with only states, exported fields of type hw.State`,
			`{xb} < {build}: bad: [fsm] state machine "number": int is not a struct with only states, exported fields of type hw.State`,
			`{xk} < {build}: bad: [fsm] state machine "mixed": struct { Idle hw.State; busy hw.State } is not a struct with only states, exported fields of type hw.State`,
			`{xd} < {build}: bad: [driver] reg "a" has no driver`,
			`{xd} < {build}: bad: [name] constant A_B_C is already declared at {xc} < {build}`,
			`{xd} < {build}: bad: [name] reg "a" is already declared at {xy} < {build}`,
		}},
		{"description", func(m *hw.Module) {
			s := hw.FSM[struct{ Idle, Busy, Done hw.State }](m, "state")
			c := m.In("c", 1)
			s.Idle.Do(s.Busy.Next) // xe
			s.Idle.Do(s.Busy.Next) // xf
			m.When(c, func() {     // xg
				s.Busy.Do(s.Done.Next) // xh
			})
			s.Done.Do(func() { // xi
				s.Busy.Do(s.Idle.Next) // xj
			})
		}, []string{
			"{xf} < {build}: bad: [fsm] STATE_IDLE is described already at {xe} < {build}",
			"{xh} < {xg}: bad: [fsm] STATE_BUSY is described in another block than the first state, at {xe} < {build}",
			"{xj} < {xi}: bad: [fsm] STATE_BUSY is described already at {xh} < {xg}",
			"{xj} < {xi}: bad: [fsm] STATE_BUSY is described in another block than the first state, at {xe} < {build}",
		}},
		{"reach", func(m *hw.Module) {
			s := hw.FSM[struct{ Idle, Busy, Lost, LostToo, Any, Done hw.State }](m, "state") // xl
			s.Idle.Do(s.Busy.Next)
			s.Lost.Do(s.LostToo.Next)
			s.LostToo.Do(s.Lost.Next)
			s.Any.Do(nil)
			m.When(m.In("c", 1), s.Any.Next)
		}, []string{
			"{xl} < {build}: bad: [fsm] \"state\" never comes to STATE_LOST, STATE_LOST_TOO",
			"{xl} < {build}: bad: [fsm] nothing describes STATE_BUSY, STATE_DONE; Do(nil) says that nothing happens there",
		}},
	})
}
