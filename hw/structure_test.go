package hw_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw"
)

func TestName(t *testing.T) {
	run(t, []mistake{
		{"identifier", func(m *hw.Module) {
			m.In("Data", 1)                                       // na
			m.In("a__b", 1)                                       // nb
			m.In("", 1)                                           // nc
			m.In("reg", 1)                                        // nd
			m.In("rst", 1)                                        // ne
			m.In("x", 1).Not().As("always")                       // nf
			m.Mem("0mem", 2, 2)                                   // ng
			m.For("Lane", 2, func(hw.Index) {})                   // nh
			hw.Inst(m, "in st", FIFO{8, 4})                       // ni
			hw.FSM[struct{ Idle, Été, Wait hw.State }](m, "wait") // nj
		}, []string{
			`{na} < {build}: bad: [name] input "Data": a name is lower-case words of letters and digits joined by single underscores`,
			`{nb} < {build}: bad: [name] input "a__b": a name is lower-case words of letters and digits joined by single underscores`,
			`{nc} < {build}: bad: [name] input "": a name is lower-case words of letters and digits joined by single underscores`,
			`{nd} < {build}: bad: [name] input "reg" is a keyword of Verilog, SystemVerilog or C++`,
			`{ne} < {build}: bad: [name] input "rst": clk and rst are implicit`,
			`{nf} < {build}: bad: [name] wire "always" is a keyword of Verilog, SystemVerilog or C++`,
			`{ng} < {build}: bad: [name] memory "0mem": a name is lower-case words of letters and digits joined by single underscores`,
			`{nh} < {build}: bad: [name] loop "Lane": a name is lower-case words of letters and digits joined by single underscores`,
			`{ni} < {build}: bad: [driver] input "pop_ready" of instance "in st" has no driver`,
			`{ni} < {build}: bad: [driver] input "push_data" of instance "in st" has no driver`,
			`{ni} < {build}: bad: [driver] input "push_valid" of instance "in st" has no driver`,
			`{ni} < {build}: bad: [name] instance "in st": a name is lower-case words of letters and digits joined by single underscores`,
			`{nj} < {build}: bad: [driver] reg "wait" has no driver`,
			`{nj} < {build}: bad: [name] reg "wait" is a keyword of Verilog, SystemVerilog or C++`,
			`{nj} < {build}: bad: [name] state "Été": in lower case a name is lower-case words of letters and digits joined by single underscores`,
		}},
		{"duplicate", func(m *hw.Module) {
			m.In("a", 1)                      // nda
			m.In("a", 1)                      // ndb
			m.For("lane", 2, func(hw.Index) { // ndc
				m.Mem("a", 2, 2) // ndd
			})
			m.In("lane_x", 1)
			m.For("a", 2, func(hw.Index) {}) // nde
			m.In("door_open", 1)             // ndf
			hw.Inst(m, "door", Door{})       // ndg
		}, []string{
			`{ndb} < {build}: bad: [name] input "a" is already declared at {nda} < {build}`,
			`{ndd} < {ndc}: bad: [name] memory "a" is already declared at {ndb} < {build}`,
			`{nde} < {build}: bad: [name] loop "a" is already declared at {ndd} < {ndc}`,
			`{ndg} < {build}: bad: [driver] input "close" of instance "door" has no driver`,
			`{ndg} < {build}: bad: [driver] input "open" of instance "door" has no driver`,
			`{ndg} < {build}: bad: [name] wire "door_open" is already declared at {ndf} < {build}`,
		}},
		{"modules", func(m *hw.Module) {
			hw.Inst(m, "three", named{"Same", 3})  // nmc
			hw.Inst(m, "five", named{"module", 5}) // nme
		}, []string{
			`{nmc} < {build}: Same: [name] module "Same": a name is lower-case words of letters and digits joined by single underscores; give the generator a ModuleName`,
			`{nme} < {build}: module: [name] module "module" is a keyword of Verilog, SystemVerilog or C++`,
		}},
	})
}

// named is an empty module that chooses its name.
type named struct {
	Name  string
	Value int
}

func (n named) ModuleName() string              { return n.Name }
func (named) Build(*hw.Module) (ports struct{}) { return }

