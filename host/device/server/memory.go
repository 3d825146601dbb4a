package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Use describes the allocations in a memory of the machine.
type Use struct {
	Where string `json:"where"`       // name of the memory
	Needs uint64 `json:"needs_bytes"` // in whole pages
	Has   uint64 `json:"has_bytes"`
	Parts []Part `json:"parts"` // sum to Needs, the largest first
}

// OutOfMemory is the error that the allocations in a memory exceed its size.
type OutOfMemory Use

// Part is the memory allocated under one name.
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

// Uses returns the allocations in all memories, the host's first, then the GPUs'.
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

// Fits returns an *OutOfMemory for the first memory whose allocations exceed its size, or the error
// of the first region that Config.Place could not place.
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
