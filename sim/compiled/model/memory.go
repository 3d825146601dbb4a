package model

import (
	"reflect"
	"unsafe"
)

// large is the size of a large page of most processors, small the size of their smallest pages.
const large, small = 2 << 20, 4 << 10

// New returns a model with all-zero state. It allocates the memory of a large model immediately, in
// large pages if the system supports them. Otherwise, a run would take a page fault at the first
// write to each small page.
func New[T any]() *T {
	listStates(reflect.TypeFor[T]())
	m := new(T)
	memory := unsafe.Slice((*byte)(unsafe.Pointer(m)), unsafe.Sizeof(*m))
	if len(memory) < 2*large { // it may contain no large page
		return m
	}
	memory = memory[-uintptr(unsafe.Pointer(m))%large:]
	memory = memory[:len(memory)/large*large]
	_ = prefer(memory) // small pages work as well
	for i := 0; i < len(memory); i += small {
		memory[i] = 0
	}
	return m
}
