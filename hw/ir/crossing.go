package ir

// Crossing says how a register takes a value that follows another clock.
type Crossing uint8

const (
	NoCrossing Crossing = iota
	// CrossLevel is the first register of a synchroniser for a bit. Its source is a
	// register of one clock, without logic between the two.
	CrossLevel
	// CrossGray is the first row of a synchroniser for the bits of a register of which at
	// most one changes at a time.
	CrossGray
	// CrossFlow is a CrossLevel or CrossGray of a protocol that waits for the value, so
	// that its delay relative to other crossings does not matter.
	CrossFlow
	// CrossHeld takes a value that does not change while the result is used. Logic may
	// compute it.
	CrossHeld
	// CrossSettled is the register after the first one of a synchroniser. It gives a bit
	// that was taken while it changed a cycle in which to settle.
	CrossSettled
	numCrossings
)

// String returns the words of the text form.
func (c Crossing) String() string {
	return [numCrossings]string{"", "crosses level", "crosses gray", "crosses flow", "crosses held", "settles"}[c]
}

// Synchronises reports whether c is the first register of a synchroniser.
func (c Crossing) Synchronises() bool { return c == CrossLevel || c == CrossGray || c == CrossFlow }