func TestDirection(t *testing.T) {
	run(t, []mistake{
		{"set", func(m *hw.Module) {
			a := m.In("a", 8)
			a.Set(hw.K(1)) // da
			d := hw.Inst(m, "door", Door{})
			d.Open.Set(a.Bit(0))
			d.Close.Set(a.Bit(1))
			d.Moving.Set(a.Bit(2))                           // db
			a.Slice(3, 0).Set(hw.K(1))                       // dc
			a.Inc().Set(a)                                   // dd
			a.Unpack(2).N(1).Set(hw.K(1))                    // de
			m.InVec("v", 2, 2).Set(a.Trunc(4).Unpack(2))     // df
			hw.Lit(8, 1).Set(a)                              // dg
			hw.K(1).Set(a)                                   // dh
			m.Mem("mem", 4, 4).Read(a.Trunc(2)).Set(hw.K(0)) // di
		}, []string{
			`{da} < {build}: bad: [direction] input "a" cannot be set`,
			`{db} < {build}: bad: [direction] "door_moving" cannot be set: it is an output of instance "door"`,
			`{dc} < {build}: bad: [direction] input "a" cannot be set`,
			`{dd} < {build}: bad: [direction] only a signal, an element of a vector or bits of these can be set, not the result of add`,
			`{de} < {build}: bad: [direction] only a signal, an element of a vector or bits of these can be set, not the result of at`,
			`{df} < {build}: bad: [direction] input "v" cannot be set`,
			`{dg} < {build}: bad: [direction] only a signal, an element of a vector or bits of these can be set`,
			`{dh} < {build}: bad: [direction] only a signal, an element of a vector or bits of these can be set`,
			`{di} < {build}: bad: [direction] only a signal, an element of a vector or bits of these can be set, not the result of memread`,
		}},
		{"ports", func(m *hw.Module) {
			io := hw.Inst(m, "confused", confused{}) // dpa
			io.A.Set(hw.K(1))
			io.B.Set(hw.K(1))
			m.Out("q", 4).Set(io.C)
			m.Out("p", 4).Set(io.D) // dpb
			m.Out("r", 4).Set(io.E.Inc())
		}, []string{
			`{dpa} < {build}: bad: [direction] Build of module confused returns a constant, which is not a port of it`,
			`{dpa} < {build}: bad: [direction] Build of module confused returns the result of add, which is not a port of it`,
			`{dpa} < {build}: bad: [direction] Build of module confused returns wire "b", which is not a port of it`,
			"{dpb} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
		}},
	})
}

// TestPortsOfTheTop: the ports of the top module are checked although no module connects them.
func TestPortsOfTheTop(t *testing.T) {
	_, err := hw.Elaborate(confused{}) // dta
	requireErrors(t, err, []string{
		`{dta}: confused: [direction] Build of module confused returns a constant, which is not a port of it`,
		`{dta}: confused: [direction] Build of module confused returns the result of add, which is not a port of it`,
		`{dta}: confused: [direction] Build of module confused returns wire "b", which is not a port of it`,
	}, marks(t))
	_, err = hw.Elaborate(knot{}) // dtb
	requireErrors(t, err, []string{"{dtb}: knot: [param] the ports of module knot point to themselves"}, marks(t))
}

// confused returns values that are not its ports.
type confused struct{}

func (confused) Build(m *hw.Module) struct{ A, B, C, D, E hw.Bits } {
	a, b := m.In("a", 4), m.Wire("b", 4)
	b.Set(a)
	return struct{ A, B, C, D, E hw.Bits }{A: a, B: b, C: b.Inc(), E: hw.K(3)}
}

// TestFatal: a statement whose operands were never declared has no module for its report. It ends
// the elaboration with the mistakes found so far.
func TestFatal(t *testing.T) {
	run(t, []mistake{
		{"set", func(m *hw.Module) {
			m.In("Bad", 1) // fa
			var s hw.Stream[hw.Bits]
			s.Ready.Set(hw.K(1)) // fb
			m.In("Worse", 1)
		}, []string{
			`{fa} < {build}: bad: [name] input "Bad": a name is lower-case words of letters and digits joined by single underscores`,
			"{fb} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
		}},
		{"constant", func(m *hw.Module) {
			hw.K(1).Set(hw.K(2)) // fc
		}, []string{"{fc} < {build}: bad: [direction] only a signal, an element of a vector or bits of these can be set"}},
		{"name of a constant", func(m *hw.Module) {
			m.Out("q", 4).Set(hw.Lit(4, 3).As("three")) // fd
		}, []string{`{fd} < {build}: bad: [scope] "three" names a constant, which belongs to no module`}},
		{"memory", func(m *hw.Module) {
			hw.Mem[hw.Bits]{}.Write(hw.K(1), hw.K(2)) // fe
		}, []string{"{fe} < {build}: bad: [direction] a memory that was never declared"}},
		{"style", func(m *hw.Module) {
			hw.Mem[hw.Bits]{}.Style("block") // ff
		}, []string{"{ff} < {build}: bad: [direction] a memory that was never declared"}},
		{"state", func(m *hw.Module) {
			hw.State{}.Next() // fg
		}, []string{"{fg} < {build}: bad: [direction] a state that was never declared"}},
		{"instantiates itself", func(m *hw.Module) {
			hw.Inst(m, "ring", ring{}) // fh
		}, []string{"{fi} < {fh}: ring: [param] instantiates itself with equal parameters"}},
		{"instantiates itself without end", func(m *hw.Module) {
			hw.Inst(m, "tower", Tower{0})
		}, []string{"{fj} < {fj}: tower: [param] instances nest deeper than 100: does the module instantiate itself without end?"}},
	})
}

