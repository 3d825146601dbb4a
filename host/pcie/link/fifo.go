package link

// fifo is a queue in a ring that grows as needed. The zero value is empty.
type fifo[T any] struct {
	ring []T // the length is 0 or a power of two
	head int
	n    int
}

func (f *fifo[T]) len() int { return f.n }

func (f *fifo[T]) push(v T) {
	if f.n == len(f.ring) {
		f.grow()
	}
	f.ring[(f.head+f.n)&(len(f.ring)-1)] = v
	f.n++
}

// peek is the oldest element; it may be changed in place until the next push.
func (f *fifo[T]) peek() *T { return &f.ring[f.head] }

func (f *fifo[T]) pop() T {
	var zero T
	v := f.ring[f.head]
	f.ring[f.head] = zero
	f.head = (f.head + 1) & (len(f.ring) - 1)
	f.n--
	return v
}

func (f *fifo[T]) grow() {
	ring := make([]T, max(8, 2*len(f.ring)))
	n := copy(ring, f.ring[f.head:])
	copy(ring[n:], f.ring[:f.head])
	f.ring, f.head = ring, 0
}
