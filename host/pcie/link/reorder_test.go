package link

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// passings counts the TLPs from one link that left before an earlier TLP. It fails if one of them
// was not allowed to pass.
func passings(came, left []*pcie.TLP) (n int, err error) {
	place := map[*pcie.TLP]int{}
	for i, x := range left {
		place[x] = i
	}
	for i, older := range came {
		for _, x := range came[i+1:] {
			if place[x] > place[older] {
				continue
			}
			n++
			if pcie.MayPass(x, older) == pcie.MustNot && err == nil {
				err = fmt.Errorf("%v passed %v", x, older)
			}
		}
	}
	return n, err
}

// random returns a TLP from one of two functions to a device below port 2, with random attributes.
func random(rng *rand.Rand, i int) *pcie.TLP {
	var x *pcie.TLP
	switch source := pcie.ID(0x100 + rng.IntN(2)); rng.IntN(3) {
	case 0:
		x = pcie.NewWrite(source, 1<<33, make([]byte, 4+rng.IntN(60)))
	case 1:
		x = pcie.NewRead(source, uint16(i), 1<<33, 64)
	default:
		x = pcie.NewCompletion(&pcie.TLP{Requester: 0x200, Tag: uint16(i % 4)}, source, 0, 64, 64)
	}
	x.Attr = pcie.Attr(rng.IntN(8))
	return x
}

// reordered sends random TLPs through a switch to a device. It returns them in the order of arrival
// at the switch and in the order of departure.
func reordered(t *testing.T, seed uint64, change func(*Switch, *Link)) (came, left []*pcie.TLP) {
	k := des.NewKernel()
	rc, err := NewRootComplex(k, DefaultRootConfig(), des.NewMemory("host", 1<<30))
	require.NoError(t, err)
	sw := NewSwitch(k, pcie.NewID(3, 0, 0), SwitchLatency)
	l, err := rc.Attach(DefaultConfig(), sw)
	require.NoError(t, err)
	cfg := DefaultGPUConfig(0)
	cfg.ID, cfg.Base = 0x200, 1<<33
	g, err := NewGPU(k, cfg, des.NewMemory("GPU", 1<<20))
	require.NoError(t, err)
	below, err := sw.Attach(DefaultConfig(), g)
	require.NoError(t, err)
	change(sw, l)
	below.Observe(func(dir Direction, _ des.Time, x *pcie.TLP) {
		if dir == Down {
			left = append(left, x)
		}
	})
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range 300 {
		x := random(rng, i)
		k.At(des.Time(i)*10*des.Nanosecond, func() {
			came = append(came, x)
			l.ports[Down].Send(x, nil)
		})
	}
	require.NoError(t, k.Run(nil))
	require.Len(t, left, len(came))
	return came, left
}

// TestReorder: TLPs overtake each other, but only legally, and reproducibly for a seed.
func TestReorder(t *testing.T) {
	for seed := range uint64(20) {
		shuffled := func(s *Switch, _ *Link) { s.Reorder(des.Microsecond, seed) }
		came, left := reordered(t, seed, shuffled)
		n, err := passings(came, left)
		require.NoError(t, err)
		require.Greater(t, n, 1000)
		_, again := reordered(t, seed, shuffled)
		require.Equal(t, left, again)
	}
	came, left := reordered(t, 0, func(*Switch, *Link) {})
	require.Equal(t, came, left, "without it the order stays")
}

// TestIllegalOrderIsFound: the same check detects an illegal order after a delay on a link.
func TestIllegalOrderIsFound(t *testing.T) {
	came, left := reordered(t, 1, func(_ *Switch, l *Link) {
		held := false
		l.Inject(func(_ Direction, _ des.Time, x *pcie.TLP) Fate {
			if held || x.Kind != pcie.MWr {
				return Fate{}
			}
			held = true
			return Fate{Delay: des.Microsecond}
		})
	})
	_, err := passings(came, left)
	require.ErrorContains(t, err, "passed MWr")
}

// TestRelaxedTLPsPassAStalledWrite: exactly the TLPs whose attributes allow it pass a stalled
// write.
func TestRelaxedTLPsPassAStalledWrite(t *testing.T) {
	for _, c := range []struct {
		attr   pcie.Attr
		source pcie.ID
		want   []pcie.Kind // kinds that pass
	}{
		{0, 2, nil}, {0, 3, nil}, {pcie.NoSnoop, 3, nil},
		{pcie.RelaxedOrdering, 2, []pcie.Kind{pcie.CplD}},
		{pcie.IDOrdering, 2, nil},
		{pcie.IDOrdering, 3, []pcie.Kind{pcie.MRd, pcie.CplD}},
	} {
		k, p, h := connectHoard(t, Credits{PH: 1, PD: 64}, pcie.NonPosted, pcie.Completion)
		p.Send(pcie.NewWrite(2, 0, make([]byte, 4)), nil)
		p.Send(pcie.NewWrite(2, 0, make([]byte, 4)), nil) // no credit for this one
		read := pcie.NewRead(c.source, 0, 0, 64)
		done := pcie.NewCompletion(pcie.NewRead(1, 0, 0, 4), c.source, 0, 4, 4)
		read.Attr, done.Attr = c.attr, c.attr
		p.Send(read, nil)
		p.Send(done, nil)
		require.NoError(t, k.Run(nil))
		var passed []pcie.Kind
		for _, x := range h.got[1:] {
			passed = append(passed, x.Kind)
		}
		require.Equal(t, c.want, passed, "%+v", c)
	}
}
