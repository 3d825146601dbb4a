package link

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

const nowhere = 1 << 50 // beyond host memory

// TestFailedReadsGiveTheirTagsBack: after more failing reads than there are tags, a read still
// succeeds.
func TestFailedReadsGiveTheirTagsBack(t *testing.T) {
	for _, extended := range []bool{false, true} {
		r := newHarness(t, func(c *rigConfig) { c.ep.Straps.ExtendedTags = extended })
		want := r.fill(0x4000, 512)
		for id := range uint32(600) {
			r.read(nowhere+uint64(id)*64, 64, id)
		}
		r.read(0x4000, 512, 1000)
		r.run()
		for id := range uint32(600) {
			require.Equal(t, UnsupportedRequest, r.core.ended[id])
		}
		require.Equal(t, OK, r.core.ended[1000])
		require.Equal(t, want, r.core.got[1000])
		require.Equal(t, uint64(600), r.rc.Counters().Unsupported)
		require.Less(t, r.k.Now(), des.Millisecond, "no timeout was needed")
	}
}

// TestFailureInsideADescriptor: a long descriptor that fails in the middle ends once, with the
// first error. No further requests are sent after the failure.
func TestFailureInsideADescriptor(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) { c.ep.Straps.ExtendedTags = false })
	end := uint64(1) << 38
	want := r.fill(end-2048, 2048)
	watchRules(t, r.link, 256, 512)
	r.link.Observe(func(_ Direction, _ des.Time, x *pcie.TLP) {
		require.True(t, x.Kind != pcie.MRd || x.FirstBE != 0, "a read of nothing")
	})
	r.read(end-2048, 1<<20, 1)
	r.read(0x1000, 64, 2)
	r.run()
	require.Equal(t, map[uint32]Error{1: UnsupportedRequest, 2: OK}, r.core.ended)
	require.Equal(t, want, r.core.got[1], "data before the failure is good")
	require.False(t, r.core.last[1])
	require.Less(t, r.link.Stats(Up).TLPs, uint64(2048/512+3*32), "of 2048 requests")
}

// firstRead applies a fault to the completions of the device's first read.
func firstRead(fault func(t *pcie.TLP) Fate) Injector {
	return func(dir Direction, _ des.Time, t *pcie.TLP) Fate {
		if dir == Down && t.Class() == pcie.Completion && t.Tag == 0 {
			return fault(t)
		}
		return Fate{}
	}
}

func TestFaultsOfCompletions(t *testing.T) {
	fail := func(s pcie.Status) func(*pcie.TLP) Fate {
		return func(x *pcie.TLP) Fate {
			x.Kind, x.Status, x.Length, x.Data = pcie.Cpl, s, 0, nil
			return Fate{}
		}
	}
	for _, c := range []struct {
		name  string
		fault func(*pcie.TLP) Fate
		want  Error
		count Counters
		late  bool // ended by the timeout
	}{
		{"CA", fail(pcie.CA), CompleterAbort, Counters{}, false},
		{"CRS", fail(pcie.CRS), UnsupportedRequest, Counters{}, false},
		{"reserved status", fail(7), UnsupportedRequest, Counters{}, false},
		{"poison", func(x *pcie.TLP) Fate { x.EP = true; return Fate{} }, Poisoned, Counters{Poisoned: 1}, false},
		{"loss", func(*pcie.TLP) Fate { return Fate{Drop: true} }, Timeout, Counters{Timeouts: 1}, true},
		{"wrong byte count", func(x *pcie.TLP) Fate { x.ByteCount += 4; return Fate{} }, Timeout, Counters{Timeouts: 1, Unexpected: 1}, true},
		{"wrong address", func(x *pcie.TLP) Fate { x.LowerAddr ^= 4; return Fate{} }, Timeout, Counters{Timeouts: 1, Unexpected: 1}, true},
		{"unknown tag", func(x *pcie.TLP) Fate { x.Tag = 700; return Fate{} }, Timeout, Counters{Timeouts: 1, Unexpected: 1}, true},
		{"not at the boundary", func(x *pcie.TLP) Fate { x.Length--; x.Data = x.Data[:len(x.Data)-4]; return Fate{} }, Timeout, Counters{Timeouts: 1, Malformed: 1}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newHarness(t, func(c *rigConfig) { c.root.Memory.Policy = "max" })
			want := r.fill(0x1000, 200)
			r.link.Inject(firstRead(c.fault))
			r.read(0x1000, 200, 1)
			r.read(0x1000, 200, 2)
			require.NoError(t, r.k.Run(nil))
			require.Equal(t, map[uint32]Error{1: c.want, 2: OK}, r.core.ended)
			require.Equal(t, want, r.core.got[2])
			require.Empty(t, r.core.got[1], "no bad data is delivered")
			require.Equal(t, c.count, r.ep.Counters())
			require.Equal(t, c.late, r.core.doneAt[1] >= 10*des.Millisecond)
			require.Zero(t, r.ep.TagsInUse())
			requireCreditsBack(t, r.link)
		})
	}
}

