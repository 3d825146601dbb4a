package model

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Group describes the copies of a register or memory. Their paths are given by Paths, or by a
// Pattern. Each pair of brackets in the Pattern takes iteration numbers below the corresponding
// entry of Dims, the last one varying fastest.
type Group struct {
	Pattern      string
	Dims         []int
	Paths        []string
	Width, Depth int
	Fixed        bool   // as in sim.State
	Registers    []Reg  // registers that hold the words, least significant first
	Memory       Memory // location, if the group is a memory
}

// Memory describes all lanes of a memory in the state of a model.
type Memory struct {
	At     string // field of the state that contains the first word
	Lane   int    // distance between lanes, in words
	Size   int    // bits of a word in the state
	Stride int    // words in the state per word of the memory
	at     uintptr
}

// States contains all registers and memories of a model. New lists them when it makes the first
// model. Otherwise, a program with the model of a large design would list tens of thousands at each
// start, even if it simulates nothing.
type States struct {
	List   []sim.State
	state  reflect.Type
	listed sync.Once
	groups []Group
	group  []int32 // by index in List
	lane   []int32
	once   sync.Once
	byPath map[string]int
}

// unlisted maps the type of a model's state to the States whose List is built with the first model.
var unlisted sync.Map

// NewStates returns the states of a model: the members of groups, whose fields are in the type of
// its state.
func NewStates(groups []Group, state reflect.Type) *States {
	s := &States{groups: groups, state: state}
	unlisted.Store(state, s)
	return s
}

// listStates lists the states of a model, given its type.
func listStates(model reflect.Type) {
	if model.Kind() != reflect.Struct {
		return
	}
	field, _ := model.FieldByName("state")
	if s, ok := unlisted.Load(field.Type); ok {
		s.(*States).listed.Do(s.(*States).list)
	}
}

// list lists the members of groups and resolves their fields. It panics if a field does not exist.
func (s *States) list() {
	place(s.groups, s.state)
	paths, n := make([][]string, len(s.groups)), 0
	for g, x := range s.groups {
		paths[g] = x.paths()
		n += len(paths[g])
	}
	s.List, s.group, s.lane = make([]sim.State, 0, n), make([]int32, 0, n), make([]int32, 0, n)
	for g, x := range s.groups {
		for l, path := range paths[g] {
			s.List = append(s.List, sim.State{Path: path, Width: x.Width, Depth: x.Depth, Fixed: x.Fixed})
			s.group = append(s.group, int32(g))
			s.lane = append(s.lane, int32(l))
		}
	}
}

// place resolves the fields of groups to offsets. If offsets were constants in the generated code,
// the compiler would search all fields for each of them.
func place(groups []Group, state reflect.Type) {
	at := make(map[string]uintptr, state.NumField())
	for i := range state.NumField() {
		f := state.Field(i)
		at[f.Name] = f.Offset
	}
	find := func(field string) uintptr {
		offset, ok := at[field]
		if !ok {
			panic(fmt.Sprintf("model: %s has no field %q", state, field))
		}
		return offset
	}
	for _, g := range groups {
		for i := range g.Registers {
			g.Registers[i].place(find)
		}
	}
	for g := range groups {
		if m := &groups[g].Memory; m.At != "" {
			m.at = find(m.At)
		}
	}
}

// paths returns the paths of the members. They share one string, because a large design has tens of
// thousands.
func (g Group) paths() []string {
	if g.Paths != nil {
		return g.Paths
	}
	n := 1
	for _, d := range g.Dims {
		n *= d
	}
	pieces := strings.SplitAfter(g.Pattern, "[")
	digits, ends := make([]int, len(g.Dims)), make([]int, n)
	var text []byte
	for l := range ends {
		for i, rest := len(digits)-1, l; i >= 0; i-- {
			digits[i] = rest % g.Dims[i]
			rest /= g.Dims[i]
		}
		for i, piece := range pieces {
			text = append(text, piece...)
			if i < len(digits) {
				text = strconv.AppendInt(text, int64(digits[i]), 10)
			}
		}
		ends[l] = len(text)
	}
	out, whole, from := make([]string, n), string(text), 0
	for l, end := range ends {
		out[l], from = whole[from:end], end
	}
	return out
}

