package hw_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw"
)

func TestWidth(t *testing.T) {
	run(t, []mistake{
		{"operands", func(m *hw.Module) {
			m.In("a", 8).Add(m.In("b", 4)) // wa
		}, []string{"{wa} < {build}: bad: [width] operands of 8 and 4 bits; use Ext, SExt or Trunc"}},
		{"comparison", func(m *hw.Module) {
			m.In("a", 8).Ge(m.In("b", 4)) // wb
		}, []string{"{wb} < {build}: bad: [width] operands of 4 and 8 bits; use Ext, SExt or Trunc"}},
		{"vectors", func(m *hw.Module) {
			m.InVec("a", 4, 8).And(m.InVec("b", 3, 8)) // wc
		}, []string{"{wc} < {build}: bad: [width] operands of 4x8 and 3x8 bits; use Ext, SExt or Trunc"}},
		{"set", func(m *hw.Module) {
			m.Out("q", 4).Set(m.In("a", 8)) // wd
		}, []string{`{wd} < {build}: bad: [width] "q" has 4 bits, the value has 8; use Ext, SExt or Trunc`}},
		{"condition", func(m *hw.Module) {
			q := m.Reg("q", 1, 0)
			m.When(m.In("a", 8), func() { q.Set(hw.K(1)) }) // we
		}, []string{"{we} < {build}: bad: [width] the condition has 8 bits, expected 1; use Ext, SExt or Trunc"}},
		{"choice", func(m *hw.Module) {
			hw.Mux(m.In("c", 2), m.In("a", 8), m.In("b", 8)) // wf
		}, []string{"{wf} < {build}: bad: [width] the condition has 2 bits, expected 1; use Ext, SExt or Trunc"}},
		{"slice", func(m *hw.Module) {
			a := m.In("a", 8)
			a.Slice(8, 1)               // wg
			a.Slice(1, 2)               // wh
			a.Bit(-1)                   // wi
			a.Trunc(9)                  // wj
			a.Trunc(0)                  // wk
			a.Ext(7)                    // wl
			a.SExt(0)                   // wm
			a.Resize(0)                 // wn
			a.Repeat(0)                 // wo
			a.Unpack(3)                 // wp
			a.Decode(0)                 // wq
			a.Ext(1 << 21)              // wr
			a.Repeat(1 << 30)           // ws
			a.Unpack(0)                 // wt
			hw.Route(a, a.Unpack(1), 0) // wu
		}, []string{
			"{wg} < {build}: bad: [width] bits 8 down to 1 are not in a value of 8 bits",
			"{wh} < {build}: bad: [width] bits 1 down to 2 are not in a value of 8 bits",
			"{wi} < {build}: bad: [width] bits -1 down to -1 are not in a value of 8 bits",
			"{wj} < {build}: bad: [width] bits 8 down to 0 are not in a value of 8 bits",
			"{wk} < {build}: bad: [width] bits -1 down to 0 are not in a value of 8 bits",
			"{wl} < {build}: bad: [width] 8 bits cannot be extended to 7; use Trunc",
			"{wm} < {build}: bad: [width] 8 bits cannot be extended to 0; use Trunc",
			"{wn} < {build}: bad: [width] bits -1 down to 0 are not in a value of 8 bits",
			"{wo} < {build}: bad: [width] a value is repeated 0 times; expected at least 1",
			"{wp} < {build}: bad: [width] 8 bits are not elements of 3 bits",
			"{wq} < {build}: bad: [width] a value of 0 bits; expected a width of 1 to 1048576 and a length of at most 65536",
			"{wr} < {build}: bad: [width] a value of 2097152 bits; expected a width of 1 to 1048576 and a length of at most 65536",
			"{ws} < {build}: bad: [width] a value is repeated 1073741824 times; expected at least 1",
			"{wt} < {build}: bad: [width] 8 bits are not elements of 0 bits",
			"{wu} < {build}: bad: [width] routes to 0 destinations",
		}},
		{"vector", func(m *hw.Module) {
			v := m.InVec("v", 4, 8)
			a := m.In("a", 8)
			v.N(4)                              // wva
			v.At(hw.At(-1))                     // wvb
			v.Index(a)                          // wvc
			v.With(hw.K(1), a.Trunc(2))         // wvd
			v.EqLanes(a.Trunc(2))               // wve
			v.Select(a)                         // wvf
			hw.Route(a, v, 2)                   // wvg
			hw.VecOf(a, a.Trunc(2))             // wvh
			m.For("lane", 5, func(i hw.Index) { // wvi
				v.At(i.Plus(1)) // wvj
			})
		}, []string{
			"{wva} < {build}: bad: [width] element 4 of a vector of 4",
			"{wvb} < {build}: bad: [width] element -1 of a vector of 4",
			"{wvc} < {build}: bad: [width] the index has 8 bits, expected 2; use Ext, SExt or Trunc",
			"{wvd} < {build}: bad: [width] the element has 2 bits, expected 8; use Ext, SExt or Trunc",
			"{wve} < {build}: bad: [width] the operand has 2 bits, expected 8; use Ext, SExt or Trunc",
			"{wvf} < {build}: bad: [width] the mask has 8 bits, expected 4; use Ext, SExt or Trunc",
			"{wvg} < {build}: bad: [width] the mask has 8 bits, expected 4; use Ext, SExt or Trunc",
			"{wvh} < {build}: bad: [width] the element has 2 bits, expected 8; use Ext, SExt or Trunc",
			"{wvj} < {wvi}: bad: [width] element 1 to 5 of a vector of 4",
		}},
		{"declaration", func(m *hw.Module) {
			m.In("a", 0)           // wda
			m.In("b", 1<<21)       // wdb
			m.InVec("c", 0, 8)     // wdc
			m.InVec("d", 1<<17, 8) // wdd
		}, []string{
			"{wda} < {build}: bad: [width] a value of 0 bits; expected a width of 1 to 1048576 and a length of at most 65536",
			"{wdb} < {build}: bad: [width] a value of 2097152 bits; expected a width of 1 to 1048576 and a length of at most 65536",
			`{wdc} < {build}: bad: [width] input "c": a vector of 0 elements; expected at least 1`,
			"{wdd} < {build}: bad: [width] a value of 131072x8 bits; expected a width of 1 to 1048576 and a length of at most 65536",
		}},
		{"nothing", func(m *hw.Module) {
			q := m.Out("q", 8)
			q.Set(hw.Cat())                      // wna
			m.WireVec("v", 2, 8).Set(hw.VecOf()) // wnb
		}, []string{
			"{wna} < {build}: bad: [width] a concatenation without values; expected at least one",
			"{wnb} < {build}: bad: [const] a vector of 0 constants without width; use Lit",
		}},
	})
}

