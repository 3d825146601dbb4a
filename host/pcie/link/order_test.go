package link

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// TestInterruptArrivesBehindDataAndEntry: when the host receives an interrupt, the data and the
// completion entry written before it are in memory.
func TestInterruptArrivesBehindDataAndEntry(t *testing.T) {
	for size := 64; size <= 1<<16; size *= 32 {
		r := newHarness(t, func(c *rigConfig) { c.link.UpCredits = Credits{PH: 3, PD: 40} })
		require.NoError(t, r.ep.SetVector(3, 0xfee01000, 0xabc, false))
		data, entry := pattern(size, 1), pattern(32, 2)
		seen := 0
		r.rc.OnInterrupt(func(addr uint64, v uint32) {
			require.Equal(t, []any{uint64(0xfee01000), uint32(0xabc)}, []any{addr, v})
			got := make([]byte, size)
			require.NoError(t, r.mem.Read(0x1234, got))
			require.Equal(t, data, got)
			require.NoError(t, r.mem.Read(0x9000000, got[:32]))
			require.Equal(t, entry, got[:32])
			seen++
		})
		r.write(0x1234, data, 1)
		r.write(0x9000000, entry, 2)
		r.ep.RaiseInterrupt(3)
		r.run()
		require.Equal(t, 1, seen)
		require.Equal(t, map[uint32]Error{1: OK, 2: OK}, r.core.written)
		require.Less(t, r.core.doneAt[1], r.core.doneAt[2])
	}
}

// TestWriteDoneIsTheEndOfTransmission: a write descriptor ends exactly when its last byte is on the
// link.
func TestWriteDoneIsTheEndOfTransmission(t *testing.T) {
	r := newHarness(t, nil)
	var lastStart des.Time
	r.link.Observe(func(_ Direction, at des.Time, x *pcie.TLP) { lastStart = at })
	r.write(0x1000, make([]byte, 10000), 7)
	r.run()
	require.Greater(t, r.core.doneAt[7], lastStart)
	require.Less(t, r.core.doneAt[7], lastStart+20*des.Nanosecond)
}

// TestReadsSeeEarlierWrites: a read does not pass earlier writes, in either direction.
func TestReadsSeeEarlierWrites(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) {
		c.link.UpCredits = Credits{PH: 1, PD: 16, NPH: 50, NPD: 1} // writes are slow, reads could be fast
	})
	want := pattern(4096, 9)
	r.write(0x100000, want, 1)
	r.read(0x100000, 4096, 2)
	r.run()
	require.Equal(t, want, r.core.got[2])

	r.core.delay = 500 * des.Nanosecond
	for v := range uint32(5) {
		require.NoError(t, r.rc.Write32(r.ep.BAR().Base+8, v))
	}
	v, err := r.rc.Read32(r.ep.BAR().Base + 8)
	require.NoError(t, err)
	require.Equal(t, uint32(4), v)

	// A register read is a flush: all writes of the device before its response are in memory when
	// the response arrives.
	r.core.delay = 0
	r.write(0x200000, want, 3)
	_, err = r.rc.Read32(r.ep.BAR().Base)
	require.NoError(t, err)
	got := make([]byte, len(want))
	require.NoError(t, r.mem.Read(0x200000, got))
	require.Equal(t, want, got)
}

// hoard is a receiver that releases the buffers of some classes only.
type hoard struct {
	frees [pcie.Classes]bool
	got   []*pcie.TLP
}

func (h *hoard) Receive(p *Port, t *pcie.TLP) {
	h.got = append(h.got, t)
	if h.frees[t.Class()] {
		p.Release(t)
	}
}

func connectHoard(t *testing.T, c Credits, frees ...pcie.Class) (*des.Kernel, *Port, *hoard) {
	k := des.NewKernel()
	cfg := DefaultConfig()
	cfg.Name, cfg.UpCredits = "test", c
	h := &hoard{}
	for _, class := range frees {
		h.frees[class] = true
	}
	_, below, err := Connect(k, cfg, h, &hoard{})
	require.NoError(t, err)
	return k, below, h
}

