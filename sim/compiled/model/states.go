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
	s := &States{}
	for g, x := range groups {
		for l, path := range x.paths() {
			s.List = append(s.List, sim.State{Path: path, Width: x.Width, Depth: x.Depth, Fixed: x.Fixed})
			s.group = append(s.group, int32(g))
			s.lane = append(s.lane, int32(l))
		}
	}
	return s
}

func (g Group) paths() []string {
	if g.Paths != nil {
		return g.Paths
	}
	n := 1
	for _, d := range g.Dims {
		n *= d
	}
	out := make([]string, n)
	for l := range out {
		out[l] = g.path(l)
	}
	return out
}

func (g Group) path(l int) string {
	digits := make([]int, len(g.Dims))
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = l % g.Dims[i]
		l /= g.Dims[i]
	}
	var b strings.Builder
	for i, piece := range strings.SplitAfter(g.Pattern, "[") {
		b.WriteString(piece)
		if i < len(digits) {
			b.WriteString(strconv.Itoa(digits[i]))
		}
	}
	return b.String()
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
