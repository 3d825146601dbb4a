package gosim

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// wordBytes is the size of a word of m.
func wordBytes(m *memory) int { return elemBits(m.width) / 8 * ir.Words(m.width) }

// placeOfMemory is where m begins, with the size of its words.
func placeOfMemory(m *memory) kernel.Place {
	return kernel.Place{Field: fmt.Sprintf("m%d", m.id), Size: 8 * wordBytes(m)}
}

// address is how many bytes behind the beginning of m, memory at(l) for lane l, the word at
// addr is.
func (lo *lowering) address(m *memory, addr kernel.Value, at form) kernel.Value {
	k, size := lo.k, wordBytes(m)
	each := (m.room + m.gap()) * size
	if m.lanes*each > math.MaxInt32 { // places have a sign
		return lo.fail("a memory of %d bytes", m.lanes*each)
	}
	starts := make([]int, lo.u.lanes)
	for l := range starts {
		starts[l] = at.at(l) * each
	}
	if size&(size-1) == 0 {
		addr = k.Shift(addr, bits.TrailingZeros(uint(size)))
	} else {
		addr = k.Do(kernel.Mul, addr, k.Const(uint64(size)))
	}
	return k.Do(kernel.Add, addr, k.Table(starts))
}

// writing is the kernel of a write to m, if that has many lanes.
func (e *emitter) writing(name string, m *memory, w *write) ([]*kernel.Kernel, error) {
	if w.lanes < fewestLanes {
		return nil, nil
	}
	k := kernel.New(name, w.lanes, 32)
	k.Doc = fmt.Sprintf("%s: writes of %d lanes", name, w.lanes)
	lo := &lowering{u: &unit{lanes: w.lanes}, k: k, use: kernel.None}
	mask := lo.mask(w.enable)
	addr := lo.whole(w.addr)
	if w.addr.width < 32 && 1<<w.addr.width > m.depth {
		mask = k.Do(kernel.MaskAnd, mask, k.Do(kernel.Less, addr, k.Const(uint64(m.depth))))
	}
	from := lo.bytes(w.data)
	addr = lo.address(m, addr, w.at)
	if lo.err != nil {
		return nil, fmt.Errorf("%s: %w", name, lo.err)
	}
	k.Copy(placeOf(w.data.v), from, placeOfMemory(m), addr, mask, e.groupOf(e.p.readersOf(m)))
	return []*kernel.Kernel{k}, nil
}

// bytes is how many bytes behind the beginning of its storage the lanes of a value are.
func (lo *lowering) bytes(o operand) kernel.Value {
	if o.v == nil || o.v.port != "" || o.v.of != nil || o.v.bits() || o.width != o.v.width {
		return lo.fail("a constant, a port or bits of words are copied")
	}
	at := lo.lanesOf(o)
	for l := range at {
		at[l] *= strideOf(o.v) / 8
	}
	return lo.k.Table(at)
}

// copied reports whether n, all of a unit, only copies words from a memory that are too long
// for lanes.
func copied(u *unit) bool {
	n := u.nodes[0]
	return len(u.nodes) == 1 && n.code == ir.MemRead && n.width > 64 && n.width == n.mem.width && n.out.stored &&
		n.args[0].width < 32 && 1<<n.args[0].width <= n.mem.room
}

// copying makes the kernel of such a unit.
func (lo *lowering) copying(group int) {
	n, k := lo.u.nodes[0], lo.k
	mask := lo.use
	if mask == kernel.None {
		mask = lo.mask(always)
	}
	from := lo.address(n.mem, lo.whole(n.args[0]), n.memAt)
	to := lo.bytes(operand{v: n.out, at: identity, width: n.width})
	at := placeOf(n.out)
	at.Size = 8 * wordBytes(n.mem)
	k.Copy(placeOfMemory(n.mem), from, at, to, mask, group)
}
