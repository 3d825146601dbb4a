package static

import (
	"iter"
	"math/bits"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Hot is the set of hot rows of all tables. Each hot row has a slot in one hot table; slots are
// numbered from 0, in the order of table and index.
type Hot struct {
	tables []table
	n      int
}

// table is the rows of a table, 64 in a word.
type table struct {
	bits   []uint64
	before []uint32 // number of hot rows before the word, in all tables
}

// newHot calls hot for every row and returns the set of hot rows.
func newHot(tables []dlrm.Table, hot func(table int, index uint32) bool) *Hot {
	h := &Hot{}
	for t, of := range tables {
		words := (of.Rows + 63) / 64
		rows := table{make([]uint64, words), make([]uint32, words)}
		for w := range rows.bits {
			rows.before[w] = uint32(h.n)
			for i := w * 64; i < min(of.Rows, (w+1)*64); i++ {
				if hot(t, uint32(i)) {
					rows.bits[w] |= 1 << (i % 64)
					h.n++
				}
			}
		}
		h.tables = append(h.tables, rows)
	}
	return h
}

// Len returns the number of hot rows.
func (h *Hot) Len() int { return h.n }

// Slot returns the slot of a row, if the row is hot.
func (h *Hot) Slot(table int, index uint32) (slot int, hot bool) {
	t, w, i := &h.tables[table], index/64, index%64
	word := t.bits[w]
	if word>>i&1 == 0 {
		return 0, false
	}
	return int(t.before[w]) + bits.OnesCount64(word&(1<<i-1)), true
}

// Rows returns the hot rows of a table, in order.
func (h *Hot) Rows(table int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for w, word := range h.tables[table].bits {
			for ; word != 0; word &= word - 1 {
				if !yield(uint32(w*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// all reports whether all rows that an input reads are hot.
func (h *Hot) all(slots []int, in dlrm.Sample) bool {
	for i, index := range in.Sparse {
		if _, hot := h.Slot(slots[i], index); !hot {
			return false
		}
	}
	return true
}

// slotTables returns the tables of an input's lookups.
func slotTables(model dlrm.Config) []int {
	var list []int
	for _, b := range model.Bags() {
		for range b.Lookups {
			list = append(list, b.Table)
		}
	}
	return list
}
