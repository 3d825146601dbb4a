package semantics_test

import (
	"math/big"

	"github.com/hotline-rtl/hotline/hw"
)

// statements returns conditions, selections and state machines.
func statements() []construct {
	return []construct{
		{name: "when", in: []int{1, 1, 1, 8}, // the first condition that holds
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				x := m.Wire("x", 8)
				m.When(in[0], func() { x.Set(in[3]) }).ElseWhen(in[1], func() {
					x.Set(in[3].Not())
					m.When(in[2], func() { x.Set(hw.K(1)) })
				}).ElseWhen(in[2], func() { x.Set(hw.K(2)) }).Else(func() { x.Set(hw.K(3)) })
				return x
			},
			begin: comb(func(in []*big.Int) *big.Int {
				a, b, c := in[0].Sign() > 0, in[1].Sign() > 0, in[2].Sign() > 0
				switch {
				case a:
					return in[3]
				case b && c:
					return one()
				case b:
					return low(new(big.Int).Not(in[3]), 8)
				case c:
					return big.NewInt(2)
				}
				return big.NewInt(3)
			})},
		{name: "last_set", in: []int{1, 1, 8}, // the last assignment whose conditions hold
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				x := m.Wire("x", 8)
				x.Set(hw.K(7))
				m.When(in[0], func() { x.Set(in[2]) })
				m.When(in[1], func() { x.Set(hw.K(9)) })
				return x
			},
			begin: comb(func(in []*big.Int) *big.Int {
				x := choose(in[0].Sign() > 0, in[2], big.NewInt(7))
				return choose(in[1].Sign() > 0, big.NewInt(9), x)
			})},
		{name: "read_after_set", in: []int{8}, // a read returns the last value, regardless of its position
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				x, y := m.Wire("x", 8), m.Wire("y", 8)
				y.Set(x.Inc())
				x.Set(in[0].Shl(hw.K(1)))
				return y
			},
			begin: comb(func(in []*big.Int) *big.Int {
				x := new(big.Int).Lsh(in[0], 1)
				return low(x.Or(x.Mod(x, big.NewInt(256)), one()), 8)
			})},
		{name: "cases", in: []int{3, 8},
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				x := m.Wire("x", 8)
				m.Switch(in[0]).
					Case(hw.K(1), func() { x.Set(in[1]) }).
					Any([]hw.Bits{hw.K(2), hw.K(5)}, func() { x.Set(in[1].Inc()) }).
					Default(func() { x.Set(hw.K(0x55)) })
				return x
			},
			begin: comb(func(in []*big.Int) *big.Int {
				switch in[0].Int64() {
				case 1:
					return in[1]
				case 2, 5:
					return low(new(big.Int).Add(in[1], one()), 8)
				}
				return big.NewInt(0x55)
			})},
		{name: "cases_wide", in: []int{70, 8}, // a case is a number of two words
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				r := m.Reg("r", 8, 0)
				m.Switch(in[0]).
					Case(hw.Wide(70, low(big.NewInt(-1), 70)), func() { r.Set(in[1]) }).
					Case(hw.K(1), func() { r.Set(r.Add(in[1])) })
				return r
			},
			begin: func() func(cycle) *big.Int {
				state := new(big.Int)
				return func(c cycle) *big.Int {
					out := state
					switch {
					case !c.tick:
					case c.reset:
						state = new(big.Int)
					case c.in[0].Cmp(low(big.NewInt(-1), 70)) == 0:
						state = c.in[1]
					case c.in[0].Cmp(one()) == 0:
						state = low(new(big.Int).Add(state, c.in[1]), 8)
					}
					return out
				}
			}},
		{name: "machine", in: []int{2},
			build: func(m *hw.Module, in []hw.Bits) hw.Bits {
				st := hw.FSM[struct{ Idle, Ask, Wait hw.State }](m, "state")
				st.Idle.Do(func() { m.When(in[0].Bit(0), st.Ask.Next) })
				st.Ask.Do(func() { m.When(in[0].Bit(1), st.Idle.Next).Else(st.Wait.Next) })
				st.Wait.Do(st.Idle.Next)
				return hw.Cat(st.Wait.Is(), st.Ask.Is(), st.Idle.Is())
			},
			begin: func() func(cycle) *big.Int {
				const idle, ask, wait = 0, 1, 2
				state := idle
				return func(c cycle) *big.Int {
					out := new(big.Int).Lsh(one(), uint(state))
					next := state
					switch {
					case state == idle && c.in[0].Bit(0) == 1:
						next = ask
					case state == ask && c.in[0].Bit(1) == 1, state == wait:
						next = idle
					case state == ask:
						next = wait
					}
					if c.reset {
						next = idle
					}
					if c.tick {
						state = next
					}
					return out
				}
			}},
	}
}
