package model

import (
	"bytes"
	"slices"
	"unsafe"
)

// Pages is an immutable snapshot of the state of a model, in pages that snapshots can share.
type Pages [][]byte

const pageSize = 16 << 10

// nothing is an all-zero page, the initial content of memory.
var nothing [pageSize]byte

// Save copies the given parts of memory. It shares pages that are unchanged since earlier, a
// snapshot of the same parts, or all-zero pages if earlier is nil. A design with megabytes of state
// changes only a small part between snapshots.
func Save(parts [][]byte, earlier Pages) Pages {
	var out Pages
	for _, part := range parts {
		for page := range slices.Chunk(part, pageSize) {
			before := nothing[:len(page)]
			if earlier != nil {
				before = earlier[len(out)]
			}
			if !bytes.Equal(page, before) {
				before = bytes.Clone(page)
			}
			out = append(out, before)
		}
	}
	return out
}

// Restore copies the pages back to parts.
func (p Pages) Restore(parts [][]byte) {
	for _, part := range parts {
		for page := range slices.Chunk(part, pageSize) {
			copy(page, p[0])
			p = p[1:]
		}
	}
}

// Bytes returns the memory of a variable that contains no pointers.
func Bytes[T any](p *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p)) }
