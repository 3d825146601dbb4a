package wrap

import "github.com/hotline-rtl/hotline/hw"

// RAMBits is log2 of the size, in bytes, of each of the two memories between the accelerator and
// verilog-pcie. It is the default of verilog-pcie.
const RAMBits = 16

// ring allocates a memory cyclically in whole lines. It provides the address of the next location,
// and reports whether any descriptor fits. Space is freed in the order in which it was allocated.
type ring struct {
	m    *hw.Module
	line int // log2 of the bytes of a line
	next hw.Bits
	free hw.Bits
}

// newRing returns an empty memory.
func newRing(m *hw.Module, line int) ring {
	lines := uint64(1) << (RAMBits - line)
	return ring{m: m, line: line, next: m.Reg("next_line", RAMBits-line, 0), free: m.Reg("free_lines", RAMBits-line+1, lines)}
}

// fits reports whether there is space for the longest descriptor.
func (r ring) fits() hw.Bits { return r.free.Ge(hw.Named("packet_lines", 4096>>r.line)) }

// address returns the address of the next location.
func (r ring) address() hw.Bits { return hw.Cat(r.next, hw.Zeros(r.line)) }

// lines returns the number of lines for a descriptor of the given length in bytes.
func (r ring) lines(length hw.Bits) hw.Bits {
	w := length.Width()
	return length.Add(hw.Lit(w, 1<<r.line-1)).Slice(w-1, r.line)
}

// update allocates lines if take is 1, and frees lines if back is 1.
func (r ring) update(take, lines, back, returned hw.Bits) {
	w := r.free.Width()
	taken := hw.Mux(take, lines.Ext(w), hw.Zeros(w)).As("lines_taken")
	r.next.Set(r.next.Add(taken.Trunc(w - 1)))
	r.free.Set(r.free.Sub(taken).Add(hw.Mux(back, returned.Ext(w), hw.Zeros(w))))
}
