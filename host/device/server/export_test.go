package server

// SpuriousInterrupts returns the number of interrupts that were not enabled.
func (s *Server) SpuriousInterrupts() int { return s.spurious }