func TestConst(t *testing.T) {
	run(t, []mistake{
		{"too big", func(m *hw.Module) {
			a := m.In("a", 4)
			a.Add(hw.K(16))                // ca
			a.Sub(hw.K(-1))                // cb
			hw.K(1 << 40).Lt(a)            // cc
			a.Shl(hw.K(9))                 // cd
			m.Out("q", 4).Set(hw.K(99))    // ce
			m.Reg("r", 4, 16).Set(a)       // cf
			m.In("wide", 64).Add(hw.K(-1)) // cg
		}, []string{
			"{ca} < {build}: bad: [const] constant 16 does not fit in 4 bits",
			"{cb} < {build}: bad: [const] constant -1 is negative; use Int, Neg or Lit",
			"{cc} < {build}: bad: [const] constant 1099511627776 does not fit in 4 bits",
			"{cd} < {build}: bad: [const] constant 9 does not fit in 3 bits",
			"{ce} < {build}: bad: [const] constant 99 does not fit in 4 bits",
			`{cf} < {build}: bad: [const] reset value 16 of "r" does not fit in 4 bits`,
			"{cg} < {build}: bad: [const] constant -1 is negative; use Int, Neg or Lit",
		}},
		{"without width", func(m *hw.Module) {
			a := m.In("a", 4)
			hw.Cat(a, hw.K(1))                         // cwa
			hw.Mux(a.Bit(0), hw.K(1), hw.K(0))         // cwb
			m.Switch(hw.K(1)).Case(hw.K(1), func() {}) // cwc
			a.Set(hw.K(1).Not())                       // cwd
		}, []string{
			"{cwa} < {build}: bad: [const] a constant without width; use Lit",
			"{cwb} < {build}: bad: [const] a constant without width; use Lit",
			"{cwc} < {build}: bad: [const] a constant without width; use Lit",
			"{cwd} < {build}: bad: [const] a constant without width; use Lit",
			`{cwd} < {build}: bad: [direction] input "a" cannot be set`,
		}},
		{"constants that meet a module late", func(m *hw.Module) {
			q := m.Out("q", 4)
			x := hw.Lit(4, 16) // cla
			y := x.Add(hw.Lit(4, 2))
			z := hw.K(1).Add(hw.K(2)) // clb
			q.Set(y)
			m.Out("p", 1).Set(z)
			m.Out("o", 4).Set(hw.Lit(0, 0))        // clc
			m.Out("n", 4).Set(hw.K(1).Slice(3, 0)) // cld
			hw.Zeros(-1).Eq(q)                     // cle
			hw.Ones(1 << 30).Eq(q)                 // clf
		}, []string{
			"{cla} < {build}: bad: [const] constant 16 does not fit in 4 bits",
			"{clb} < {build}: bad: [const] a constant without width; use Lit",
			"{clc} < {build}: bad: [width] a value of 0 bits; expected a width of 1 to 1048576 and a length of at most 65536",
			"{cld} < {build}: bad: [const] a constant without width; use Lit",
			"{cle} < {build}: bad: [width] a value of -1 bits; expected a width of 1 to 1048576 and a length of at most 65536",
			"{clf} < {build}: bad: [width] a value of 1073741824 bits; expected a width of 1 to 1048576 and a length of at most 65536",
		}},
		{"cases", func(m *hw.Module) {
			a := m.In("a", 4)
			m.Switch(a).
				Case(hw.K(3), func() {}).                         // cca
				Any([]hw.Bits{hw.K(4), hw.Lit(4, 3)}, func() {}). // ccb
				Any([]hw.Bits{hw.K(5), hw.K(5)}, func() {}).      // ccc
				Case(hw.K(16), func() {}).                        // ccd
				Case(a, func() {}).                               // cce
				Any(nil, func() {})                               // ccf
		}, []string{
			"{ccb} < {build}: bad: [const] case 4'd3 is already at {cca} < {build}",
			"{ccc} < {build}: bad: [const] case 4'd5 is already at {ccc} < {build}",
			"{ccd} < {build}: bad: [const] constant 16 does not fit in 4 bits",
			"{cce} < {build}: bad: [const] a case must be a constant",
			"{ccf} < {build}: bad: [const] a case without a value; expected at least one",
		}},
		{"index", func(m *hw.Module) {
			m.For("lane", 5, func(i hw.Index) { // cia
				i.Bits(2)          // cib
				i.Plus(-1).Bits(8) // cic
				i.Bits(0)          // cid
			})
			m.Out("q", 2).Set(hw.At(4).Bits(2)) // cie
		}, []string{
			"{cib} < {cia}: bad: [const] index 0 to 4 does not fit in 2 bits",
			"{cic} < {cia}: bad: [const] index -1 to 3 does not fit in 8 bits",
			"{cid} < {cia}: bad: [width] a value of 0 bits; expected a width of 1 to 1048576 and a length of at most 65536",
			"{cie} < {build}: bad: [const] index 4 does not fit in 2 bits",
		}},
	})
}

