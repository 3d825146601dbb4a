package hw_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw"
)

func TestOverwrite(t *testing.T) {
	run(t, []mistake{
		{"signals", func(m *hw.Module) {
			a, b := m.In("a", 4), m.In("b", 4)
			q, r := m.Out("q", 4), m.Reg("r", 4, 0)
			q.Set(a) // owa
			r.Set(a) // owb
			q.Set(b) // owc
			r.Set(b) // owd
		}, []string{
			`{owa} < {build}: bad: [overwrite] this Set of "q" never takes effect: the one at {owc} < {build} always replaces it`,
			`{owb} < {build}: bad: [overwrite] this Set of "r" never takes effect: the one at {owd} < {build} always replaces it`,
		}},
		{"pins", func(m *hw.Module) {
			door := hw.Inst(m, "door", Door{})
			door.Close.Set(hw.K(0))
			door.Open.Set(hw.K(0)) // owe
			door.Open.Set(hw.K(1)) // owf
		}, []string{
			`{owe} < {build}: bad: [overwrite] this Set of "door_open" never takes effect: the one at {owf} < {build} always replaces it`,
		}},
		{"conditions", func(m *hw.Module) {
			c, a := m.In("c", 1), m.In("a", 4)
			q, r := m.Reg("q", 4, 0), m.Reg("r", 4, 0)
			m.When(c, func() { // owg
				q.Set(a)                  // owh
				m.When(a.Bit(0), func() { // owi
					q.Set(a.Inc()) // owj
				})
				q.Set(a.Not()) // owk
			})
			m.Switch(a).Case(hw.K(1), func() { // owl
				r.Set(a) // owm
			})
			r.Set(hw.K(3)) // own
		}, []string{
			`{owh} < {owg}: bad: [overwrite] this Set of "q" never takes effect: the one at {owk} < {owg} always replaces it`,
			`{owj} < {owi}: bad: [overwrite] this Set of "q" never takes effect: the one at {owk} < {owg} always replaces it`,
			`{owm} < {owl}: bad: [overwrite] this Set of "r" never takes effect: the one at {own} < {build} always replaces it`,
		}},
		{"elements", func(m *hw.Module) {
			i, x := m.In("i", 2), m.InVec("x", 4, 8)
			v, w, y := m.RegVec("v", 4, 8, 0), m.RegVec("w", 2, 8, 0), m.WireVec("y", 4, 8)
			v.N(1).Set(x.N(0))            // owo
			v.Index(hw.K(1)).Set(x.N(1))  // owp
			v.Index(i).Set(x.N(2))        // owq
			v.Index(i).Set(x.N(3))        // owr
			v.Index(i.Not()).Set(x.N(0))  // ows
			v.Set(x)                      // owt
			w.Index(i.Bit(0)).Set(x.N(0)) // owu
			w.N(0).Set(x.N(0))
			w.N(1).Set(x.N(1))                  // owv
			m.For("lane", 4, func(i hw.Index) { // oww
				y.At(i).Set(x.N(0)) // owx
				y.At(i).Set(x.N(1)) // owy
			})
		}, []string{
			`{owo} < {build}: bad: [overwrite] this Set of "v" never takes effect: the one at {owp} < {build} always replaces it`,
			`{owp} < {build}: bad: [overwrite] this Set of "v" never takes effect: the one at {owt} < {build} always replaces it`,
			`{owq} < {build}: bad: [overwrite] this Set of "v" never takes effect: the one at {owr} < {build} always replaces it`,
			`{owr} < {build}: bad: [overwrite] this Set of "v" never takes effect: the one at {owt} < {build} always replaces it`,
			`{ows} < {build}: bad: [overwrite] this Set of "v" never takes effect: the one at {owt} < {build} always replaces it`,
			`{owu} < {build}: bad: [overwrite] this Set of "w" never takes effect: the one at {owv} < {build} always replaces it`,
			`{owx} < {oww}: bad: [overwrite] this Set of "y" never takes effect: the one at {owy} < {oww} always replaces it`,
		}},
		{"state machine", func(m *hw.Module) {
			s := hw.FSM[struct{ Idle, Busy hw.State }](m, "state")
			s.Busy.Do(nil)
			s.Idle.Do(func() { // owz
				s.Idle.Next() // oxa
				s.Busy.Next() // oxb
			})
		}, []string{
			`{oxa} < {owz}: bad: [overwrite] this Set of "state" never takes effect: the one at {oxb} < {owz} always replaces it`,
		}},
		{"beside other mistakes", func(m *hw.Module) {
			q := m.Out("q", 4)
			q.Set(hw.Lit(3, 1)) // oxc
			q.Set(hw.K(2))      // oxd
		}, []string{
			`{oxc} < {build}: bad: [overwrite] this Set of "q" never takes effect: the one at {oxd} < {build} always replaces it`,
			`{oxc} < {build}: bad: [width] "q" has 4 bits, the value has 3; use Ext, SExt or Trunc`,
		}},
	})
	sound(t, func(m *hw.Module) { // assignments that may take effect
		c, i, x := m.In("c", 1), m.In("i", 2), m.InVec("x", 4, 8)
		q, r := m.Out("q", 8), m.Reg("r", 8, 0)
		q.Set(hw.K(0)) // a default
		m.When(c, func() { q.Set(x.N(0)) })
		r.Set(hw.K(1)) // a default that is always replaced
		m.When(c, func() { r.Set(x.N(1)) }).Else(func() { r.Set(x.N(2)) })
		v := m.RegVec("v", 4, 8, 0)
		v.Set(x)
		v.Index(i).Set(x.N(1))
		v.Index(i.Not()).Set(x.N(2))
		v.N(3).Set(x.N(3))
		v.N(2).Set(x.N(3))
		v.N(1).Set(x.N(3))
		m.For("lane", 3, func(i hw.Index) {
			own := m.WireVec("own", 4, 8)
			own.Set(x)
			own.At(i).Set(x.N(0))
			own.At(i.Plus(1)).Set(x.N(1))
		})
	})
}
