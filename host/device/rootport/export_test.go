package rootport

import "github.com/hotline-rtl/hotline/host/des"

// Inspect runs f while the simulation is paused.
func (p *Port) Inspect(f func()) { p.do(f) }

// Now returns the simulated time of the card.
func (p *Port) Now() des.Time { return p.slot.k.Now() }
