package des

// FIFO is a queue in a ring buffer that grows as needed. The zero value is empty.
type FIFO[T any] struct {
	ring []T // the length is 0 or a power of two
	head int
	n    int
}

// Len returns the number of elements.
func (f *FIFO[T]) Len() int { return f.n }

// Push appends an element.
func (f *FIFO[T]) Push(v T) {
	if f.n == len(f.ring) {
		f.grow()
	}
	f.ring[(f.head+f.n)&(len(f.ring)-1)] = v
	f.n++
}

// Peek returns the oldest element, which may be changed in place until the next Push. The queue
// must not be empty.
func (f *FIFO[T]) Peek() *T { return &f.ring[f.head] }

// At returns the i-th oldest element, counted from 0. It must exist.
func (f *FIFO[T]) At(i int) *T { return &f.ring[(f.head+i)&(len(f.ring)-1)] }

// Pop removes and returns the oldest element. The queue must not be empty.
func (f *FIFO[T]) Pop() T {
	var zero T
	v := f.ring[f.head]
	f.ring[f.head] = zero
	f.head = (f.head + 1) & (len(f.ring) - 1)
	f.n--
	return v
}

func (f *FIFO[T]) grow() {
	ring := make([]T, max(8, 2*len(f.ring)))
	n := copy(ring, f.ring[f.head:])
	copy(ring[n:], f.ring[:f.head])
	f.ring, f.head = ring, 0
}
