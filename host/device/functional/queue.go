package functional

import "math/bits"

// queue is a queue of words with a fixed depth. It accepts one word per cycle and emits a word in a
// later cycle.
type queue struct {
	words       []int32
	first, held int
	latest      int64 // cycle of the latest push
}

func newQueue(depth int) queue { return queue{words: make([]int32, depth)} }

// room reports whether the queue was not full at the beginning of the cycle. Pops of the cycle come
// later.
func (q *queue) room() bool { return q.held < len(q.words) }

// waiting reports whether the queue holds a word from an earlier cycle.
func (q *queue) waiting(now int64) bool { return q.held > 1 || q.held == 1 && q.latest != now }

func (q *queue) head() int32 { return q.words[q.first] }

func (q *queue) push(word int32, now int64) {
	at := q.first + q.held
	if at >= len(q.words) {
		at -= len(q.words)
	}
	q.words[at] = word
	q.held++
	q.latest = now
}

func (q *queue) pop() int32 {
	word := q.words[q.first]
	if q.first++; q.first == len(q.words) {
		q.first = 0
	}
	q.held--
	return word
}

// blockQueue models a fifo.BlockFIFO: a memory, which is the queue, followed by an output register
// for one word.
type blockQueue struct {
	queue
	word   int32
	loaded bool
}

// fetch ends a cycle. taken reports whether the word in the output register was taken in this
// cycle.
func (q *blockQueue) fetch(taken bool, now int64) {
	switch {
	case (taken || !q.loaded) && q.waiting(now):
		q.word, q.loaded = q.pop(), true
	case taken:
		q.loaded = false
	}
}

// turns is a round-robin arbiter over at most 128 requests. It picks the lowest request from next
// on, or else the lowest request.
type turns struct {
	requests [2]uint64
	next     int // first index with priority
}

func (t *turns) ask(i int) { t.requests[i>>6] |= 1 << (i & 63) }

func (t *turns) asked() bool { return t.requests[0]|t.requests[1] != 0 }

// pick returns the granted request. At least one request must be active.
func (t *turns) pick() int {
	if i, ok := lowest(t.requests, t.next); ok {
		return i
	}
	i, _ := lowest(t.requests, 0)
	return i
}

// lowest returns the lowest set bit of x, starting at bit from, and whether it exists.
func lowest(x [2]uint64, from int) (int, bool) {
	if from < 64 {
		if low := x[0] >> from << from; low != 0 {
			return bits.TrailingZeros64(low), true
		}
		from = 64
	}
	if from < 128 {
		if high := x[1] >> (from - 64) << (from - 64); high != 0 {
			return 64 + bits.TrailingZeros64(high), true
		}
	}
	return 0, false
}
