package model

import (
	"reflect"
	"unsafe"
)

// large is the size of the large pages of most processors, small that of their smallest ones.
const large, small = 2 << 20, 4 << 10

// New is a model of which all is zero. A large one has its memory at once, in large pages where the
// system has some: a run would otherwise wait for each small page when it first writes there.
func New[T any]() *T {
	listStates(reflect.TypeFor[T]())
	m := new(T)
	memory := unsafe.Slice((*byte)(unsafe.Pointer(m)), unsafe.Sizeof(*m))
	if len(memory) < 2*large { // it may hold none
		return m
	}
	memory = memory[-uintptr(unsafe.Pointer(m))%large:]
	memory = memory[:len(memory)/large*large]
	_ = prefer(memory) // small pages do as well
	for i := 0; i < len(memory); i += small {
		memory[i] = 0
	}
	return m
}
