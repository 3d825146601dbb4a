package interp

// EvaluateAll makes everything pending: the next settling and clock edge look
// at all operations, registers and memories, as an engine without events would.
func (s *Sim) EvaluateAll() { (&compiler{Sim: s}).start() }

// Pending is the number of registers and memories that the next clock edge looks
// at.
func (s *Sim) Pending() (n int) {
	for _, r := range []int{registers, memories} {
		s.pending.each(s.region[r], func(int) bool { n++; return true })
	}
	return n
}