func TestScope(t *testing.T) {
	var leaked hw.Bits
	run(t, []mistake{
		{"two loops", func(m *hw.Module) {
			var x hw.Bits
			m.For("one", 2, func(i hw.Index) { x = i.Bits(4) })
			m.For("two", 2, func(i hw.Index) { // sa
				x.Add(i.Bits(4)) // sb
			})
		}, []string{`{sb} < {sa}: bad: [scope] values of loops "one" and "two" in one expression; carry one out of its loop in a vector`}},
		{"two indices", func(m *hw.Module) {
			v := m.WireVec("v", 4, 8)
			var j hw.Index
			m.For("one", 2, func(i hw.Index) { j = i })
			m.For("two", 2, func(i hw.Index) { // sc
				v.At(i.Add(j)).Set(hw.K(1)) // sd
			})
		}, []string{
			`{sd} < {sc}: bad: [scope] values of loops "two" and "one" in one expression; carry one out of its loop in a vector`,
		}},
		{"outside its loop", func(m *hw.Module) {
			q, d := m.Out("q", 4), m.Reg("d", 4, 0)
			var x hw.Bits
			var at hw.Index
			m.For("lane", 2, func(i hw.Index) { x, at = i.Bits(4), i })
			q.Set(x)                              // se
			m.When(x.Bit(0), func() { d.Set(q) }) // sf
			m.WireVec("v", 2, 4).At(at).Set(q)    // sh
			x.As("y")                             // si
			m.Switch(x).Case(hw.K(1), func() {})  // sj
			m.Assert(x.Any(), "")                 // sk
			m.Mem("mem", 16, 4).Write(x, x)       // sl
		}, []string{
			`{se} < {build}: bad: [scope] a value of loop "lane" is used outside it; carry it out in a vector`,
			`{sf} < {build}: bad: [scope] a value of loop "lane" is used outside it; carry it out in a vector`,
			`{sh} < {build}: bad: [scope] a value of loop "lane" is used outside it; carry it out in a vector`,
			`{si} < {build}: bad: [scope] a value of loop "lane" is used outside it; carry it out in a vector`,
			`{sj} < {build}: bad: [scope] a value of loop "lane" is used outside it; carry it out in a vector`,
			`{sk} < {build}: bad: [scope] a value of loop "lane" is used outside it; carry it out in a vector`,
			`{sl} < {build}: bad: [scope] a value of loop "lane" is used outside it; carry it out in a vector`,
		}},
		{"set from outside", func(m *hw.Module) {
			var x hw.Bits
			m.For("lane", 2, func(hw.Index) { x = m.Wire("x", 4) })
			x.Set(hw.K(1)) // sm
		}, []string{`{sm} < {build}: bad: [scope] "x" cannot be set outside the scope that declares it`}},
		{"in a condition", func(m *hw.Module) {
			c := m.In("c", 1)
			m.When(c, func() { // sn
				m.For("lane", 2, func(hw.Index) {}) // so
				hw.Inst(m, "door", Door{})          // sp
			})
		}, []string{
			`{so} < {sn}: bad: [scope] loop "lane" is inside a condition; put the condition inside the loop`,
			`{sp} < {sn}: bad: [driver] input "close" of instance "door" has no driver`,
			`{sp} < {sn}: bad: [driver] input "open" of instance "door" has no driver`,
			`{sp} < {sn}: bad: [scope] instance "door" is inside a condition`,
		}},
		{"port in a loop", func(m *hw.Module) {
			m.For("lane", 2, func(hw.Index) { // sq
				m.In("a", 4) // sr
			})
		}, []string{`{sr} < {sq}: bad: [scope] port "a" is declared in a loop; declare a vector outside it`}},
		{"continued elsewhere", func(m *hw.Module) {
			c, q := m.In("c", 1), m.Reg("q", 1, 0)
			chain := m.When(c, func() { q.Set(c) }) // ss
			cases := m.Switch(c)                    // st
			m.For("lane", 2, func(hw.Index) {       // su
				chain.Else(func() {})          // sv
				cases.Case(hw.K(1), func() {}) // sw
			})
			chain.Else(func() { q.Set(q) })
			chain.ElseWhen(c, func() {}) // sx
			cases.Default(func() { q.Set(q) })
			cases.Default(func() {}) // sy
		}, []string{
			"{sv} < {su}: bad: [scope] the When at {ss} < {build} is continued in another block",
			"{sw} < {su}: bad: [scope] the Switch at {st} < {build} is continued in another block",
			"{sx} < {build}: bad: [scope] the When at {ss} < {build} has an Else already",
			"{sy} < {build}: bad: [scope] the Switch at {st} < {build} has a Default already",
		}},
		{"memory of another scope", func(m *hw.Module) {
			mem := m.Mem("mem", 4, 4)
			m.For("lane", 2, func(i hw.Index) { // sma
				mem.Write(i.Bits(2), hw.K(1)) // smb
			})
		}, []string{`{smb} < {sma}: bad: [scope] memory "mem" is written outside the scope that declares it`}},
		{"never declared", func(m *hw.Module) {
			var nothing struct {
				Bits hw.Bits
				Vec  hw.Vec
				Mem  hw.Mem[hw.Bits]
			}
			a, q := m.In("a", 4), m.Out("q", 4)
			a.Add(nothing.Bits)              // sna
			nothing.Bits.Inc().Eq(a)         // snb
			q.Set(nothing.Bits)              // snc
			nothing.Bits.Set(a)              // snd
			nothing.Vec.Index(a)             // sne
			nothing.Vec.N(0).Add(a)          // snf
			nothing.Mem.Read(a)              // sng
			nothing.Mem.Write(a, a)          // snh
			nothing.Bits.As("x")             // sni
			m.When(nothing.Bits, func() {})  // snj
			m.Assert(nothing.Bits.Any(), "") // snk
		}, []string{
			"{sna} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
			"{snb} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
			"{snc} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
			"{snd} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
			"{sne} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
			"{snf} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
			"{sng} < {build}: bad: [direction] a memory that was never declared",
			"{snh} < {build}: bad: [direction] a memory that was never declared",
			"{snj} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
			"{snk} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks",
		}},
		{"after its Build", func(m *hw.Module) {
			hw.Inst(m, "leaky", leaky{&leaked}).A.Set(hw.K(1))
			leaked.Inc().As("x") // sla
		}, []string{"{sla} < {build}: leaky: [scope] module leaky is described outside its Build"}},
		{"another module", func(m *hw.Module) {
			hw.Inst(m, "leaky", leaky{&leaked}).A.Set(hw.K(1))
			m.Out("q", 4).Set(leaked) // slb
		}, []string{"{slb} < {build}: bad: [scope] values of modules leaky and bad in one expression; connect the modules through ports"}},
	})
}

// leaky leaks a value from inside its module.
type leaky struct{ to *hw.Bits }

func (leaky) ModuleName() string { return "leaky" }

func (l leaky) Build(m *hw.Module) struct{ A hw.Bits } {
	a := m.In("a", 4)
	*l.to = a.Inc()
	return struct{ A hw.Bits }{a}
}
