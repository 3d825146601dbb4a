package semantics_test

import (
	"fmt"
	"math/big"

	"github.com/hotline-rtl/hotline/hw"
)

// registers returns registers with each kind of reset and of each width.
func registers() (out []construct) {
	for _, k := range clocks {
		for _, w := range widths {
			if k.reset != "" {
				out = append(out, register(k.name, k.kind, w, true))
			}
			out = append(out, register(k.name, k.kind, w, false))
		}
	}
	return append(out, cleared(), flags(), elements())
}

// register accumulates its input while it is enabled.
func register(clock string, kind []hw.ResetKind, w int, resets bool) construct {
	name, init := "data", new(big.Int)
	if resets {
		name, init = "reg", low(big.NewInt(5), w)
	}
	atOnce := false
	for _, x := range kind {
		atOnce = atOnce || x == hw.Async
	}
	return construct{name: fmt.Sprintf("%s_%s_w%d", name, clock, w), in: []int{1, w}, clock: clock,
		build: func(m *hw.Module, in []hw.Bits) hw.Bits {
			var r hw.Bits
			if resets {
				r = m.Reg("r", w, init.Uint64())
			} else {
				r = m.Data("r", w)
			}
			m.When(in[0], func() { r.Set(r.Add(in[1])) })
			return r
		},
		begin: func() func(cycle) *big.Int {
			state := new(big.Int)
			return func(c cycle) *big.Int {
				reset := resets && c.reset
				if reset && atOnce {
					state = init
				}
				out := state
				switch {
				case !c.tick:
				case reset:
					state = init
				case c.bit(0):
					state = low(new(big.Int).Add(state, c.in[1]), w)
				}
				return out
			}
		}}
}

// counter accumulates its input, starting at 3.
type counter struct{}

type counterPorts struct {
	X hw.Bits `hw:"in,8"`
	N hw.Bits `hw:"out,8"`
	F hw.Bits `hw:"out,8"`
}

func (counter) Build(m *hw.Module) counterPorts {
	io := hw.Ports[counterPorts](m)
	n, free := m.Reg("held", 8, 3), m.Data("free", 8)
	n.Set(n.Add(io.X))
	free.Set(free.Add(io.X))
	io.N.Set(n)
	io.F.Set(free)
	return io
}

// cleared resets an instance by a condition: registers without a reset continue.
func cleared() construct {
	return construct{name: "inst_reset", in: []int{1, 8},
		build: func(m *hw.Module, in []hw.Bits) hw.Bits {
			c := hw.InstReset(m, "counter", counter{}, in[0])
			c.X.Set(in[1])
			return hw.Cat(c.N, c.F)
		},
		begin: func() func(cycle) *big.Int {
			var n, free int64
			return func(c cycle) *big.Int {
				out := big.NewInt(n<<8 | free)
				if c.tick {
					n, free = (n+c.in[1].Int64())&0xff, (free+c.in[1].Int64())&0xff
					if c.reset || c.bit(0) {
						n = 3
					}
				}
				return out
			}
		}}
}

// flags assigns parts of a register: unassigned parts keep their values.
func flags() construct {
	return construct{name: "parts", in: []int{3, 70},
		build: func(m *hw.Module, in []hw.Bits) hw.Bits {
			r := m.Reg("r", 70, 9)
			r.Slice(59, 4).Set(r.Slice(59, 4).Inc())
			r.Slice(69, 67).Set(in[0])
			m.When(in[0].Bit(0), func() { r.Slice(66, 60).Set(in[1].Slice(66, 60)) })
			m.When(in[0].Bit(1), func() { r.Bit(64).Set(in[1].Bit(0)) })
			m.When(in[0].Bit(2), func() { r.Slice(3, 0).Set(in[1].Slice(69, 66)) })
			return r
		},
		begin: func() func(cycle) *big.Int {
			state := new(big.Int)
			put := func(lo, width int, x *big.Int) {
				next := new(big.Int).Set(state)
				for i := range width {
					next.SetBit(next, lo+i, x.Bit(i))
				}
				state = next
			}
			return func(c cycle) *big.Int {
				out := state
				if !c.tick {
					return out
				}
				put(4, 56, low(new(big.Int).Add(cut(state, 4, 56), one()), 56))
				put(67, 3, c.in[0])
				if c.in[0].Bit(0) == 1 {
					put(60, 7, cut(c.in[1], 60, 7))
				}
				if c.in[0].Bit(1) == 1 {
					put(64, 1, c.in[1])
				}
				if c.in[0].Bit(2) == 1 {
					put(0, 4, cut(c.in[1], 66, 4))
				}
				if c.reset {
					state = big.NewInt(9)
				}
				return out
			}
		}}
}

// elements assigns elements of a vector of registers, by a variable and by a constant index.
func elements() construct {
	return construct{name: "elements", in: []int{2, 3, 9, 9},
		build: func(m *hw.Module, in []hw.Bits) hw.Bits {
			r := m.RegVec("r", 5, 9, 2)
			m.When(in[0].Bit(0), func() { r.Index(in[1]).Set(in[2]) })
			m.When(in[0].Bit(1), func() { r.N(3).Set(in[3]) })
			return r.Pack()
		},
		begin: func() func(cycle) *big.Int {
			state := split(new(big.Int), 5, 9)
			return func(c cycle) *big.Int {
				out := join(state, 9)
				if !c.tick {
					return out
				}
				if at := c.num(1); c.in[0].Bit(0) == 1 && at < 5 {
					state[at] = c.in[2]
				}
				if c.in[0].Bit(1) == 1 {
					state[3] = c.in[3]
				}
				for i := range state {
					if c.reset {
						state[i] = big.NewInt(2)
					}
				}
				return out
			}
		}}
}
