package lower

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Write returns the kernel of a write to m if the write has many lanes. Changes belong to a group.
func Write(name string, m *plan.Memory, w *plan.Write, group int) ([]*kernel.Kernel, error) {
	if w.Lanes < plan.FewestLanes {
		return nil, nil
	}
	k := kernel.New(name, w.Lanes, 32)
	k.Doc = fmt.Sprintf("%s: writes of %d lanes", name, w.Lanes)
	lo := New(k)
	mask := lo.Mask(w.Enable)
	addr := lo.Whole(w.Addr)
	if w.Addr.Width < 32 && 1<<w.Addr.Width > m.Depth {
		mask = k.Do(kernel.MaskAnd, mask, k.Do(kernel.Less, addr, k.Const(uint64(m.Depth))))
	}
	from := lo.bytes(w.Data)
	addr = lo.Address(m, addr, w.At)
	if lo.Err != nil {
		return nil, fmt.Errorf("%s: %w", name, lo.Err)
	}
	k.Copy(PlaceOf(w.Data.V), from, PlaceOfMemory(m), addr, mask, group)
	return []*kernel.Kernel{k}, nil
}

// bytes returns the offsets in bytes of the lanes of a value from the beginning of its storage.
func (lo *Builder) bytes(o plan.Operand) kernel.Value {
	if o.V == nil || o.V.Port != "" || o.V.Of != nil || o.V.Bits() || o.Width != o.V.Width {
		return lo.Fail("a constant, a port or bits of words are copied")
	}
	at := lo.lanesOf(o)
	for l := range at {
		at[l] *= o.V.Stride() / 8
	}
	return lo.Kernel.Table(at)
}

// copied reports whether n, the only node of a unit, only copies words from a memory that are too
// long for lanes.
func copied(u *plan.Unit) bool {
	n := u.Nodes[0]
	return len(u.Nodes) == 1 && n.Code == ir.MemRead && n.Width > 64 && n.Width == n.Mem.Width && n.Out.Stored &&
		n.Args[0].Width < 32 && 1<<n.Args[0].Width <= n.Mem.Room
}

// copying builds the kernel of such a unit.
func (lo *Builder) copying(n *plan.Node, group int) {
	k := lo.Kernel
	mask := lo.Use
	if mask == kernel.None {
		mask = lo.Mask(plan.Always)
	}
	from := lo.Address(n.Mem, lo.Whole(n.Args[0]), n.MemAt)
	to := lo.bytes(plan.Operand{V: n.Out, At: plan.Identity, Width: n.Width})
	at := PlaceOf(n.Out)
	at.Size = 8 * wordBytes(n.Mem)
	k.Copy(PlaceOfMemory(n.Mem), from, at, to, mask, group)
}
