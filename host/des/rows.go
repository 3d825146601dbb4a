package des

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// Rows are a part of a [Memory] that exists row by row, so that a table far
// larger than the simulating machine exists only where it is used.
type Rows struct {
	first, bytes uint64 // where they lie
	size         int    // of a row
	together     int    // rows of a group
	fill         func(row int, p []byte)
	groups       []*group
	touched      uint64
	fresh        []byte // the row that is filled
	elsewhere    []byte // where all rows are; nil: in groups
}

// group are some rows, of which those that exist lie one behind the other: a row
// costs little more than its size, be it alone or among others.
type group struct {
	exists uint64 // a bit each
	data   []byte
}

// A group has 64 rows, but a row of a page or more is alone: others would have to move
// for it.
func groupRows(size int) int {
	if size >= PageSize {
		return 1
	}
	return 64
}

// AddRows puts n rows of size bytes at first, behind all rows that were put there
// before. fill writes a row when it is first read or written; it gets its number and
// its zeroed bytes, and must not depend on the order of calls.
func (m *Memory) AddRows(first uint64, n, size int, fill func(row int, p []byte)) *Rows {
	if last := len(m.rows) - 1; last >= 0 && first < m.rows[last].first+m.rows[last].bytes {
		panic(fmt.Sprintf("node: memory %s: rows at %#x, expected them behind those at %#x", m.name, first, m.rows[last].first))
	}
	together := groupRows(size)
	r := &Rows{
		first: first, bytes: uint64(n) * uint64(size), size: size, together: together, fill: fill,
		groups: make([]*group, (n+together-1)/together), fresh: make([]byte, size),
	}
	m.rows = append(m.rows, r)
	return r
}

// PutIn puts all rows into b, which has their size and is zero: they exist at once,
// and whoever else has b changes them too.
func (r *Rows) PutIn(b []byte) {
	r.elsewhere = b[:r.bytes]
	for i := range int(r.bytes) / r.size {
		r.fill(i, r.elsewhere[i*r.size:][:r.size])
	}
	r.touched = r.bytes / uint64(r.size)
}

// Touched are the numbers of the rows that exist, in order.
func (r *Rows) Touched() iter.Seq[int] {
	return func(yield func(int) bool) {
		if r.elsewhere != nil {
			for i := range int(r.touched) {
				if !yield(i) {
					return
				}
			}
			return
		}
		for i, g := range r.groups {
			if g == nil {
				continue
			}
			for rest := g.exists; rest != 0; rest &= rest - 1 {
				if !yield(i*r.together + bits.TrailingZeros64(rest)) {
					return
				}
			}
		}
	}
}

// part is the bytes from an offset on, up to the end of the row.
func (r *Rows) part(offset uint64) []byte {
	if r.elsewhere != nil {
		return r.elsewhere[offset:]
	}
	row, within := int(offset/uint64(r.size)), int(offset%uint64(r.size))
	g := r.groups[row/r.together]
	if g == nil {
		g = new(group)
		r.groups[row/r.together] = g
	}
	bit := uint64(1) << (row % r.together)
	at := bits.OnesCount64(g.exists&(bit-1)) * r.size
	if g.exists&bit == 0 {
		clear(r.fresh)
		r.fill(row, r.fresh)
		g.data = slices.Insert(g.data, at, r.fresh...)
		g.exists |= bit
		r.touched++
	}
	return g.data[at+within : at+r.size]
}
