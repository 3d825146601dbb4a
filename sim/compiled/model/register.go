package model

import (
	"bytes"
	"math/bits"
	"slices"
	"unsafe"
)

// Reg describes all lanes of a register in the state of a model.
type Reg struct {
	Q, D  string // fields of the state with the lanes and their next values; D is empty if edges need none
	Lanes int
	Size  int       // bits per lane: 1, 8, 16, 32 or a multiple of 64
	Mask  Condition // lanes that take their next value; all lanes without a condition
	Clear Condition // lanes that take their initial value instead
	Init  []uint64  // initial value; nil for none
	q, d  uintptr
}

// Condition is one bit per lane, or a single bit for all lanes.
type Condition struct {
	At    string // field of the state
	Lanes int    // 0 for no condition
	at    uintptr
}

// place resolves the fields of r to offsets.
func (r *Reg) place(find func(field string) uintptr) {
	r.q = find(r.Q)
	if r.D != "" {
		r.d = find(r.D)
	}
	for _, c := range []*Condition{&r.Mask, &r.Clear} {
		if c.Lanes > 0 {
			c.at = find(c.At)
		}
	}
}

// word returns the bits of 64 lanes starting at lane 64*w, or otherwise if there is no condition.
func (c Condition) word(state unsafe.Pointer, w int, otherwise uint64) uint64 {
	switch c.Lanes {
	case 0:
		return otherwise
	case 1:
		return -*Word(unsafe.Add(state, c.at), 0)
	}
	return *Word(unsafe.Add(state, c.at), w)
}

// all returns a mask of the lanes that exist in word w.
func (r *Reg) all(w int) uint64 { return ^uint64(0) >> max(0, 64-(r.Lanes-64*w)) }

// changes reports whether a clock edge would change a lane other than by loading its initial value.
func (r *Reg) changes(state unsafe.Pointer) bool {
	q, d, size := unsafe.Add(state, r.q), unsafe.Add(state, r.d), r.Size
	for w := 0; 64*w < r.Lanes; w++ {
		all := r.all(w)
		lanes := all & r.Mask.word(state, w, all) &^ r.Clear.word(state, w, 0)
		switch {
		case lanes == 0:
		case size == 1:
			if (*Word(q, w)^*Word(d, w))&lanes != 0 {
				return true
			}
		case lanes == all:
			if !equal(q, d, w*64*size/8, bits.OnesCount64(all)*size/8) {
				return true
			}
		default:
			for ; lanes != 0; lanes &= lanes - 1 {
				if !equal(q, d, (w*64+FirstBit(lanes))*size/8, size/8) {
					return true
				}
			}
		}
	}
	return false
}

// equal reports whether n bytes at offset from are equal in two arrays.
func equal(a, b unsafe.Pointer, from, n int) bool {
	a, b = unsafe.Add(a, from), unsafe.Add(b, from)
	if n == 8 {
		return *(*uint64)(a) == *(*uint64)(b)
	}
	return bytes.Equal(unsafe.Slice((*byte)(a), n), unsafe.Slice((*byte)(b), n))
}

// isFirst reports whether all lanes selected by the condition have the initial value. Without a
// condition, it checks all lanes.
func (r *Reg) isFirst(state unsafe.Pointer, on Condition) bool {
	q := unsafe.Add(state, r.q)
	for w := 0; 64*w < r.Lanes; w++ {
		all := r.all(w)
		for lanes := all & on.word(state, w, all); lanes != 0; lanes &= lanes - 1 {
			if !same(q, w*64+FirstBit(lanes), r.Size, r.Init) {
				return false
			}
		}
	}
	return true
}

// reset sets all lanes to the initial value and reports whether a lane changed.
func (r *Reg) reset(state unsafe.Pointer) bool {
	if r.isFirst(state, Condition{}) {
		return false
	}
	for l := range r.Lanes {
		put(unsafe.Add(state, r.q), l, r.Size, r.Init)
	}
	return true
}

// get copies the words of element i of an array, of size bits, into x.
func get(array unsafe.Pointer, i, size int, x []uint64) {
	at := unsafe.Add(array, i*size/8)
	switch size {
	case 1:
		x[0] = *Word(array, i/64) >> (i % 64) & 1
	case 8:
		x[0] = uint64(*(*uint8)(at))
	case 16:
		x[0] = uint64(*(*uint16)(at))
	case 32:
		x[0] = uint64(*(*uint32)(at))
	default:
		copy(x, unsafe.Slice((*uint64)(at), size/64))
	}
}

// put copies x to element i of an array, the inverse of get.
func put(array unsafe.Pointer, i, size int, x []uint64) {
	at := unsafe.Add(array, i*size/8)
	switch size {
	case 1:
		word := Word(array, i/64)
		*word = *word&^(1<<(i%64)) | x[0]<<(i%64)
	case 8:
		*(*uint8)(at) = uint8(x[0])
	case 16:
		*(*uint16)(at) = uint16(x[0])
	case 32:
		*(*uint32)(at) = uint32(x[0])
	default:
		copy(unsafe.Slice((*uint64)(at), size/64), x)
	}
}

// same reports whether element i equals x.
func same(array unsafe.Pointer, i, size int, x []uint64) bool {
	if size > 64 {
		return slices.Equal(unsafe.Slice((*uint64)(unsafe.Add(array, i*size/8)), size/64), x)
	}
	var word [1]uint64
	get(array, i, size, word[:])
	return word[0] == x[0]
}
