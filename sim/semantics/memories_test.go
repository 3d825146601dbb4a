package semantics_test

import (
	"fmt"
	"math/big"

	"github.com/hotline-rtl/hotline/hw"
)

// memory is a memory with two write ports, the second with a mask if there are several lanes. It
// has a combinational read or a read port with an enable, and optional initial contents.
type memory struct {
	depth, width, lanes int
	port                bool
	on                  hw.Collision
	contents            int // number of initialised words
}

func (p memory) String() string {
	mode := "read"
	if p.port {
		mode = [...]string{"old", "new", "any"}[p.on]
	}
	return fmt.Sprintf("mem_%dx%d_%s_l%d_i%d", p.depth, p.width, mode, p.lanes, p.contents)
}

// memories returns memories whose depths are powers of two and other numbers, with addresses beyond
// the depth.
func memories() (out []construct) {
	for _, depth := range []int{1, 2, 8, 10} {
		for _, width := range []int{1, 12, 66} {
			for _, lanes := range []int{1, 2, 6} {
				if width%lanes != 0 {
					continue
				}
				add := func(p memory) { out = append(out, p.construct()) }
				add(memory{depth: depth, width: width, lanes: lanes, contents: depth / 2})
				for _, on := range []hw.Collision{hw.OldWord, hw.NewWord, hw.AnyWord} {
					add(memory{depth: depth, width: width, lanes: lanes, port: true, on: on})
				}
			}
		}
		out = append(out, rom(depth, false), rom(depth, true))
	}
	return out
}

// word returns the initial value of word i of a memory.
func word(i, width int) *big.Int {
	return low(new(big.Int).Mul(pattern(128), big.NewInt(int64(2*i+1))), width)
}

func contents(n, width int) []hw.Bits {
	out := make([]hw.Bits, n)
	for i := range out {
		out[i] = hw.Wide(width, word(i, width))
	}
	return out
}

func (p memory) construct() construct {
	addr := hw.IndexWidth(p.depth)
	return construct{
		name: p.String(),
		// Enable and address of both writes, data of both, mask, enable and address of the read.
		in:    []int{1, addr, 1, addr, p.width, p.width, max(p.lanes, 2), 1, addr},
		build: p.build,
		begin: p.begin,
	}
}

func (p memory) build(m *hw.Module, in []hw.Bits) hw.Bits {
	mem := m.Mem("mem", p.depth, p.width)
	if p.contents > 0 {
		mem = mem.Init(contents(p.contents, p.width))
	}
	if p.port {
		mem = mem.OnWrite(p.on)
	}
	var rd hw.Port[hw.Bits]
	if p.port {
		rd = mem.Port("rd")
	}
	m.When(in[0], func() { mem.Write(in[1], in[4]) })
	m.When(in[2], func() {
		if p.lanes > 1 {
			mem.WriteLanes(in[3], in[5], in[6])
		} else {
			mem.Write(in[3], in[5])
		}
	})
	if !p.port {
		return mem.Read(in[8])
	}
	m.When(in[7], func() { rd.Read(in[8]) })
	return rd.Data
}

func (p memory) begin() func(cycle) *big.Int {
	mem := make([]*big.Int, p.depth)
	for i := range mem {
		mem[i] = new(big.Int)
		if i < p.contents {
			mem[i] = word(i, p.width)
		}
	}
	held := new(big.Int)
	read := func(at int) *big.Int {
		if at < p.depth {
			return mem[at]
		}
		return new(big.Int)
	}
	return func(c cycle) *big.Int {
		if out := read(c.num(8)); !p.port || !c.tick {
			p.write(mem, c)
			if p.port {
				return held
			}
			return out
		}
		out := held
		if c.bit(7) && p.on != hw.NewWord { // for AnyWord, engines read the old word
			held = read(c.num(8))
		}
		p.write(mem, c)
		if c.bit(7) && p.on == hw.NewWord {
			held = read(c.num(8))
		}
		return out
	}
}

// write performs both writes. The second write takes precedence.
func (p memory) write(mem []*big.Int, c cycle) {
	if at := c.num(1); c.tick && c.bit(0) && at < p.depth {
		mem[at] = c.in[4]
	}
	at := c.num(3)
	if !c.tick || !c.bit(2) || at >= p.depth {
		return
	}
	size := p.width / p.lanes
	lanes := split(mem[at], p.lanes, size)
	for i, x := range split(c.in[5], p.lanes, size) {
		if p.lanes == 1 || c.in[6].Bit(i) == 1 {
			lanes[i] = x
		}
	}
	mem[at] = join(lanes, size)
}

// rom returns a constant memory with a combinational read or a read port.
func rom(depth int, port bool) construct {
	const width = 40
	name := fmt.Sprintf("rom_%d", depth)
	if port {
		name += "_port"
	}
	read := func(at int) *big.Int {
		if at < depth {
			return word(at, width)
		}
		return new(big.Int)
	}
	return construct{name: name, in: []int{hw.IndexWidth(depth)},
		build: func(m *hw.Module, in []hw.Bits) hw.Bits {
			r := m.ROM("words", contents(depth, width))
			if !port {
				return r.Read(in[0])
			}
			rd := r.Port("rd")
			rd.Read(in[0])
			return rd.Data
		},
		begin: func() func(cycle) *big.Int {
			held := new(big.Int)
			return func(c cycle) *big.Int {
				out := held
				if !port {
					return read(c.num(0))
				}
				if c.tick {
					held = read(c.num(0))
				}
				return out
			}
		}}
}
