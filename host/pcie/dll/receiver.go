package dll

// Verdict is what a receiver does with a TLP.
type Verdict uint8

// The verdicts (3.6.3.1).
const (
	Deliver   Verdict = iota // it is the next one: to be acknowledged soon
	Duplicate                // it was here before: to be acknowledged at once
	Refuse                   // it is bad, or one is missing before it: to be asked for
	Ignore                   // likewise, and it has been asked for
)

// Receiver is the receiving side of a direction. Its zero value expects number 0.
type Receiver struct {
	next  uint16
	asked bool // a NAK is out
}

// Take judges a TLP that has arrived, by its sequence number and by whether its LCRC
// fits.
func (r *Receiver) Take(seq uint16, good bool) Verdict {
	switch behind := (r.next - seq) % numbers; {
	case good && behind == 0:
		r.next = (r.next + 1) % numbers
		r.asked = false
		return Deliver
	case good && behind <= window:
		return Duplicate
	case r.asked:
		return Ignore
	}
	r.asked = true
	return Refuse
}

// Last is the number that an ACK or NAK carries: that of the latest TLP delivered.
func (r *Receiver) Last() uint16 { return (r.next - 1) % numbers }
