package rootport

// Inspect runs f while the simulation stands still.
func (p *Port) Inspect(f func()) { p.do(f) }
