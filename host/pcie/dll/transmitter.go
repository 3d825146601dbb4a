package dll

import "fmt"

const (
	numbers = 1 << 12     // of TLPs, modulo which they count
	window  = numbers / 2 // no more TLPs than this may be without acknowledgement
)

// replays is how often what is kept goes out again without any progress before the
// link has to be trained again: REPLAY_NUM has two bits (3.6.2.1).
const replays = 4

// Transmitter is the sending side of a direction: it numbers TLPs and keeps them
// until they are acknowledged. Its zero value begins with number 0.
type Transmitter[T any] struct {
	next  uint16 // number of the next new TLP
	kept  []kept[T]
	bytes int // of what is kept
	again int // first of kept that goes out again; len(kept) if none does
	tries int // REPLAY_NUM
}

type kept[T any] struct {
	tlp   T
	bytes int
}

// Room reports whether a buffer of so many bytes, and the numbers, have room for a
// TLP of n bytes more. A TLP that is alone always has.
func (x *Transmitter[T]) Room(n, buffer int) bool {
	return len(x.kept) == 0 || len(x.kept) < window-1 && x.bytes+n <= buffer
}

// Add keeps a TLP of n bytes that goes out for the first time, and gives its number.
// It panics when something is left to go out again, as TLPs would get out of order.
func (x *Transmitter[T]) Add(tlp T, n int) (seq uint16) {
	if x.Replaying() {
		panic("dll: a new TLP in the middle of a replay")
	}
	seq = x.next
	x.next = (x.next + 1) % numbers
	x.kept = append(x.kept, kept[T]{tlp, n})
	x.bytes += n
	x.again = len(x.kept)
	return seq
}

// Ack forgets all TLPs up to seq; progress says that there were any. The error is
// that seq was not sent, or was acknowledged long ago (3.6.2.2).
func (x *Transmitter[T]) Ack(seq uint16) (progress bool, err error) {
	n := int((seq - x.first() + 1) % numbers)
	if n > len(x.kept) {
		if (x.first()-1-seq)%numbers < window {
			return false, nil // an older one, overtaken on its way
		}
		return false, fmt.Errorf("dll: acknowledgement of %d, expected %d to %d", seq, (x.first()-1)%numbers, (x.next-1)%numbers)
	}
	for _, k := range x.kept[:n] {
		x.bytes -= k.bytes
	}
	x.kept = x.kept[n:]
	x.again = max(0, x.again-n)
	if n > 0 {
		x.tries = 0
	}
	return n > 0, nil
}

// first is the number of the oldest TLP that is kept.
func (x *Transmitter[T]) first() uint16 { return (x.next - uint16(len(x.kept))) % numbers }

// Replay lets all that is kept go out again. It reports whether this has been tried
// so often that the link has to be trained before.
func (x *Transmitter[T]) Replay() (train bool) {
	x.again = 0
	x.tries = (x.tries + 1) % replays
	return x.tries == 0
}

// Replaying reports whether something is left to go out again; new TLPs stay behind
// it.
func (x *Transmitter[T]) Replaying() bool { return x.again < len(x.kept) }

// Again gives the next TLP that goes out again, with its number. There must be one.
func (x *Transmitter[T]) Again() (tlp T, seq uint16) {
	i := x.again
	x.again++
	return x.kept[i].tlp, (x.first() + uint16(i)) % numbers
}

// Kept is the number of TLPs that are not acknowledged.
func (x *Transmitter[T]) Kept() int { return len(x.kept) }
