package trace

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// releases returns the earliest times at which a replay may release TLPs from the card, by number
// in the capture. A TLP that is not listed may be released immediately.
//
// A capture does not record when credits returned, only when the first TLP that needed them was
// sent. The credits may have returned that late. Parameter back is the time from a release until
// its credits have returned.
func (t *Trace) releases(advertised link.Credits, back des.Time) map[int]des.Time {
	out := map[int]des.Time{}
	for class, most := range [pcie.Classes]struct{ headers, data int }{
		pcie.Posted:     {advertised.PH, advertised.PD},
		pcie.NonPosted:  {advertised.NPH, advertised.NPD},
		pcie.Completion: {advertised.CPLH, advertised.CPLD},
	} {
		var unreleased []*Event // sent, and credits not known to have returned
		headers, data := 0, 0   // sums over unreleased
		for i := range t.Events {
			e := &t.Events[i]
			if e.Kind != capture.KindTLP || e.Dir != link.Up || e.TLP.Class() != pcie.Class(class) {
				continue
			}
			headers, data = headers+1, data+e.TLP.DataCredits()
			for len(unreleased) > 0 && (most.headers > 0 && headers > most.headers || most.data > 0 && data > most.data) {
				first := unreleased[0]
				unreleased = unreleased[1:]
				headers, data = headers-1, data-first.TLP.DataCredits()
				out[first.Number] = e.Time - back
			}
			unreleased = append(unreleased, e)
		}
	}
	return out
}