type ring struct{}

func (ring) Build(m *hw.Module) (ports struct{}) {
	hw.Inst(m, "ring", ring{}) // fi
	return
}

// Tower instantiates itself without end.
type Tower struct{ Floor int }

func (p Tower) Build(m *hw.Module) (ports struct{}) {
	hw.Inst(m, "next", Tower{p.Floor + 1}) // fj
	return
}

func TestDriver(t *testing.T) {
	run(t, []mistake{
		{"none", func(m *hw.Module) {
			m.Out("a", 1)                                // ra
			m.Wire("b", 1)                               // rb
			m.Reg("c", 1, 0)                             // rc
			m.WireVec("d", 2, 1)                         // rd
			hw.Inst(m, "door", Door{}).Open.Set(hw.K(1)) // re
		}, []string{
			`{ra} < {build}: bad: [driver] output "a" has no driver`,
			`{rb} < {build}: bad: [driver] wire "b" has no driver`,
			`{rc} < {build}: bad: [driver] reg "c" has no driver`,
			`{rd} < {build}: bad: [driver] wire "d" has no driver`,
			`{re} < {build}: bad: [driver] input "close" of instance "door" has no driver`,
		}},
		{"missing element", func(m *hw.Module) {
			v := m.WireVec("v", 4, 8) // rf
			v.N(0).Set(hw.K(1))
			m.For("lane", 2, func(i hw.Index) { v.At(i.Plus(2)).Set(hw.K(1)) })
			w := m.WireVec("w", 5, 8) // rg
			m.For("pair", 2, func(i hw.Index) {
				m.For("half", 2, func(j hw.Index) { w.At(i.Times(2).Add(j)).Set(hw.K(1)) })
			})
		}, []string{
			`{rf} < {build}: bad: [driver] wire "v" element 1 has no driver`,
			`{rg} < {build}: bad: [driver] wire "w" element 4 has no driver`,
		}},
		{"two", func(m *hw.Module) {
			v := m.WireVec("v", 4, 8)
			v.Set(hw.VecOf(hw.Lit(8, 0), hw.K(1), hw.K(2), hw.K(3))) // rh
			m.For("lane", 1, func(i hw.Index) {                      // ri
				v.At(i.Plus(2)).Set(hw.K(1)) // rj
			})
			w := m.WireVec("w", 4, 8)
			m.For("three", 3, func(i hw.Index) { // rk
				w.At(i).Set(hw.K(1))         // rl
				w.At(i.Plus(1)).Set(hw.K(2)) // rm
			})
			x := m.Wire("x", 1)
			m.For("each", 2, func(i hw.Index) { // rn
				x.Set(hw.K(1)) // ro
			})
		}, []string{
			`{rj} < {ri}: bad: [driver] wire "v" element 2 has two drivers, the other at {rh} < {build}`,
			`{rm} < {rk}: bad: [driver] wire "w" element 1 has two drivers, the other at {rl} < {rk}`,
			`{ro} < {rn}: bad: [driver] wire "x" has a driver in several iterations of a loop`,
		}},
		{"depends on the iteration", func(m *hw.Module) {
			m.For("lane", 2, func(i hw.Index) { // rp
				v := m.WireVec("v", 2, 8) // rq
				v.At(i).Set(hw.K(1))
			})
		}, []string{`{rq} < {rp}: bad: [driver] wire "v" element 1 has no driver`}},
	})
	sound(t, func(m *hw.Module) {
		v, w := m.WireVec("v", 4, 8), m.RegVec("w", 2, 8, 0)
		m.For("lane", 2, func(i hw.Index) {
			v.At(i).Set(hw.K(1))
			v.At(i.Times(-1).Plus(3)).Set(hw.K(1))
			own := m.WireVec("own", 2, 8)
			own.At(i).Set(hw.K(1))
			own.At(i.Times(-1).Plus(1)).Set(hw.K(2))
		})
		m.When(hw.K(0), func() { w.Set(v.Pack().Trunc(16).Unpack(8)) }) // never executed, but a driver
	})
}
