package interp

// EvaluateAll makes everything pending: the next settling and clock edge look
// at all operations, registers and memories, as an engine without events would.
func (s *Sim) EvaluateAll() { (&compiler{Sim: s}).start() }
