package wave

// Signal is a signal that can be recorded.
type Signal struct {
	Path  []string // hierarchy below the top, the signal's own name last; iterations as name[i]
	Width int
	Reg   bool
}

// Recorder receives the values of signals. The calls are Begin, then for each
// cycle in order Cycle and a Change for each signal whose value is new in it
// (for all signals in the first cycle).
type Recorder interface {
	// Begin announces the signals; Change refers to them by index.
	Begin(top string, signals []Signal) error
	// Cycle begins cycle n.
	Cycle(n uint64)
	// Change gives a new value: little-endian words, not kept by the Recorder.
	Change(signal int, value []uint64)
}
