package profile

import "slices"

// classes assigns rows, by their counters, to nested hot sets. Class c is the first hot set, in
// ascending order of size, that contains the row. It is len(sizes) if no hot set contains it.
func classes(counts []uint32, sizes []int64) []uint8 {
	h := newHistogram(counts)
	next := map[uint32]int64{} // by number of reads: the position of the next row with that number
	place := int64(0)
	for i, reads := range h.reads {
		next[reads] = place
		place += h.rows[i]
	}
	class := make([]uint8, len(counts))
	for i, reads := range counts {
		if reads == 0 {
			class[i] = uint8(len(sizes))
			continue
		}
		c, _ := slices.BinarySearch(sizes, next[reads]+1)
		class[i] = uint8(c)
		next[reads]++
	}
	return class
}

// set is a hot set.
type set []uint64

func newSet(counts []uint32, size int64) set {
	s := make(set, (len(counts)+63)/64)
	for i, class := range classes(counts, []int64{size}) {
		if class == 0 {
			s[i/64] |= 1 << (i % 64)
		}
	}
	return s
}

func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
