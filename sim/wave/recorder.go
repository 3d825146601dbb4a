package wave

// Signal is a recordable signal.
type Signal struct {
	Path  []string // hierarchy below the top, ending with the signal's own name; iterations as name[i]
	Width int
	Reg   bool
}

// Recorder receives the values of signals. An engine calls Begin once. For each cycle in order, it
// then calls Cycle, and Change for each signal with a new value. In the first cycle, it calls
// Change for all signals.
type Recorder interface {
	// Begin announces the signals; Change refers to them by index.
	Begin(top string, signals []Signal) error
	// Cycle begins cycle n.
	Cycle(n uint64)
	// Change sets a new value in little-endian words. The Recorder must not retain the slice.
	Change(signal int, value []uint64)
}
