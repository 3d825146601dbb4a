package link

import (
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// shuffle reorders TLPs in a root complex or switch: waiting TLPs leave in a random legal order.
type shuffle struct {
	hub     *hub
	most    des.Time
	rng     *rand.Rand
	waiting []transit // in the order of arrival
}

// Reorder makes TLPs overtake each other at random within the limits of the ordering table,
// reproducibly for a seed. Each TLP waits for up to most longer than without reordering. Tests use
// it to find dependencies on an order that PCI Express does not guarantee.
func (h *hub) Reorder(most des.Time, seed uint64) {
	h.shuffle = &shuffle{hub: h, most: most, rng: rand.New(rand.NewPCG(seed, 0))}
}

// take holds a TLP and schedules the departure of some TLP.
func (s *shuffle) take(x transit) {
	s.waiting = append(s.waiting, x)
	s.hub.k.After(s.hub.latency+des.Time(s.rng.Int64N(int64(s.most)+1)), s.release)
}

// release dispatches a random TLP that may leave. The oldest TLP always may.
func (s *shuffle) release() {
	var may []int
	for i := range s.waiting {
		if s.mayGo(i) {
			may = append(may, i)
		}
	}
	i := may[s.rng.IntN(len(may))]
	x := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.hub.dispatch(x.from, x.tlp)
}

// mayGo reports whether a TLP may pass all earlier TLPs from the same link.
func (s *shuffle) mayGo(i int) bool {
	x := s.waiting[i]
	return !slices.ContainsFunc(s.waiting[:i], func(older transit) bool {
		return older.from == x.from && pcie.MayPass(x.tlp, older.tlp) == pcie.MustNot
	})
}
