package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Use is what is kept in a memory of the machine.
type Use struct {
	Where string `json:"where"`       // the memory
	Needs uint64 `json:"needs_bytes"` // in whole pages
	Has   uint64 `json:"has_bytes"`
	Parts []Part `json:"parts"` // that add up to Needs, the largest first
}

// OutOfMemory is the error that what is to be kept in a memory does not fit.
type OutOfMemory Use

// Part is memory that is kept for something.
type Part struct {
	What  string `json:"what"`
	Bytes uint64 `json:"bytes"`
}

func (o *OutOfMemory) Error() string {
	var parts []string
	for _, p := range o.Parts {
		parts = append(parts, fmt.Sprintf("%d for %s", p.Bytes, p.What))
	}
	return fmt.Sprintf("server: %s needs %d bytes, but has %d: %s", o.Where, o.Needs, o.Has, strings.Join(parts, ", "))
}

// Uses are those of all memories, the host's first, then the GPUs'.
func (s *Server) Uses() []Use {
	var list []Use
	for _, m := range s.spaces() {
		list = append(list, m.use())
	}
	return list
}

func (s *Server) spaces() []*Space {
	list := []*Space{s.Host}
	for _, g := range s.GPUs {
		list = append(list, g.Memory)
	}
	return list
}

// Fits reports, as an *OutOfMemory, the first memory of which more has been taken
// than there is, or the first region that could not be put in its place.
func (s *Server) Fits() error {
	for _, m := range s.spaces() {
		if u := m.use(); u.Needs > u.Has {
			o := OutOfMemory(u)
			return &o
		}
		if m.err != nil {
			return m.err
		}
	}
	return nil
}

func (s *Space) use() Use {
	u := Use{Where: s.name, Needs: s.next - s.start, Has: s.mem.Size() - s.start, Parts: slices.Clone(s.parts)}
	slices.SortStableFunc(u.Parts, func(a, b Part) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return u
}
