package rootport

import "github.com/hotline-rtl/hotline/host/des"

// Inspect runs f while the simulation stands still.
func (p *Port) Inspect(f func()) { p.do(f) }

// Now is the time of the card.
func (p *Port) Now() des.Time { return p.slot.k.Now() }