// TestLateCompletion: a completion after the timeout is dropped. It is not assigned to a later read
// with the same tag.
func TestLateCompletion(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) {
		c.ep.CompletionTimeout = 50 * des.Microsecond
		c.ep.Straps.ExtendedTags = false
		c.root.Memory.Policy = "max"
	})
	r.fill(0x1000, 64)
	want := pattern(64, 0x77)
	require.NoError(t, r.mem.Write(0x2000, want))
	delayed := 0
	r.link.Inject(firstRead(func(*pcie.TLP) Fate {
		if delayed++; delayed == 1 {
			return Fate{Delay: 70 * des.Microsecond}
		}
		return Fate{}
	}))
	r.read(0x1000, 64, 1)
	require.NoError(t, r.k.RunTo(60*des.Microsecond))
	require.Equal(t, Timeout, r.core.ended[1])
	require.Equal(t, 1, r.ep.TagsInUse(), "the tag rests")
	for id := uint32(2); id < 100; id++ { // same low address and size: only the tag differs
		r.read(0x2000, 64, id)
	}
	require.NoError(t, r.k.RunTo(80*des.Microsecond))
	require.Zero(t, r.ep.TagsInUse(), "the late completion freed it")
	r.read(0x2000, 64, 100)
	r.run()
	for id := uint32(2); id <= 100; id++ {
		require.Equal(t, want, r.core.got[id])
	}
	require.Empty(t, r.core.got[1])
	require.Equal(t, Counters{Unexpected: 1, Timeouts: 1}, r.ep.Counters())
}

// TestTimeoutsOfAllTags: after timeouts of all tags, later reads wait for the quarantine and then
// succeed.
func TestTimeoutsOfAllTags(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) {
		c.ep.CompletionTimeout = 50 * des.Microsecond
		c.ep.Straps.ExtendedTags = false
	})
	lose := true
	r.link.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate { return Fate{Drop: lose && dir == Up} })
	for id := range uint32(40) {
		r.read(0x1000, 64, id)
	}
	require.NoError(t, r.k.RunTo(60*des.Microsecond))
	require.Len(t, r.core.ended, 32)
	lose = false
	r.run()
	require.Len(t, r.core.ended, 40)
	for id := range uint32(40) {
		want := OK
		if id < 32 {
			want = Timeout
		}
		require.Equal(t, want, r.core.ended[id])
	}
	require.Equal(t, uint64(32), r.ep.Counters().Timeouts)
	require.Less(t, r.k.Now(), 110*des.Microsecond)
}

func TestPoisonedWritesAreNotStored(t *testing.T) {
	r := newHarness(t, nil)
	r.link.Inject(func(_ Direction, _ des.Time, x *pcie.TLP) Fate {
		x.EP = x.Kind == pcie.MWr
		return Fate{}
	})
	require.NoError(t, r.ep.SetVector(0, 0xfee00000, 1, false))
	r.write(0x1000, []byte{1, 2, 3, 4}, 1)
	r.ep.RaiseInterrupt(0)
	require.NoError(t, r.rc.Write32(r.ep.BAR().Base, 5))
	r.run()
	v, err := r.mem.ReadUint32(0x1000)
	require.NoError(t, err)
	require.Zero(t, v)
	require.Empty(t, r.irqs)
	require.Empty(t, r.core.log)
	require.Equal(t, Counters{Poisoned: 2}, r.rc.Counters())
	require.Equal(t, Counters{Poisoned: 1}, r.ep.Counters())
}

