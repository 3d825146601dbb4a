package dll

// Verdict is the action of a receiver on a TLP.
type Verdict uint8

// The verdicts (3.6.3.1).
const (
	Deliver   Verdict = iota // it is the next TLP; acknowledge it soon
	Duplicate                // it was delivered before; acknowledge it immediately
	Refuse                   // it is damaged, or a previous TLP is missing; send a NAK
	Ignore                   // like Refuse, but a NAK has been sent
)

// Receiver is the receiving side of a direction. Its zero value expects sequence number 0.
type Receiver struct {
	next  uint16
	asked bool // a NAK is outstanding
}

// Take processes a received TLP with its sequence number. The argument good indicates that its LCRC
// matches.
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

// Last returns the sequence number for an ACK or NAK: the number of the latest delivered TLP.
func (r *Receiver) Last() uint16 { return (r.next - 1) % numbers }
