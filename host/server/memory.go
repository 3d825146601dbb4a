package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// OutOfMemory is the error that what is to be kept in a memory of the machine does
// not fit.
type OutOfMemory struct {
	Where string `json:"where"`       // the memory
	Needs uint64 `json:"needs_bytes"` // in whole pages
	Has   uint64 `json:"has_bytes"`
	Parts []Part `json:"parts"` // that add up to Needs, the largest first
}

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

// Fits reports, as an *OutOfMemory, the first memory of which more has been taken
// than there is.
func (s *Server) Fits() error {
	spaces := []*Space{s.Host}
	for _, g := range s.GPUs {
		spaces = append(spaces, g.Memory)
	}
	for _, space := range spaces {
		if space.next > space.mem.Size() {
			return space.outOfMemory()
		}
	}
	return nil
}

func (s *Space) outOfMemory() *OutOfMemory {
	o := &OutOfMemory{Where: s.name, Needs: s.next - s.start, Has: s.mem.Size() - s.start, Parts: slices.Clone(s.parts)}
	slices.SortStableFunc(o.Parts, func(a, b Part) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return o
}
