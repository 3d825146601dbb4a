package link

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// addGPU attaches GPU i to a root complex or a switch.
func addGPU(t testing.TB, k *des.Kernel, i int, to interface {
	Attach(Config, Device) (*Link, error)
}, change func(*GPUConfig)) (*GPU, *Link) {
	cfg := DefaultGPUConfig(i)
	if change != nil {
		change(&cfg)
	}
	g, err := NewGPU(k, cfg, des.NewMemory(fmt.Sprintf("gpu%d", i), 16<<30))
	require.NoError(t, err)
	l, err := to.Attach(DefaultConfig(), g)
	require.NoError(t, err)
	return g, l
}

func TestPeerToPeerThroughTheRoot(t *testing.T) {
	r := newHarness(t, nil)
	g0, l0 := addGPU(t, r.k, 0, r.rc, nil)
	g1, l1 := addGPU(t, r.k, 1, r.rc, nil)
	watchRules(t, l0, 256, 512)
	row := pattern(4096, 3)
	require.NoError(t, g0.Memory().Write(0x5010, row))
	r.read(g0.Base()+0x5010, 4096, 1)
	r.run()
	require.Equal(t, row, r.core.got[1])
	r.write(g1.Base()+0x10, r.core.got[1], 2)
	r.run()
	got := make([]byte, 4096)
	require.NoError(t, g1.Memory().Read(0x10, got))
	require.Equal(t, row, got)
	require.Zero(t, r.mem.Touched(), "host memory was not involved")
	require.NotZero(t, l1.Stats(Down).Kinds[pcie.MWr])
	require.Zero(t, l1.Stats(Up).TLPs)

	// The CPU accesses GPU memory, too.
	require.NoError(t, r.rc.Write(g1.Base()+1000, []byte("hello")))
	b := make([]byte, 600)
	require.NoError(t, r.rc.Read(g1.Base()+1000, b))
	require.Equal(t, append([]byte("hello"), row[1005-16:1600-16]...), b)
	require.Equal(t, Counters{}, g1.Counters())
	require.NotZero(t, g0.HBM().Busy())
}

func TestPeerToPeerBelowASwitch(t *testing.T) {
	r := newHarness(t, nil)
	sw := NewSwitch(r.k, pcie.NewID(2, 0, 0), SwitchLatency)
	_, err := sw.Attach(DefaultConfig(), r.ep)
	require.ErrorContains(t, err, "switch 02:00.0 must be attached before")
	uplink, err := r.rc.Attach(DefaultConfig(), sw)
	require.NoError(t, err)
	inner := NewSwitch(r.k, pcie.NewID(3, 0, 0), SwitchLatency)
	_, err = sw.Attach(DefaultConfig(), inner)
	require.NoError(t, err)

	core := newTestCore(r.k)
	cfg := DefaultEndpointConfig()
	cfg.ID, cfg.BAR.Base = pcie.NewID(4, 0, 0), 0xfd000000
	ep, err := NewEndpoint(r.k, cfg, core)
	require.NoError(t, err)
	_, err = inner.Attach(DefaultConfig(), ep)
	require.NoError(t, err)
	g, _ := addGPU(t, r.k, 0, sw, nil)

	row := pattern(512, 8)
	require.NoError(t, g.Memory().Write(64, row))
	require.NoError(t, ep.ReadRequest(g.Base()+64, 512, 1))
	require.NoError(t, r.k.Run(nil))
	require.Equal(t, row, core.got[1])
	require.Zero(t, uplink.Stats(Up).TLPs+uplink.Stats(Down).TLPs, "peers below one switch keep to themselves")

	want := r.fill(0x7000, 512)
	require.NoError(t, ep.ReadRequest(0x7000, 512, 2)) // host memory, two switches up
	require.NoError(t, ep.ReadRequest(nowhere, 4, 3))
	require.NoError(t, ep.WriteRequest(r.ep.BAR().Base, []byte{1, 2, 3, 4}, 4)) // the other endpoint
	require.NoError(t, r.k.Run(nil))
	require.Equal(t, want, core.got[2])
	require.Equal(t, UnsupportedRequest, core.ended[3])
	require.Equal(t, []string{"w0=4030201/f"}, r.core.log)
	v, err := r.rc.Read32(0xfd000000)
	require.NoError(t, err)
	require.Zero(t, v)
	require.Equal(t, Counters{}, sw.Counters())

	// The switch refuses a request from above that no device below it claims.
	uplink.ports[Down].Send(pcie.NewRead(r.rc.ID(), 3, 0x100, 4), nil)
	require.NoError(t, r.k.Run(nil))
	require.Equal(t, uint64(1), sw.Counters().Unsupported)
}

