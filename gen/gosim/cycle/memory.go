package cycle

import (
	"iter"
	"math/bits"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// A memory of words of 449 to 512 bits consists of rows of 64-bit words (package split). Operations
// on all words of a row are merged into one operation.

// rowAt splits an address of a word, the only operand, into the number of a row and the number of a
// word in the row. It returns false if m has no rows.
func rowAt(m *plan.Memory, addr ...plan.Operand) (row plan.Operand, word int, ok bool) {
	if m == nil || m.Width != 64 || addr[0].V == nil || addr[0].V.Node == nil || !plan.Bounded(addr[0].Width, m.Room) {
		return row, 0, false
	}
	n := addr[0].V.Node
	low := bits.TrailingZeros(kernel.RowWords)
	if n.Code != ir.Concat || n.List != nil || len(n.Args) != 2 || n.Args[0].V == nil || n.Args[1].K == nil || n.Args[1].Width != low {
		return row, 0, false
	}
	return n.Args[0], int(n.Args[1].K[0]), true
}

// rowsOf returns the writes to m, and groups all writes of a row.
func rowsOf(m *plan.Memory) iter.Seq[[]*plan.Write] {
	return func(yield func([]*plan.Write) bool) {
		for i := 0; i < len(m.Writes); {
			n := 1
			if i+kernel.RowWords <= len(m.Writes) && inRow(m, m.Writes[i:i+kernel.RowWords]) {
				n = kernel.RowWords
			}
			if !yield(m.Writes[i : i+n]) {
				return
			}
			i += n
		}
	}
}

// inRow reports whether writes cover all words of a row.
func inRow(m *plan.Memory, writes []*plan.Write) bool {
	first, _, _ := rowAt(m, writes[0].Addr)
	for i, w := range writes {
		if row, word, ok := rowAt(m, w.Addr); !ok || word != i || row.V != first.V || w.Enable.V != writes[0].Enable.V || w.Enable.V == nil {
			return false
		}
	}
	return true
}

// row returns word n of the rows that the operand row selects.
func (b *blocked) row(m *plan.Memory, row plan.Operand, at plan.Form, n int) kernel.Value {
	return b.Kernel.Row(lower.PlaceOfMemory(m), b.rowBytes(m, row, at), n)
}

// rowBytes returns the offset of a row in bytes from the beginning of m, for memory at(l) in lane
// l.
func (b *blocked) rowBytes(m *plan.Memory, row plan.Operand, at plan.Form) kernel.Value {
	b.Kernel.Size = 64
	return b.Address(m, b.Kernel.Shift(b.Whole(row), bits.TrailingZeros(kernel.RowWords)), at)
}

// writeRow writes all words of a row to m in the lanes in which the write is enabled. Memory beyond
// the last row stays zero, as readers assume.
func (b *blocked) writeRow(m *plan.Memory, writes []*plan.Write) {
	w := writes[0]
	row, _, _ := rowAt(m, w.Addr)
	bytes, mask, rows := b.rowBytes(m, row, w.At), b.Mask(w.Enable), m.Depth/kernel.RowWords
	if !plan.Bounded(row.Width, rows) {
		mask = b.Kernel.Do(kernel.MaskAnd, mask, b.Kernel.Do(kernel.Less, b.Whole(row), b.Kernel.Const(uint64(rows))))
	}
	words := make([]kernel.Value, len(writes))
	for i, w := range writes {
		words[i] = b.Whole(w.Data)
	}
	b.Kernel.StoreRow(lower.PlaceOfMemory(m), words, bytes, mask)
}

// write writes to m in all lanes in which w is enabled.
func (b *blocked) write(m *plan.Memory, w *plan.Write) {
	k := b.Kernel
	k.Size = max(32, plan.ElemBits(m.Width), plan.ElemBits(w.Addr.Width))
	mask, addr := b.Mask(w.Enable), b.Whole(w.Addr)
	if !plan.Bounded(w.Addr.Width, m.Depth) {
		mask = k.Do(kernel.MaskAnd, mask, k.Do(kernel.Less, addr, k.Const(uint64(m.Depth))))
	}
	k.Scatter(lower.PlaceOfMemory(m), b.Whole(w.Data), b.Address(m, addr, w.At), mask, -1)
}