func TestMalformedRequestsAreDropped(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) { c.ep.Straps.MPS = 512 }) // above the root's 256
	r.write(0x1000, pattern(512, 1), 1)
	require.NoError(t, r.k.Run(nil))
	require.Equal(t, Counters{Malformed: 1}, r.rc.Counters())
	requireCreditsBack(t, r.link)
}

// TestLinkDown: if the link goes down, reads by the CPU immediately return all ones. The link can
// come up again.
func TestLinkDown(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) {
		c.ep.CompletionTimeout = 50 * des.Microsecond
		c.link.UpCredits = Credits{PH: 2, PD: 32, NPH: 2, NPD: 1}
	})
	r.core.regs[4] = 77
	bar := r.ep.BAR().Base
	r.core.deaf = true
	for id := range uint32(50) {
		r.read(0x1000, 512, id)
		r.write(0x8000, make([]byte, 256), id)
	}
	r.k.After(des.Microsecond, func() { r.link.SetUp(false) })
	start := r.k.Now()
	v, err := r.rc.Read32(bar + 4) // in flight when the link goes down
	require.Equal(t, uint32(math.MaxUint32), v)
	var access *AccessError
	require.True(t, errors.As(err, &access))
	require.Equal(t, AccessError{Addr: bar + 4, Size: 4, Code: UnsupportedRequest}, *access)
	require.EqualError(t, err, "link: CPU read of 4 bytes at 0xfe000004: unsupported request")
	require.NoError(t, r.rc.Write32(bar, 1), "posted writes do not fail")
	v, err = r.rc.Read32(bar + 4)
	require.Equal(t, uint32(math.MaxUint32), v)
	require.Error(t, err)
	require.Less(t, r.k.Now()-start, 10*des.Microsecond)
	require.False(t, r.link.Up())

	require.NoError(t, r.k.Run(nil))
	for id := range uint32(50) {
		require.Contains(t, r.core.ended, id)
		require.Contains(t, r.core.written, id)
	}
	require.Equal(t, Timeout, r.core.ended[49])
	r.ep.FLR()
	require.NoError(t, r.ep.SetStraps(DefaultStraps()))
	r.link.SetUp(true)
	r.link.SetUp(true) // the second call has no effect
	r.core.deaf = false
	v, err = r.rc.Read32(bar + 4)
	require.NoError(t, err)
	require.Equal(t, uint32(77), v)
	want := r.fill(0x3000, 3000)
	r.read(0x3000, 3000, 1000)
	r.run()
	require.Equal(t, want, r.core.got[1000])
}

func TestCPUReadTimesOut(t *testing.T) {
	r := newHarness(t, nil)
	r.core.deaf = true
	v, err := r.rc.Read32(r.ep.BAR().Base)
	require.Equal(t, uint32(math.MaxUint32), v)
	require.ErrorContains(t, err, "completion timeout")
	require.GreaterOrEqual(t, r.k.Now(), 10*des.Millisecond)
	r.core.deaf = false
	r.ep.FLR() // frees the blocked register interface
	require.NoError(t, r.ep.SetStraps(DefaultStraps()))
	_, err = r.rc.Read32(r.ep.BAR().Base)
	require.NoError(t, err)
}