// TestPeersDoNotStarveEachOther: reads of a GPU do not block writes to it or to other devices.
func TestPeersDoNotStarveEachOther(t *testing.T) {
	r := newHarness(t, nil)
	g, l := addGPU(t, r.k, 0, r.rc, func(c *GPUConfig) { c.Memory.Latency = 50 * des.Microsecond })
	for id := range uint32(200) {
		r.read(g.Base()+uint64(id)*512, 512, id)
	}
	r.write(g.Base()+0x100000, []byte{1, 2, 3, 4}, 1000)
	r.write(0x100000, []byte{5, 6, 7, 8}, 1001)
	require.NoError(t, r.k.RunTo(10*des.Microsecond))
	v, _ := g.Memory().ReadUint32(0x100000)
	require.Equal(t, uint32(0x04030201), v)
	v, _ = r.mem.ReadUint32(0x100000)
	require.Equal(t, uint32(0x08070605), v)
	require.Empty(t, r.core.ended)
	r.run()
	requireCreditsBack(t, l)
	require.Len(t, r.core.ended, 200)
}

func TestAttachRefusesConflicts(t *testing.T) {
	r := newHarness(t, nil)
	gpu := func(change func(*GPUConfig)) error {
		cfg := DefaultGPUConfig(0)
		change(&cfg)
		g, err := NewGPU(r.k, cfg, des.NewMemory("g", 1<<30))
		if err != nil {
			return err
		}
		_, err = r.rc.Attach(DefaultConfig(), g)
		return err
	}
	require.EqualError(t, gpu(func(c *GPUConfig) { c.ID = r.ep.ID() }), "link: ID 01:00.0 is in use")
	require.EqualError(t, gpu(func(c *GPUConfig) { c.ID = 0 }), "link: ID 00:00.0 is in use")
	require.EqualError(t, gpu(func(c *GPUConfig) { c.Base = 0xe0000000 }),
		"link: window 0xe0000000+0x40000000 of 10:00.0 overlaps 0xfe000000+0x10000")
	require.ErrorContains(t, gpu(func(c *GPUConfig) { c.Base = ^uint64(0) - 5 }), "end of the address space")
	require.NoError(t, gpu(func(c *GPUConfig) {}))

	sw := NewSwitch(r.k, pcie.NewID(2, 0, 0), SwitchLatency)
	_, err := r.rc.Attach(DefaultConfig(), sw)
	require.NoError(t, err)
	g, err := NewGPU(r.k, DefaultGPUConfig(0), des.NewMemory("g", 1<<30))
	require.NoError(t, err)
	_, err = sw.Attach(DefaultConfig(), g)
	require.EqualError(t, err, "link: ID 10:00.0 is in use", "by a device below another port of the root")
	bad := DefaultConfig()
	bad.Lanes = 3
	_, err = sw.Attach(bad, r.ep)
	require.Error(t, err)
}

func TestMessagesReachTheRoot(t *testing.T) {
	r := newHarness(t, nil)
	r.ep.Port().Send(&pcie.TLP{Kind: pcie.Msg, Requester: r.ep.ID(), Code: pcie.MsgErrNonFatal}, nil)
	r.link.ports[Down].Send(&pcie.TLP{Kind: pcie.Msg, Code: pcie.MsgPMETurnOff, Route: pcie.Broadcast}, nil)
	r.run()
	require.Equal(t, uint64(1), r.rc.Messages())
	require.Equal(t, uint64(1), r.link.Stats(Down).Kinds[pcie.Msg])
}

