package link

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// ecrcHarness returns an enumerated harness whose endpoint has the given ECRC enables.
func ecrcHarness(t *testing.T, want Straps, enables uint32) *harness {
	r := coldHarness(t, func(c *rigConfig) { c.ep.CompletionTimeout = 50 * des.Microsecond })
	_, err := r.rc.Enumerate(want)
	require.NoError(t, err)
	r.configWrite(aer+config.AERControl, enables, 0x3)
	return r
}

// withECRC returns the default straps with ECRC.
func withECRC() Straps {
	s := DefaultStraps()
	s.ECRC = true
	return s
}

// digested counts the TLPs of l by direction and presence of a digest.
func digested(l *Link) *[2]map[bool]int {
	n := &[2]map[bool]int{{}, {}}
	l.Observe(func(dir Direction, _ des.Time, x *pcie.TLP) { n[dir][x.TD]++ })
	return n
}

// TestECRCGeneration: a function adds digests if its enable is set, and the root complex if the
// host enabled ECRC, independently of each other.
func TestECRCGeneration(t *testing.T) {
	for _, root := range []bool{false, true} {
		for _, enables := range []uint32{0, config.ECRCGenerate, config.ECRCCheck, config.ECRCGenerate | config.ECRCCheck} {
			straps := DefaultStraps()
			straps.ECRC = root
			r := ecrcHarness(t, straps, enables)
			n := digested(r.link)
			want := r.fill(0x1000, 64)
			r.read(0x1000, 64, 1)
			r.write(0x2000, []byte{1, 2, 3, 4}, 2)
			_, err := r.rc.Read32(r.ep.BAR().Base)
			require.NoError(t, err)
			r.ep.RaiseInterrupt(0)
			r.configRead(0)
			r.run()
			require.Equal(t, want, r.core.got[1])
			generates := enables&config.ECRCGenerate != 0
			require.NotZero(t, n[Up][generates])
			require.Zero(t, n[Up][!generates], "root %v, enables %#x", root, enables)
			require.NotZero(t, n[Down][root])
			require.Zero(t, n[Down][!root], "root %v, enables %#x", root, enables)
			require.Zero(t, r.link.Stats(Up).BadDigests+r.link.Stats(Down).BadDigests)
		}
	}
}

// TestECRCCheck: a function that checks digests drops and reports a completion with a wrong digest.
// A function that does not check accepts it.
func TestECRCCheck(t *testing.T) {
	for enables, checks := range map[uint32]bool{0: false, config.ECRCGenerate: false, config.ECRCCheck: true} {
		r := ecrcHarness(t, withECRC(), enables)
		want := r.fill(0x1000, 64)
		r.link.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate {
			if dir == Down {
				x.Digest ^= 1
			}
			return Fate{}
		})
		r.read(0x1000, 64, 1)
		r.run()
		r.link.Inject(nil)
		if checks {
			require.Equal(t, Timeout, r.core.ended[1])
			require.Equal(t, uint64(1), r.link.Stats(Down).BadDigests)
			require.Equal(t, uint64(1), r.link.Stats(Down).Dropped)
			require.NotZero(t, r.configRead(aer+config.UncorrectableStatus)>>config.ECRCError.Bit()&1)
			continue
		}
		require.Equal(t, want, r.core.got[1])
		require.Zero(t, r.link.Stats(Down).BadDigests)
		require.Zero(t, r.configRead(aer+config.UncorrectableStatus))
	}
}

// TestECRCOfDamagedData: the digest detects data damaged in transit.
func TestECRCOfDamagedData(t *testing.T) {
	r := ecrcHarness(t, withECRC(), config.ECRCGenerate|config.ECRCCheck)
	r.link.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate {
		if dir == Up && x.Kind == pcie.MWr {
			x.Data[1] ^= 1
		}
		return Fate{}
	})
	r.write(0x2000, []byte{1, 2, 3, 4}, 1)
	r.run()
	v, err := r.mem.ReadUint32(0x2000)
	require.NoError(t, err)
	require.Zero(t, v)
	require.NotZero(t, r.rc.OwnErrors().DW(aer+config.UncorrectableStatus)>>config.ECRCError.Bit()&1)
}

// TestECRCOutlivesResets: the enables survive a function-level reset but not a power cycle.
// Clearing the errors of the root complex does not change its enables.
func TestECRCOutlivesResets(t *testing.T) {
	r := ecrcHarness(t, withECRC(), config.ECRCGenerate|config.ECRCCheck)
	r.ep.FLR()
	require.EqualValues(t, config.ECRCGenerate|config.ECRCCheck, r.configRead(aer+config.AERControl)&(config.ECRCGenerate|config.ECRCCheck))
	r.rc.ClearErrors()
	n := digested(r.link)
	r.configRead(0)
	require.NotZero(t, n[Up][true])
	require.NotZero(t, n[Down][true])
	require.Zero(t, n[Up][false]+n[Down][false])
	r.ep.PowerOn()
	r.configRead(0)
	require.NotZero(t, n[Up][false])
}

// TestECRCThroughASwitch: a switch reports a wrong digest but still forwards the TLP. The receiver
// drops and reports it, too.
func TestECRCThroughASwitch(t *testing.T) {
	k := des.NewKernel()
	mem := des.NewMemory("host", 1<<30)
	rc, err := NewRootComplex(k, DefaultRootConfig(), mem)
	require.NoError(t, err)
	sw := NewSwitch(k, pcie.NewID(2, 0, 0), SwitchLatency)
	uplink, err := rc.Attach(DefaultConfig(), sw)
	require.NoError(t, err)
	core := newTestCore(k)
	ep, err := NewEndpoint(k, DefaultEndpointConfig(), core)
	require.NoError(t, err)
	ep.PowerOn()
	slot, err := sw.Attach(DefaultConfig(), ep)
	require.NoError(t, err)
	_, err = rc.Enumerate(withECRC())
	require.NoError(t, err)
	slot.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate {
		x.Digest ^= 1
		return Fate{}
	})
	above := digested(uplink)
	require.NoError(t, ep.WriteRequest(0x2000, []byte{1, 2, 3, 4}, 1))
	require.NoError(t, k.Run(nil))
	require.Equal(t, 1, above[Up][true])
	v, err := mem.ReadUint32(0x2000)
	require.NoError(t, err)
	require.Zero(t, v)
	bit := uint32(1) << config.ECRCError.Bit()
	require.Equal(t, bit, sw.OwnErrors().DW(aer+config.UncorrectableStatus))
	require.Equal(t, bit, rc.OwnErrors().DW(aer+config.UncorrectableStatus))
	require.Zero(t, slot.Stats(Up).Dropped)
	require.EqualValues(t, 1, uplink.Stats(Up).Dropped)
}