// span returns the range of indices in List that belong to a group.
func (s *States) span(group int) (from, to int) {
	from, _ = slices.BinarySearch(s.group, int32(group))
	to, _ = slices.BinarySearch(s.group, int32(group+1))
	return from, to
}

// Find returns the index of a register or a memory.
func (s *States) Find(path string, memory bool) (int, bool) {
	s.once.Do(func() {
		s.byPath = make(map[string]int, len(s.List))
		for i, x := range s.List {
			s.byPath[x.Path] = i
		}
	})
	i, ok := s.byPath[path]
	return i, ok && (s.List[i].Depth > 0) == memory
}

// Read copies a register, or a word of a memory, into buf.
func (s *States) Read(state unsafe.Pointer, buf []uint64, i, word int) []uint64 {
	x := buf[:(s.List[i].Width+63)/64]
	s.parts(state, i, word, func(array unsafe.Pointer, at, size, k int) { get(array, at, size, x[k:]) })
	return x
}

// Write sets a register, or a word of a memory.
func (s *States) Write(state unsafe.Pointer, i, word int, value []uint64) {
	s.parts(state, i, word, func(array unsafe.Pointer, at, size, k int) { put(array, at, size, value[k:]) })
}

// parts calls f for each array element that holds words of List[i]. The first word is word k of the
// value.
func (s *States) parts(state unsafe.Pointer, i, word int, f func(array unsafe.Pointer, at, size, k int)) {
	g, lane := &s.groups[s.group[i]], int(s.lane[i])
	if g.Depth == 0 {
		k := 0
		for _, r := range g.Registers {
			f(unsafe.Add(state, r.q), lane, r.Size, k)
			k += (r.Size + 63) / 64
		}
		return
	}
	m := g.Memory
	for k := 0; k < (g.Width+63)/64; k += (m.Size + 63) / 64 {
		f(unsafe.Add(state, m.at), lane*m.Lane+word*m.Stride+k, m.Size, k)
	}
}

// Changes reports whether a clock edge would change registers of these groups, other than by a
// reset.
func (s *States) Changes(state unsafe.Pointer, groups []int, reset bool) bool {
	for _, g := range groups {
		for i := range s.groups[g].Registers {
			if r := &s.groups[g].Registers[i]; !(reset && r.Init != nil) && r.changes(state) {
				return true
			}
		}
	}
	return false
}

// IsReset reports whether a reset would change nothing.
func (s *States) IsReset(state unsafe.Pointer) bool {
	return s.all(func(r *Reg) bool { return r.Init == nil || r.isFirst(state, Condition{}) })
}

// IsClear reports whether the reset conditions of registers would change nothing.
func (s *States) IsClear(state unsafe.Pointer) bool {
	return s.all(func(r *Reg) bool { return r.Clear.Lanes == 0 || r.isFirst(state, r.Clear) })
}

// Reset sets registers to their initial values and reports whether one changed.
func (s *States) Reset(state unsafe.Pointer) (changed bool) {
	s.all(func(r *Reg) bool {
		changed = r.Init != nil && r.reset(state) || changed
		return true
	})
	return changed
}

// all reports whether f holds for all registers. It stops at the first register for which f is
// false.
func (s *States) all(f func(r *Reg) bool) bool {
	for g := range s.groups {
		for i := range s.groups[g].Registers {
			if !f(&s.groups[g].Registers[i]) {
				return false
			}
		}
	}
	return true
}

// Mark sets the first n bits of words.
func Mark(words []uint64, n int) {
	for w := 0; 64*w < n; w++ {
		words[w] |= ^uint64(0) >> max(0, 64-(n-64*w))
	}
}

// Fit copies value into buf, truncated or zero-extended to width bits.
func Fit(buf, value []uint64, width int) []uint64 {
	x := buf[:(width+63)/64]
	bv.ZExt(x, value[:min(len(value), len(x))])
	bv.Mask(x, width)
	return x
}