func TestFLREndsEverything(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) { c.ep.CompletionTimeout = 50 * des.Microsecond })
	require.NoError(t, r.ep.SetVector(1, 0xfee00000, 9, false))
	for id := range uint32(400) { // more than tags: some wait
		r.read(uint64(id)*4096, 700, id)
	}
	require.NoError(t, r.k.RunTo(800*des.Nanosecond))
	done := len(r.core.ended)
	require.Less(t, done, 100)
	r.ep.FLR()
	require.Len(t, r.core.ended, 400)
	require.Equal(t, FLR, r.core.ended[399])

	// Nothing is sent until the host enables bus mastering again.
	sent := r.link.Stats(Up).TLPs + uint64(r.ep.Port().Queued())
	want := r.fill(0x9000, 100)
	r.read(0x9000, 100, 1000)
	r.write(0xa000, want, 1001)
	r.ep.RaiseInterrupt(1)
	require.NoError(t, r.k.Run(nil))
	require.Equal(t, sent, r.link.Stats(Up).TLPs)
	require.NotContains(t, r.core.ended, uint32(1000))
	require.NoError(t, r.ep.SetVector(1, 0xfee00000, 9, false))
	require.NoError(t, r.ep.SetStraps(DefaultStraps()))
	r.run()
	require.Equal(t, want, r.core.got[1000])
	require.Equal(t, OK, r.core.written[1001])
	require.Equal(t, []uint32{9}, r.irqs)
	require.NotZero(t, r.ep.Counters().Unexpected, "completions of before the reset")

	off := DefaultStraps()
	off.BusMaster = false
	require.NoError(t, r.ep.SetStraps(off))
	r.write(0xa000, want, 1002)
	r.read(0xa000, 10, 1003)
	require.NoError(t, r.k.Run(nil))
	r.ep.FLR()
	require.Equal(t, FLR, r.core.written[1002])
	require.Equal(t, FLR, r.core.ended[1003])
}

// TestLinkDownAtAnyMoment: a link that goes down during traffic loses TLPs but no credits.
// Forwarded traffic across it does not block the other links.
func TestLinkDownAtAnyMoment(t *testing.T) {
	for at := des.Time(0); at < 3*des.Microsecond; at += 97 * des.Nanosecond {
		r := newHarness(t, func(c *rigConfig) { c.ep.CompletionTimeout = 20 * des.Microsecond })
		g, l := addGPU(t, r.k, 0, r.rc, nil)
		burst := func(from uint32) {
			for id := from; id < from+100; id++ {
				r.write(g.Base()+uint64(id)*4096, pattern(300, byte(id)), id)
				r.read(g.Base()+uint64(id)*4096, 300, id)
			}
		}
		burst(0)
		require.NoError(t, r.k.RunTo(at))
		l.SetUp(false)
		require.NoError(t, r.k.RunTo(at+40*des.Microsecond))
		l.SetUp(true)
		burst(1000)
		r.run()
		requireCreditsBack(t, l)
		require.Len(t, r.core.written, 200)
		require.Len(t, r.core.ended, 200)
		for id := range uint32(100) {
			require.Contains(t, []Error{OK, UnsupportedRequest, Timeout}, r.core.ended[id])
			require.Equal(t, OK, r.core.ended[1000+id])
			require.Equal(t, pattern(300, byte(1000+id)), r.core.got[1000+id])
		}
	}
}

// TestSlowMemoryHoldsWritesBack: host memory that is slower than the link throttles the writer.
func TestSlowMemoryHoldsWritesBack(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) { c.root.Memory.GBPerSecond = 1 })
	r.write(0, make([]byte, 1<<20), 1)
	r.run()
	inBuffers := 127 * 256. // bytes in flight that the credits allow
	require.InEpsilon(t, (1<<20-inBuffers)/1e9, r.core.doneAt[1].Seconds(), 0.02)
	require.Equal(t, []des.Share{{Label: "pcie write", Busy: 1048576 * des.Nanosecond, Count: 4096}}, r.rc.RAM().Shares())
}

// TestStrayTLPs: invalid TLPs are counted and dropped.
func TestStrayTLPs(t *testing.T) {
	r := newHarness(t, nil)
	g, l := addGPU(t, r.k, 0, r.rc, nil)
	stray := func() *pcie.TLP {
		return pcie.NewCompletion(pcie.NewRead(g.ID(), 5, 0, 4), r.ep.ID(), 0, 4, 4)
	}
	r.ep.Port().Send(stray(), nil) // routed to the GPU by its ID
	nobody := stray()
	nobody.Requester = 0x7777
	r.ep.Port().Send(nobody, nil)
	own := stray()
	own.Requester = r.ep.ID() // back to its source
	r.ep.Port().Send(own, nil)
	l.ports[Down].Send(&pcie.TLP{Kind: pcie.Msg}, nil)
	r.ep.Port().Send(pcie.NewWrite(r.ep.ID(), nowhere, []byte{1}), nil)
	r.ep.Port().Send(pcie.NewWrite(r.ep.ID(), 0xfee00000, make([]byte, 8)), nil) // a write of two DWs is not an interrupt
	long := pcie.NewWrite(r.rc.ID(), r.ep.BAR().Base, make([]byte, 512))
	r.link.ports[Down].Send(long, nil)
	require.NoError(t, r.k.Run(nil))
	require.Equal(t, Counters{Unexpected: 1}, g.Counters())
	require.Equal(t, Counters{Unexpected: 2, Unsupported: 2}, r.rc.Counters())
	require.Equal(t, Counters{Malformed: 1}, r.ep.Counters())
	requireCreditsBack(t, r.link)
	requireCreditsBack(t, l)
}

