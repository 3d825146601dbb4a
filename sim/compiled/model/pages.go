package model

import (
	"bytes"
	"slices"
	"unsafe"
)

// Pages are the state of a model, in pieces that are never changed.
type Pages [][]byte

const pageSize = 16 << 10

// nothing is what memory holds before anything is written.
var nothing [pageSize]byte

// Save copies parts of memory. Of pages that hold what they held in earlier ones of the
// same parts, or nothing if these are nil, it has no copy of its own: a design of
// megabytes changes little of them in a while.
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

// Restore copies pages back.
func (p Pages) Restore(parts [][]byte) {
	for _, part := range parts {
		for page := range slices.Chunk(part, pageSize) {
			copy(page, p[0])
			p = p[1:]
		}
	}
}

// Bytes is the memory of a variable without pointers.
func Bytes[T any](p *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p)) }