// TestStarvedReadsBlockNothingElse: without credits for reads, writes and completions continue.
// Reads continue in order as soon as there are credits.
func TestStarvedReadsBlockNothingElse(t *testing.T) {
	k, p, h := connectHoard(t, Credits{PH: 4, PD: 64, NPH: 2, NPD: 1, CPLH: 2, CPLD: 32}, pcie.Posted, pcie.Completion)
	req := pcie.NewRead(1, 0, 0, 64)
	for i := range 50 {
		p.Send(pcie.NewRead(2, uint16(i), 0, 64), nil)
		p.Send(pcie.NewWrite(2, uint64(i)*256, make([]byte, 256)), nil)
		p.Send(pcie.NewCompletion(req, 2, 0, 64, 64), nil)
	}
	require.NoError(t, k.Run(nil))
	count := map[pcie.Kind]int{}
	for _, x := range h.got {
		count[x.Kind]++
	}
	require.Equal(t, map[pcie.Kind]int{pcie.MRd: 2, pcie.MWr: 50, pcie.CplD: 50}, count)
	require.Equal(t, 48, p.Queued())
	err := k.Run(func() bool { return p.Queued() == 0 })
	require.ErrorIs(t, err, des.ErrDeadlock)
	require.ErrorContains(t, err, "link test up: 48 TLPs wait for credits: non-posted (48, credits 0 header 1 data)")

	h.frees[pcie.NonPosted] = true
	for _, x := range h.got {
		if x.Kind == pcie.MRd {
			p.Link().ports[Down].Release(x)
		}
	}
	require.NoError(t, k.Run(nil))
	var tags []uint16
	for _, x := range h.got {
		if x.Kind == pcie.MRd {
			tags = append(tags, x.Tag)
		}
	}
	require.Len(t, tags, 50)
	require.True(t, slices.IsSorted(tags))
}

// TestNothingPassesAStalledWrite: without credits for a write, earlier TLPs are sent and later TLPs
// wait.
func TestNothingPassesAStalledWrite(t *testing.T) {
	k, p, h := connectHoard(t, Credits{PH: 1, PD: 64}, pcie.NonPosted, pcie.Completion)
	req := pcie.NewRead(1, 0, 0, 4)
	send := func() {
		p.Send(pcie.NewRead(2, 0, 0, 64), nil)
		p.Send(pcie.NewCompletion(req, 2, 0, 4, 4), nil)
	}
	send()
	p.Send(pcie.NewWrite(2, 0, make([]byte, 4)), nil)
	p.Send(pcie.NewWrite(2, 0, make([]byte, 4)), nil) // no credit for this one
	send()
	require.NoError(t, k.Run(nil))
	require.Len(t, h.got, 3)
	require.Equal(t, 3, p.Queued())
	p.Link().ports[Down].Release(h.got[2])
	require.NoError(t, k.Run(nil))
	require.Len(t, h.got, 6)
}

// TestDataCreditsGate: data credits limit TLPs like header credits.
func TestDataCreditsGate(t *testing.T) {
	k, p, h := connectHoard(t, Credits{PH: 100, PD: 17})
	p.Send(pcie.NewWrite(2, 0, make([]byte, 128)), nil) // 8 units
	p.Send(pcie.NewWrite(2, 0, make([]byte, 132)), nil) // 9
	p.Send(pcie.NewWrite(2, 0, make([]byte, 4)), nil)   // 1 too many
	require.NoError(t, k.Run(nil))
	require.Len(t, h.got, 2)
	require.Panics(t, func() {
		for range 3 {
			p.Link().ports[Down].Release(h.got[0])
		}
		_ = k.Run(nil)
	}, "a buffer freed more often than taken")
}

// TestOrderAndCreditsOfRandomTraffic: random traffic with random credits is delivered completely,
// in an order that the table of 2.4.1 allows, and within the credits.
func TestOrderAndCreditsOfRandomTraffic(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	for range 60 {
		k := des.NewKernel()
		cfg := DefaultConfig()
		one := func(n int) int { return rng.IntN(2) * (n + rng.IntN(8)) } // 0 is infinite
		c := Credits{PH: one(1), PD: one(16), NPH: one(1), NPD: one(1), CPLH: one(1), CPLD: one(16)}
		cfg.UpCredits = c
		most := map[pcie.Class][2]int{pcie.Posted: {c.PH, c.PD}, pcie.NonPosted: {c.NPH, c.NPD}, pcie.Completion: {c.CPLH, c.CPLD}}
		r := &slowReceiver{k: k, rng: rng, held: map[pcie.Class][2]int{}, check: func(class pcie.Class, h [2]int) {
			for i, limit := range most[class] {
				if limit > 0 {
					require.LessOrEqual(t, h[i], limit)
				}
			}
		}}
		_, p, err := Connect(k, cfg, r, &hoard{})
		require.NoError(t, err)
		sent := map[*pcie.TLP]int{}
		for i := range 200 {
			var x *pcie.TLP
			switch source := pcie.ID(1 + rng.IntN(2)); rng.IntN(3) {
			case 0:
				x = pcie.NewWrite(source, 0, make([]byte, 4+rng.IntN(250)))
			case 1:
				x = pcie.NewRead(source, uint16(i), 0, 64)
			default:
				x = pcie.NewCompletion(&pcie.TLP{Requester: 9, Tag: uint16(i % 4)}, source, 0, 64, 64)
			}
			x.Attr = pcie.Attr(rng.IntN(8))
			k.At(des.Time(rng.IntN(2000))*des.Nanosecond, func() {
				sent[x] = len(sent)
				p.Send(x, nil)
			})
		}
		require.NoError(t, k.Run(nil))
		require.Len(t, r.got, 200)
		for i, x := range r.got {
			for _, earlier := range r.got[i+1:] {
				if sent[x] > sent[earlier] { // x overtook it
					require.NotEqual(t, pcie.MustNot, pcie.MayPass(x, earlier), "%v passed %v", x, earlier)
				}
			}
		}
	}
}

