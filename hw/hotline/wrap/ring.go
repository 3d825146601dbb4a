package wrap

import "github.com/hotline-rtl/hotline/hw"

// RAMBits is log2 of the bytes of each of the two memories between the accelerator and
// verilog-pcie: their default.
const RAMBits = 16

// ring hands out a memory in turn: whole lines, the address of the next place, and whether a
// descriptor of any length fits. Places are given back in the order in which they were taken.
type ring struct {
	m    *hw.Module
	line int // log2 of the bytes of a line
	next hw.Bits
	free hw.Bits
}

// newRing is an empty memory.
func newRing(m *hw.Module, line int) ring {
	lines := uint64(1) << (RAMBits - line)
	return ring{m: m, line: line, next: m.Reg("next_line", RAMBits-line, 0), free: m.Reg("free_lines", RAMBits-line+1, lines)}
}

// fits tells whether there is room for the longest descriptor.
func (r ring) fits() hw.Bits { return r.free.Ge(hw.K(4096 >> r.line)) }

// address is that of the next place.
func (r ring) address() hw.Bits { return hw.Cat(r.next, hw.Zeros(r.line)) }

// lines are those of a descriptor of so many bytes.
func (r ring) lines(length hw.Bits) hw.Bits {
	w := length.Width()
	return length.Add(hw.Lit(w, 1<<r.line-1)).Slice(w-1, r.line)
}

// update takes lines, and gives some back, in the cycles of two events.
func (r ring) update(take, lines, back, returned hw.Bits) {
	w := r.free.Width()
	taken := hw.Mux(take, lines.Ext(w), hw.Zeros(w)).As("lines_taken")
	r.next.Set(r.next.Add(taken.Trunc(w - 1)))
	r.free.Set(r.free.Sub(taken).Add(hw.Mux(back, returned.Ext(w), hw.Zeros(w))))
}
