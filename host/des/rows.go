package des

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// Rows is a part of a [Memory] that is allocated row by row. A table can therefore be far larger
// than the memory of the simulating machine.
type Rows struct {
	first, bytes uint64 // address range
	size         int    // of a row
	together     int    // rows per group
	fill         func(row int, p []byte)
	groups       []*group
	touched      uint64
	fresh        []byte // buffer for the row being filled
	elsewhere    []byte // storage of all rows, if not nil; otherwise, rows are in groups
}

// group contains several rows. Existing rows are contiguous, so a row costs little more than its
// size, even if few rows of the group exist.
type group struct {
	exists uint64 // one bit per row
	data   []byte
}

// groupRows returns the number of rows per group: 64, or 1 for rows of a page or more. Otherwise,
// an insertion would move several large rows.
func groupRows(size int) int {
	if size >= pageSize {
		return 1
	}
	return 64
}

// AddRows adds n rows of size bytes at address first, after all previously added rows. The function
// fill initialises a row when it is first read or written. It gets the row's index and its zeroed
// bytes, and must not depend on the order of calls.
func (m *Memory) AddRows(first uint64, n, size int, fill func(row int, p []byte)) *Rows {
	if last := len(m.rows) - 1; last >= 0 && first < m.rows[last].first+m.rows[last].bytes {
		panic(fmt.Sprintf("des: memory %s: rows at %#x, expected them behind those at %#x", m.name, first, m.rows[last].first))
	}
	together := groupRows(size)
	r := &Rows{
		first: first, bytes: uint64(n) * uint64(size), size: size, together: together, fill: fill,
		groups: make([]*group, (n+together-1)/together), fresh: make([]byte, size),
	}
	m.rows = append(m.rows, r)
	return r
}

// PutIn stores all rows in b, which must be zeroed and have the size of the rows. All rows are
// initialised immediately. Changes of b are visible in the memory, and vice versa.
func (r *Rows) PutIn(b []byte) {
	r.elsewhere = b[:r.bytes]
	for i := range int(r.bytes) / r.size {
		r.fill(i, r.elsewhere[i*r.size:][:r.size])
	}
	r.touched = r.bytes / uint64(r.size)
}

// Touched yields the indices of the existing rows in ascending order.
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

// part returns the bytes from an offset to the end of its row.
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