// slowReceiver keeps each TLP for a random time.
type slowReceiver struct {
	k     *des.Kernel
	rng   *rand.Rand
	got   []*pcie.TLP
	held  map[pcie.Class][2]int
	check func(pcie.Class, [2]int)
}

func (r *slowReceiver) Receive(p *Port, t *pcie.TLP) {
	r.got = append(r.got, t)
	class, n := t.Class(), t.DataCredits()
	h := r.held[class]
	r.held[class] = [2]int{h[0] + 1, h[1] + n}
	r.check(class, r.held[class])
	r.k.After(des.Time(r.rng.IntN(300))*des.Nanosecond, func() {
		h := r.held[class]
		r.held[class] = [2]int{h[0] - 1, h[1] - n}
		p.Release(t)
	})
}

// TestReadsOvertakeEachOther: with the random policy, reads overtake each other, but the data of
// each read is in order.
func TestReadsOvertakeEachOther(t *testing.T) {
	overtaken := 0
	for seed := range 3 {
		r := newHarness(t, func(c *rigConfig) {
			m := &c.root.Memory
			m.Policy, m.Jitter, m.Seed = "random", 2*des.Microsecond, seed
			c.ep.Straps.MRRS = 256
		})
		watchRules(t, r.link, 256, 256)
		want := map[uint32][]byte{}
		var finished []uint32
		for id := range uint32(100) {
			addr := uint64(id)*8192 + uint64(id*13%64)
			n := 1 + int(id*37%3000) // several requests each
			want[id] = r.fill(addr, n)
			r.read(addr, n, id)
		}
		r.run()
		require.Equal(t, want, r.core.got)
		finished = r.core.order
		require.Len(t, finished, 100)
		if !slices.IsSorted(finished) {
			overtaken++
		}
	}
	require.Equal(t, 3, overtaken)

	for _, jitter := range []des.Time{0, des.Microsecond} {
		r := newHarness(t, func(c *rigConfig) { c.root.Memory.Jitter = jitter })
		for id := range uint32(100) {
			r.read(uint64(id)*64, 64, id) // one completion each
		}
		r.run()
		require.Equal(t, jitter == 0, slices.IsSorted(r.core.order), "jitter %v", jitter)
	}
}

// TestPlentyOfCreditsMeansFIFO: with sufficient credits, TLPs arrive in the order of sending.
func TestPlentyOfCreditsMeansFIFO(t *testing.T) {
	k, p, h := connectHoard(t, Credits{})
	rng := rand.New(rand.NewPCG(5, 5))
	var sent []*pcie.TLP
	for range 200 {
		x := []*pcie.TLP{
			pcie.NewRead(1, 0, 0, 64), pcie.NewWrite(1, 0, make([]byte, 64)),
			pcie.NewCompletion(&pcie.TLP{}, 1, 0, 64, 64),
		}[rng.IntN(3)]
		sent = append(sent, x)
		p.Send(x, nil)
	}
	require.NoError(t, k.Run(nil))
	require.Len(t, h.got, len(sent))
	for i := range sent {
		require.Same(t, sent[i], h.got[i])
	}
}

func TestDescriptorsOfNoBytesAreRefused(t *testing.T) {
	r := newHarness(t, nil)
	require.ErrorContains(t, r.ep.ReadRequest(0, 0, 1), "read descriptor of 0 bytes at 0x0, expected at least one byte")
	require.ErrorContains(t, r.ep.ReadRequest(^uint64(0), 2, 1), "no wrap")
	require.ErrorContains(t, r.ep.WriteRequest(8, nil, 1), "write descriptor of 0 bytes at 0x8")
	var e *AccessError
	require.False(t, errors.As(r.rc.Write32(0x10, 1), &e))
	require.ErrorContains(t, r.rc.Write32(0x10, 1), "CPU write of 4 bytes at 0x10: no device claims this address")
}

// TestHeldWritesAreCutLate: a write that waits for bus mastering is sent with the payload size at
// the time of sending and with its original data.
func TestHeldWritesAreCutLate(t *testing.T) {
	r := newHarness(t, nil)
	s := r.ep.Straps()
	s.BusMaster = false
	require.NoError(t, r.ep.SetStraps(s))
	data := pattern(2048, 3)
	want := slices.Clone(data)
	r.write(0x1010, data, 1)
	clear(data)
	s.BusMaster, s.MPS = true, 128
	watchRules(t, r.link, 128, 512)
	require.NoError(t, r.ep.SetStraps(s))
	r.run()
	got := make([]byte, len(want))
	require.NoError(t, r.mem.Read(0x1010, got))
	require.Equal(t, want, got)
	require.Equal(t, map[uint32]Error{1: OK}, r.core.written)
	require.Equal(t, uint64(16), r.link.Stats(Up).Kinds[pcie.MWr])
}
