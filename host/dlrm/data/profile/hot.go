package profile

import "slices"

// classes sorts the rows of counters into nested hot sets: class c is the first hot set, by ascending size, that has the row, or
// len(sizes) if none has it.
func classes(counts []uint32, sizes []int64) []uint8 {
	h := newHistogram(counts)
	next := map[uint32]int64{} // by reads: the place of the next row that was read so often
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
