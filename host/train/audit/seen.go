package audit

// seen remembers in which memory a value was read last.
type seen struct {
	now, before map[uint64]int
	steps       int
}

// generation is the number of mini-batches after which values age. A value is forgotten after two
// generations without a read, which is longer than any pipeline holds it.
const generation = 16

// Remembered is the number of mini-batches whose values are remembered.
const Remembered = 2 * generation

func newSeen() seen { return seen{now: map[uint64]int{}} }

// add records a read. Zeros have no origin, because gradients and empty memory are zero, too.
func (s *seen) add(content uint64, memory int) {
	if content != 0 {
		s.now[content] = memory
	}
}

func (s *seen) where(content uint64) (memory int, ok bool) {
	if memory, ok = s.now[content]; !ok {
		memory, ok = s.before[content]
	}
	return memory, ok
}

// age ends a mini-batch.
func (s *seen) age() {
	if s.steps++; s.steps%generation == 0 {
		s.now, s.before = map[uint64]int{}, s.now
	}
}
