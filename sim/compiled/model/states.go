package model

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Group is the copies of a register or memory: one path, or a Pattern whose
// pairs of brackets take iteration numbers below Dims, the last one fastest, or
// Paths.
type Group struct {
	Pattern      string
	Dims         []int
	Paths        []string
	Width, Depth int
	Fixed        bool // as in sim.State
}

// States are all registers and memories of a model.
type States struct {
	List   []sim.State
	group  []int32 // by number in List
	lane   []int32
	once   sync.Once
	byPath map[string]int
}

// NewStates lists the members of groups.
func NewStates(groups []Group) *States {
	paths, n := make([][]string, len(groups)), 0
	for g, x := range groups {
		paths[g] = x.paths()
		n += len(paths[g])
	}
	s := &States{List: make([]sim.State, 0, n), group: make([]int32, 0, n), lane: make([]int32, 0, n)}
	for g, x := range groups {
		for l, path := range paths[g] {
			s.List = append(s.List, sim.State{Path: path, Width: x.Width, Depth: x.Depth, Fixed: x.Fixed})
			s.group = append(s.group, int32(g))
			s.lane = append(s.lane, int32(l))
		}
	}
	return s
}

// paths are the paths of the members. They are pieces of one text: a large design has tens
// of thousands, which every program with its model makes when it starts.
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

// span are the numbers in List of a group.
func (s *States) span(group int) (from, to int) {
	from, _ = slices.BinarySearch(s.group, int32(group))
	to, _ = slices.BinarySearch(s.group, int32(group+1))
	return from, to
}

// At is the group and the lane of List[i].
func (s *States) At(i int) (group, lane int) { return int(s.group[i]), int(s.lane[i]) }

// Find is the number of a register, or of a memory.
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

// Fit is value as width bits, in buf.
func Fit(buf, value []uint64, width int) []uint64 {
	x := buf[:(width+63)/64]
	bv.ZExt(x, value[:min(len(value), len(x))])
	bv.Mask(x, width)
	return x
}
