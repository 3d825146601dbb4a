package interp

// EvaluateAll makes everything pending. The next evaluation and clock edge then process all
// operations, registers and memories, like an engine without events.
func (s *Sim) EvaluateAll() { (&compiler{Sim: s}).start() }

// Pending returns the number of registers and memories that the next clock edge processes.
func (s *Sim) Pending() (n int) {
	for _, r := range []int{registers, memories} {
		s.pending.each(s.region[r], func(int) bool { n++; return true })
	}
	return n
}
