package split

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// inputs creates the ports of all words. Outputs get their nets at the end.
func (s *splitter) inputs() {
	for _, p := range s.in.Ports {
		elements := make([][]int, len(p.Nets))
		for l, n := range p.Nets {
			for _, w := range sizes(p.Sig.Type.Width) {
				elements[l] = append(elements[l], len(s.out.Design.Ports))
				v := netlist.Var{Path: p.Path, Sig: &ir.Signal{Name: p.Sig.Name, Kind: p.Sig.Kind, Type: ir.Type{Width: portWidth(w, p.Sig.Type)}}}
				if p.Sig.Kind == ir.Input {
					x := s.newNet(v.Sig.Type.Width)
					v.Nets = []netlist.Net{x}
					s.words[n] = append(s.words[n], s.slice(x, 0, w))
				}
				s.out.Design.Ports = append(s.out.Design.Ports, v)
			}
		}
		s.out.Ports = append(s.out.Ports, elements)
	}
	if s.in.Top.Reset {
		s.out.Reset = len(s.out.Design.Ports)
		s.out.Design.Ports = append(s.out.Design.Ports, netlist.Var{Path: []string{"rst"}, Sig: ir.ResetPort, Nets: []netlist.Net{s.newNet(1)}})
	}
}

// portWidth returns the width of the port for w bits of an element of a port. Ports for words of
// elements of several words have whole words.
func portWidth(w int, of ir.Type) int {
	if of.Width > word {
		return word
	}
	return w
}

// reset returns the net of the reset.
func (s *splitter) reset() netlist.Net { return s.out.Design.Ports[s.out.Reset].Nets[0] }

// registers creates a register for each word of a register.
func (s *splitter) registers() {
	for _, r := range s.in.Regs {
		words := s.news(int(s.in.Width[r.Q]))
		s.words[r.Q] = words
		var numbers []int
		for k, q := range words {
			sig := *r.Sig
			x := netlist.Reg{Q: q, Clear: netlist.None, Reset: r.Reset, Path: r.Path, Sig: &sig, Copy: copyOf}
			if r.Reset {
				x.Init = r.Init[k : k+1]
			}
			numbers = append(numbers, len(s.out.Design.Regs))
			s.out.Design.Regs = append(s.out.Design.Regs, x)
		}
		s.out.Regs = append(s.out.Regs, numbers)
	}
}

// memories creates the memories, whose words have at most 64 bits.
func (s *splitter) memories() {
	for _, m := range s.in.Mems {
		x, stride := *m.IR, 1
		if n := ir.Words(x.Width); n > 1 {
			stride = 1 << ir.Clog2(n)
			x.Init = spread(x.Init, n, stride)
			x.Depth, x.Width = x.Depth*stride, word
		}
		s.out.Mems = append(s.out.Mems, netlist.Mem{IR: &x, Path: m.Path, Copy: copyOf})
		s.out.Strides = append(s.out.Strides, stride)
	}
}

// spread moves initial contents from consecutive groups of words to groups at a stride.
func spread(init []uint64, words, stride int) []uint64 {
	if init == nil {
		return nil
	}
	out := make([]uint64, len(init)/words*stride)
	for i := range len(init) / words {
		copy(out[i*stride:], init[i*words:][:words])
	}
	return out
}

// address returns the address of part k of a word of memory mem.
func (s *splitter) address(mem, k int, at []netlist.Net) netlist.Net {
	if stride := s.out.Strides[mem]; stride > 1 {
		return s.join([]netlist.Net{s.k(ir.Clog2(stride), uint64(k)), at[0]})
	}
	return at[0]
}

// read returns a word of a memory.
func (s *splitter) read(mem int, at []netlist.Net, width int) []netlist.Net {
	var out []netlist.Net
	for k, w := range sizes(width) {
		x := s.make(ir.MemRead, s.out.Mems[mem].IR.Width, mem, s.address(mem, k, at))
		out = append(out, s.slice(x, 0, w))
	}
	return out
}

// effects completes registers and outputs, and creates writes and assertions.
func (s *splitter) effects() {
	for i, r := range s.in.Regs {
		for k, n := range s.out.Regs[i] {
			x := &s.out.Design.Regs[n]
			x.D = s.words[r.D][k]
			switch {
			case !r.Reset:
			case r.Clear == netlist.None:
				x.Clear = s.reset()
			default:
				x.Clear = s.do(ir.Or, 1, s.words[r.Clear][0], s.reset())
			}
		}
	}
	for i, p := range s.in.Ports {
		for l, n := range p.Nets {
			for k, port := range s.out.Ports[i][l] {
				if to := &s.out.Design.Ports[port]; to.Sig.Kind == ir.Output {
					to.Nets = []netlist.Net{s.extended(s.words[n][k], to.Sig.Type.Width)}
				}
			}
		}
	}
	for _, w := range s.in.Writes {
		for k, x := range s.words[w.Data] {
			data := s.extended(x, s.out.Mems[w.Mem].IR.Width)
			s.out.Writes = append(s.out.Writes, netlist.Write{Mem: w.Mem, Enable: s.words[w.Enable][0], Addr: s.address(w.Mem, k, s.words[w.Addr]), Data: data, Copy: copyOf})
		}
	}
	for i, c := range s.in.Checks {
		enable := s.words[c.Enable][0]
		if s.out.Reset >= 0 {
			enable = s.do(ir.And, 1, enable, s.not(s.reset()))
		}
		s.out.Checks = append(s.out.Checks, netlist.Check{Enable: enable, Cond: s.words[c.Cond][0], Text: c.Text, Path: c.Path, Pos: c.Pos,
			Copy: &netlist.Copy{Place: fmt.Sprint("check", i)}})
	}
}