// TestPeerBehindALinkThatIsDown: a read of a peer behind a link that is down fails immediately; a
// write is lost.
func TestPeerBehindALinkThatIsDown(t *testing.T) {
	r := newHarness(t, nil)
	g, l := addGPU(t, r.k, 0, r.rc, nil)
	l.SetUp(false)
	r.read(g.Base(), 64, 1)
	r.write(g.Base(), []byte{1, 2, 3, 4}, 2)
	r.run()
	require.Equal(t, UnsupportedRequest, r.core.ended[1])
	require.Less(t, r.core.doneAt[1], 2*des.Microsecond)
	require.Equal(t, OK, r.core.written[2])
	require.Equal(t, uint64(2), r.rc.Counters().Unsupported)
}

// TestFlightEndsWithTheLink: TLPs in flight when the link goes down do not arrive.
func TestFlightEndsWithTheLink(t *testing.T) {
	r := newHarness(t, nil)
	r.write(0x1000, []byte{1, 2, 3, 4}, 1)
	require.NoError(t, r.k.RunTo(100*des.Nanosecond))
	r.link.SetUp(false)
	r.link.SetUp(true)
	r.write(0x2000, []byte{5, 6, 7, 8}, 2)
	r.run()
	lost, _ := r.mem.ReadUint32(0x1000)
	arrived, _ := r.mem.ReadUint32(0x2000)
	require.Equal(t, []uint32{0, 0x08070605}, []uint32{lost, arrived})
	require.Equal(t, uint64(1), r.link.Stats(Up).Dropped)
}

// TestDeadlineIsNotInheritedByTheNextReadOfATag: a deadline belongs to a read, not to its tag.
func TestDeadlineIsNotInheritedByTheNextReadOfATag(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) {
		c.ep.CompletionTimeout = 50 * des.Microsecond
		c.ep.Straps.ExtendedTags = false
	})
	late := false
	r.link.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate {
		switch {
		case dir == Down && x.Tag == 0:
			return Fate{Drop: true}
		case dir == Down && late:
			return Fate{Delay: 45 * des.Microsecond}
		}
		return Fate{}
	})
	for id := range uint32(32) {
		r.read(0x1000, 64, id)
	}
	require.NoError(t, r.k.RunTo(20*des.Microsecond))
	require.Len(t, r.core.ended, 31)
	late = true
	r.read(0x1000, 64, 100) // completed at 66 us, after the first deadline of its tag
	r.run()
	require.Equal(t, Timeout, r.core.ended[0])
	require.Equal(t, OK, r.core.ended[100])
}

// TestRepliesFromBeforeTheReset: replies of the core to accesses from before a reset are ignored.
func TestRepliesFromBeforeTheReset(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) { c.root.CompletionTimeout = 30 * des.Microsecond })
	bar := r.ep.BAR().Base
	r.core.delay = 2 * des.Microsecond
	failed := 0
	require.NoError(t, r.rc.ReadAsync(bar, 4, func(_ []byte, err error) {
		require.ErrorContains(t, err, "completion timeout")
		failed++
	}))
	require.NoError(t, r.rc.Write(bar+8, make([]byte, 8)))
	require.NoError(t, r.k.RunTo(des.Microsecond))
	require.Equal(t, []string{"r0", "w8=0/f"}, r.core.log)
	r.ep.FLR()
	require.NoError(t, r.ep.SetStraps(DefaultStraps()))
	r.core.regs[0x20] = 7
	require.NoError(t, r.rc.Write32(bar+0x24, 1))
	v, err := r.rc.Read32(bar + 0x20)
	require.NoError(t, err)
	require.Equal(t, uint32(7), v)
	r.run()
	require.Equal(t, 1, failed)
	require.Equal(t, []string{"r0", "w8=0/f", "w24=1/f", "r20"}, r.core.log, "the second half of the old write is gone")
}

