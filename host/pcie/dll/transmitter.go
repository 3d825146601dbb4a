package dll

import "fmt"

const (
	numbers = 1 << 12     // sequence numbers are modulo this number
	window  = numbers / 2 // limit of unacknowledged TLPs
)

// replays is the number of replays without progress after which the link must be retrained:
// REPLAY_NUM has two bits (3.6.2.1).
const replays = 4

// Transmitter is the sending side of a direction. It numbers TLPs and keeps them until they are
// acknowledged. Its zero value begins with number 0.
type Transmitter[T any] struct {
	next  uint16 // number of the next new TLP
	kept  []kept[T]
	bytes int // total size of the kept TLPs
	again int // index in kept of the next TLP to replay; len(kept) if there is none
	tries int // REPLAY_NUM
}

type kept[T any] struct {
	tlp   T
	bytes int
}

// Room reports whether there is capacity for another TLP of n bytes, in a buffer of buffer bytes
// and in the sequence numbers. A single TLP always fits.
func (x *Transmitter[T]) Room(n, buffer int) bool {
	return len(x.kept) == 0 || len(x.kept) < window-1 && x.bytes+n <= buffer
}

// Add keeps a TLP of n bytes that is sent for the first time, and returns its number. It panics
// during a replay, because TLPs would be reordered.
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

// Ack releases all TLPs up to seq and reports whether there were any. It fails if seq was not sent,
// or was acknowledged long ago (3.6.2.2).
func (x *Transmitter[T]) Ack(seq uint16) (progress bool, err error) {
	n := int((seq - x.first() + 1) % numbers)
	if n > len(x.kept) {
		if (x.first()-1-seq)%numbers < window {
			return false, nil // an older acknowledgement that was overtaken
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

// first returns the number of the oldest kept TLP.
func (x *Transmitter[T]) first() uint16 { return (x.next - uint16(len(x.kept))) % numbers }

// Replay schedules all kept TLPs to be sent again. It reports whether the link must be retrained
// first, because of too many attempts.
func (x *Transmitter[T]) Replay() (train bool) {
	x.again = 0
	x.tries = (x.tries + 1) % replays
	return x.tries == 0
}

// Replaying reports whether TLPs remain to be replayed. New TLPs must wait for them.
func (x *Transmitter[T]) Replaying() bool { return x.again < len(x.kept) }

// Again returns the next TLP to replay and its number. It must only be called while Replaying is
// true.
func (x *Transmitter[T]) Again() (tlp T, seq uint16) {
	i := x.again
	x.again++
	return x.kept[i].tlp, (x.first() + uint16(i)) % numbers
}

// Kept returns the number of unacknowledged TLPs.
func (x *Transmitter[T]) Kept() int { return len(x.kept) }
