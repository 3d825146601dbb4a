package ir

// Crossing identifies how a register captures a value that follows another clock.
type Crossing uint8

const (
	NoCrossing Crossing = iota
	// CrossLevel is the first register of a synchroniser for a single bit. Its source is a
	// register of one clock, without logic between the two.
	CrossLevel
	// CrossGray is the first register of a synchroniser for a register that changes at most one
	// bit at a time.
	CrossGray
	// CrossFlow is a CrossLevel or CrossGray in a protocol that waits for the value, so that its
	// delay relative to other crossings does not matter.
	CrossFlow
	// CrossHeld captures a value that does not change while the result is in use. The value may be
	// computed by logic.
	CrossHeld
	// CrossSettled is the register after the first register of a synchroniser. It gives a bit that
	// was captured during a change one cycle to settle.
	CrossSettled
	numCrossings
)

// String returns the words of the text form.
func (c Crossing) String() string {
	return [numCrossings]string{"", "crosses level", "crosses gray", "crosses flow", "crosses held", "settles"}[c]
}

// Synchronises reports whether c is the first register of a synchroniser.
func (c Crossing) Synchronises() bool { return c == CrossLevel || c == CrossGray || c == CrossFlow }