// TestHeldTimeouts: time while timeouts are held does not count towards read timeouts or
// quarantines, whether the read started before or during the hold.
func TestHeldTimeouts(t *testing.T) {
	const us = des.Microsecond
	r := newHarness(t, func(c *rigConfig) { c.ep.CompletionTimeout = 50 * us })
	r.link.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate { return Fate{Drop: dir == Up} })
	at := func(when des.Time, do func()) { r.k.At(when, do) }
	r.read(0x1000, 64, 1) // times out at 50 us
	at(30*us, func() { r.read(0x1000, 64, 2) })
	at(60*us, r.ep.HoldTimeouts) // the tag of read 1 would be in quarantine until 100 us
	at(500*us, func() { r.read(0x1000, 64, 3) })
	at(1060*us, r.ep.ResumeTimeouts)
	at(1099*us, func() { require.Equal(t, 3, r.ep.TagsInUse()) })
	at(1101*us, func() { require.Equal(t, 2, r.ep.TagsInUse()) })
	r.run()
	require.Equal(t, map[uint32]Error{1: Timeout, 2: Timeout, 3: Timeout}, r.core.ended)
	require.Equal(t, map[uint32]des.Time{1: 50 * us, 2: 1080 * us, 3: 1110 * us}, r.core.doneAt)
}

// TestInterruptsAreMarked: an interrupt is marked with its vector number for any table contents.
// Other writes are unmarked, even to the same address.
func TestInterruptsAreMarked(t *testing.T) {
	r := newHarness(t, nil)
	var marks []int
	r.link.Observe(func(_ Direction, _ des.Time, x *pcie.TLP) { marks = append(marks, x.MSIX) })
	require.NoError(t, r.ep.SetVector(3, 0x1000, 77, false))
	require.NoError(t, r.ep.SetVector(0, 0xfee00000, 3, false))
	r.write(0x1000, []byte{77, 0, 0, 0}, 1)
	r.ep.RaiseInterrupt(3)
	r.ep.RaiseInterrupt(0)
	r.run()
	require.Equal(t, []int{0, 4, 1}, marks)
}

// TestEachBitOfATag flips each bit of the fields that identify the read and the position of a
// completion. The read ends with a timeout and without data, and other reads get their data.
//
//	tag             10 bits
//	byte count      12 bits
//	lower address    7 bits
func TestEachBitOfATag(t *testing.T) {
	for _, c := range []struct {
		field string
		bits  int
		flip  func(x *pcie.TLP, bit int)
	}{
		{"tag", 10, func(x *pcie.TLP, bit int) { x.Tag ^= 1 << bit }},
		{"byte count", 12, func(x *pcie.TLP, bit int) { x.ByteCount ^= 1 << bit }},
		{"lower address", 7, func(x *pcie.TLP, bit int) { x.LowerAddr ^= 1 << bit }},
	} {
		for _, extended := range []bool{false, true} {
			for bit := range c.bits {
				r := newHarness(t, func(x *rigConfig) { x.ep.Straps.ExtendedTags = extended })
				want := r.fill(0x1000, 64)
				flipped := 0
				r.link.Inject(firstRead(func(x *pcie.TLP) Fate {
					if flipped++; flipped == 1 {
						c.flip(x, bit)
					}
					return Fate{}
				}))
				r.read(0x1000, 64, 1)
				r.read(0x1000, 64, 2)
				require.NoError(t, r.k.Run(nil))
				require.Equal(t, map[uint32]Error{1: Timeout, 2: OK}, r.core.ended, "%s, bit %d", c.field, bit)
				require.Empty(t, r.core.got[1], "%s, bit %d", c.field, bit)
				require.Equal(t, want, r.core.got[2])
				require.Equal(t, Counters{Timeouts: 1, Unexpected: 1}, r.ep.Counters(), "%s, bit %d", c.field, bit)
			}
		}
	}
}
