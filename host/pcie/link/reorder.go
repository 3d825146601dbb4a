package link

import (
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// shuffle is how a root complex or switch makes use of all that the ordering table
// allows: TLPs wait in it, and leave in a random order that is legal.
type shuffle struct {
	hub     *hub
	most    des.Time
	rng     *rand.Rand
	waiting []transit // in the order of arrival
}

// Reorder lets TLPs overtake each other here, as far as the ordering table allows,
// at random by a seed: each waits for up to most longer than before. It is for those who
// want to know whether something depends on an order that nobody has promised.
func (h *hub) Reorder(most des.Time, seed uint64) {
	h.shuffle = &shuffle{hub: h, most: most, rng: rand.New(rand.NewPCG(seed, 0))}
}

// take holds a TLP; some TLP leaves for it later.
func (s *shuffle) take(x transit) {
	s.waiting = append(s.waiting, x)
	s.hub.k.After(s.hub.latency+des.Time(s.rng.Int64N(int64(s.most)+1)), s.release)
}

// release lets one of those that may go leave. The oldest always may.
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

// mayGo reports whether a TLP may pass all that came before it on the same link.
func (s *shuffle) mayGo(i int) bool {
	x := s.waiting[i]
	return !slices.ContainsFunc(s.waiting[:i], func(older transit) bool {
		return older.from == x.from && pcie.MayPass(x.tlp, older.tlp) == pcie.MustNot
	})
}
