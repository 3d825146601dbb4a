package interp

import (
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Read implements sim.Inspector.
func (s *Sim) Read(i, word int) []uint64 {
	if i < len(s.regs) {
		r := &s.regs[i]
		return s.vals[r.q:][:r.words]
	}
	return s.mems[i-len(s.regs)].word(word)
}

// Peek returns the current value of a register, or of any named signal if New was called with
// AllSignals. It returns false if path does not exist. Elements of a vector are name[i].
func (s *Sim) Peek(path string) ([]uint64, bool) {
	if i, ok := s.find(path); ok && i < len(s.regs) {
		return s.Read(i, 0), true
	}
	if n, ok := s.signal(path); ok {
		s.settle()
		return s.net(n), true
	}
	return nil, false
}

// signal returns the net of a named signal.
func (s *Sim) signal(path string) (netlist.Net, bool) {
	if s.signals == nil {
		s.signals = map[string]netlist.Net{}
		for _, v := range s.d.Vars {
			for k, n := range v.Nets {
				s.signals[strings.Join(elementPath(v, k), ".")] = n
			}
		}
	}
	n, ok := s.signals[path]
	return n, ok
}

// PeekMem returns the current value of a word of a memory, or false if there is no such word.
func (s *Sim) PeekMem(path string, index int) ([]uint64, bool) {
	m := s.memory(path, index)
	if m == nil {
		return nil, false
	}
	return m.word(index), true
}

// PokeMem sets a word of a memory to a value in little-endian words. It reports whether there is
// such a word.
func (s *Sim) PokeMem(path string, index int, value []uint64) bool {
	m := s.memory(path, index)
	if m == nil {
		return false
	}
	x := make([]uint64, m.size)
	bv.ZExt(x, value[:min(len(value), m.size)])
	bv.Mask(x, m.width)
	i, _ := s.find(path)
	s.Write(i, index, x)
	return true
}

// Write implements sim.Writable.
func (s *Sim) Write(i, word int, value []uint64) {
	if i < len(s.regs) {
		s.load(&s.regs[i], value)
		s.pending.addOne(s.region[registers].first() + i) // the next value may equal the old value
		return
	}
	i -= len(s.regs)
	s.store(&s.mems[i], word, value)
	s.pending.addOne(s.region[memories].first() + i) // a write may restore the word
}

func (s *Sim) memory(path string, index int) *memory {
	i, ok := s.find(path)
	if !ok || i < len(s.regs) {
		return nil
	}
	m := &s.mems[i-len(s.regs)]
	if index < 0 || index >= m.depth {
		return nil
	}
	return m
}

// find returns the index of a register, or len(s.regs) plus the index of a memory.
func (s *Sim) find(path string) (int, bool) {
	if s.byPath == nil {
		s.byPath = make(map[string]int, len(s.regs)+len(s.mems))
		for i := range s.regs {
			s.byPath[s.regs[i].path] = i
		}
		for i := range s.mems {
			s.byPath[s.mems[i].path] = len(s.regs) + i
		}
	}
	i, ok := s.byPath[path]
	return i, ok
}

// State implements sim.Inspector. Registers precede memories.
func (s *Sim) State() []sim.State {
	out := make([]sim.State, 0, len(s.regs)+len(s.mems))
	for _, r := range s.d.Regs {
		out = append(out, sim.State{Path: r.Path, Width: int(s.d.Width[r.Q]), Pos: r.Sig.Pos})
	}
	for _, m := range s.d.Mems {
		out = append(out, sim.State{Path: m.Path, Width: m.IR.Width, Depth: m.IR.Depth, Fixed: m.IR.Init != nil, Pos: m.IR.Pos})
	}
	return out
}