// soak generates random traffic of two devices, two GPUs below a switch, and the CPU, with random
// completions and few credits. It checks all data and returns a digest of every TLP on every link
// with its time.
func soak(t *testing.T, seed uint64) uint64 {
	rng := rand.New(rand.NewPCG(seed, 77))
	credits := Credits{PH: 1 + rng.IntN(20), PD: 16 + rng.IntN(60), NPH: 1 + rng.IntN(20), NPD: 1}
	r := newHarness(t, func(c *rigConfig) {
		c.link.UpCredits, c.link.DownCredits = credits, credits
		c.root.Memory.Policy, c.root.Memory.Jitter, c.root.Memory.Seed = "random", des.Time(rng.IntN(3))*des.Microsecond, int(seed)
		c.ep.Straps.ExtendedTags = rng.IntN(2) == 0
		c.ep.Straps.MRRS = 128 << rng.IntN(6)
	})
	r.core.delay = des.Time(rng.IntN(2)) * 100 * des.Nanosecond
	sw := NewSwitch(r.k, pcie.NewID(2, 0, 0), SwitchLatency)
	uplink, err := r.rc.Attach(DefaultConfig(), sw)
	require.NoError(t, err)
	links := []*Link{r.link, uplink}
	spaces := []struct {
		base uint64
		mem  *des.Memory
	}{{0, r.mem}}
	for i := range 2 {
		g, l := addGPU(t, r.k, i, sw, func(c *GPUConfig) {
			c.Memory.Policy, c.Memory.Jitter, c.Memory.Seed = "random", des.Microsecond, int(seed)+i
		})
		links = append(links, l)
		spaces = append(spaces, struct {
			base uint64
			mem  *des.Memory
		}{g.Base(), g.Memory()})
	}
	sum := fnv.New64a()
	for i, l := range links {
		watchRules(t, l, 256, 4096)
		l.Observe(func(d Direction, at des.Time, x *pcie.TLP) { fmt.Fprintln(sum, i, d, at, x, len(x.Data)) })
	}

	want := map[uint32][]byte{}
	wrote := map[uint64][]byte{}
	for id := range uint32(150) {
		s := spaces[rng.IntN(len(spaces))]
		addr := uint64(id)<<16 + uint64(rng.IntN(8192)) // each operation has a separate address range
		b := pattern(1+rng.IntN(1<<(3+rng.IntN(11))), byte(id))
		at := des.Time(rng.IntN(40)) * des.Microsecond
		if rng.IntN(2) == 0 {
			require.NoError(t, s.mem.Write(addr, b))
			want[id] = b
			r.k.At(at, func() { r.read(s.base+addr, len(b), id) })
			continue
		}
		wrote[s.base+addr] = b
		r.k.At(at, func() { r.write(s.base+addr, b, id) })
	}
	reads := 0
	for i := range 50 {
		require.NoError(t, r.rc.Write32(r.ep.BAR().Base+4*uint64(i), uint32(i)))
		require.NoError(t, r.rc.ReadAsync(r.ep.BAR().Base+4*uint64(i), 4, func(b []byte, err error) {
			require.NoError(t, err)
			require.Equal(t, []byte{byte(i), 0, 0, 0}, b)
			reads++
		}))
	}
	r.run()
	require.Equal(t, 50, reads)
	require.Equal(t, want, r.core.got)
	require.Len(t, r.core.written, len(wrote))
	for addr, b := range wrote {
		s := spaces[0]
		for _, other := range spaces[1:] {
			if addr >= other.base {
				s = other
			}
		}
		got := make([]byte, len(b))
		require.NoError(t, s.mem.Read(addr-s.base, got))
		require.Equal(t, b, got)
	}
	for _, l := range links {
		requireCreditsBack(t, l)
	}
	require.Equal(t, Counters{}, r.rc.Counters())
	require.Equal(t, Counters{}, r.ep.Counters())
	require.Equal(t, Counters{}, sw.Counters())
	return sum.Sum64()
}

func TestSoak(t *testing.T) {
	digests := map[uint64]bool{}
	for seed := range uint64(12) {
		digests[soak(t, seed)] = true
	}
	require.Len(t, digests, 12)
}

func TestRunsAreReproducible(t *testing.T) {
	for seed := range uint64(3) {
		require.Equal(t, soak(t, seed), soak(t, seed))
	}
}
