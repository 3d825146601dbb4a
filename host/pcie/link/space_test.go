package link

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// Offsets of the device's capabilities (docs/reference/config-space.md).
const (
	power   = 0x40
	msix    = 0x50
	express = 0x60
	aer     = 0x100
)

// coldHarness returns a harness whose endpoint is powered and waits for enumeration.
func coldHarness(t *testing.T, change func(*rigConfig)) *harness {
	c := rigConfig{DefaultRootConfig(), DefaultConfig(), DefaultEndpointConfig()}
	if change != nil {
		change(&c)
	}
	r := &harness{t: t, k: des.NewKernel(), mem: des.NewMemory("host", 1<<38)}
	r.core = newTestCore(r.k)
	var err error
	r.rc, err = NewRootComplex(r.k, c.root, r.mem)
	require.NoError(t, err)
	r.rc.OnInterrupt(func(_ uint64, data uint32) { r.irqs = append(r.irqs, data) })
	r.ep, err = NewEndpoint(r.k, c.ep, r.core)
	require.NoError(t, err)
	r.ep.PowerOn()
	r.link, err = r.rc.Attach(c.link, r.ep)
	require.NoError(t, err)
	watchRules(t, r.link, 4096, 4096)
	return r
}

func (r *harness) configWrite(at int, v uint32, enables uint8) {
	require.NoError(r.t, r.rc.ConfigWrite(r.ep.ID(), at, v, enables))
}

func (r *harness) configRead(at int) uint32 {
	v, err := r.rc.ConfigRead(r.ep.ID(), at)
	require.NoError(r.t, err)
	return v
}

func TestEnumeration(t *testing.T) {
	r := coldHarness(t, func(c *rigConfig) { c.link.Generation, c.link.Lanes = 2, 8 })
	require.Empty(t, r.ep.Windows())
	require.Equal(t, Straps{MPS: 128, MRRS: 512, RCB: 64}, r.ep.Straps())
	want := Straps{MPS: 256, MRRS: 4096, RCB: 128, ExtendedTags: true, BusMaster: true}
	for range 2 { // the second enumeration finds the same
		found, err := r.rc.Enumerate(want)
		require.NoError(t, err)
		require.Equal(t, []pcie.ID{pcie.NewID(1, 0, 0)}, found)
		require.Equal(t, want, r.ep.Straps())
		require.Equal(t, Window{0xfe000000, 0x10000}, r.ep.BAR())
		r.core.regs[4] = 77
		v, err := r.rc.Read32(r.ep.BAR().Base + 4)
		require.NoError(t, err)
		require.EqualValues(t, 77, v)
	}
	require.EqualValues(t, 2|8<<4, r.configRead(express+config.LinkControl)>>16&0x3ff, "link status")
	require.Zero(t, r.ep.Counters())
	r.run()

	bad := want
	bad.MPS = 100
	_, err := r.rc.Enumerate(bad)
	require.ErrorContains(t, err, "max_payload is 100;")
}

// TestEnumerationBelowASwitch: a type 1 request becomes a type 0 request on the device's link. GPUs
// and switches have no configuration space, and the BAR is reachable.
func TestEnumerationBelowASwitch(t *testing.T) {
	k := des.NewKernel()
	rc, err := NewRootComplex(k, DefaultRootConfig(), des.NewMemory("host", 1<<30))
	require.NoError(t, err)
	sw := NewSwitch(k, pcie.NewID(2, 0, 0), SwitchLatency)
	up, err := rc.Attach(DefaultConfig(), sw)
	require.NoError(t, err)
	gpu, err := NewGPU(k, DefaultGPUConfig(0), des.NewMemory("GPU", 1<<20))
	require.NoError(t, err)
	_, err = sw.Attach(DefaultConfig(), gpu)
	require.NoError(t, err)
	core := newTestCore(k)
	ep, err := NewEndpoint(k, DefaultEndpointConfig(), core)
	require.NoError(t, err)
	ep.PowerOn()
	down, err := sw.Attach(DefaultConfig(), ep)
	require.NoError(t, err)

	found, err := rc.Enumerate(DefaultStraps())
	require.NoError(t, err)
	require.Equal(t, []pcie.ID{ep.ID()}, found)
	require.NoError(t, rc.Write32(ep.BAR().Base+8, 5))
	_, err = rc.Read32(ep.BAR().Base + 8)
	require.NoError(t, err)
	require.EqualValues(t, 5, core.regs[8])
	require.NotZero(t, up.Stats(Down).Kinds[pcie.CfgRd1])
	require.Zero(t, down.Stats(Down).Kinds[pcie.CfgRd1])
	require.Equal(t, up.Stats(Down).Kinds[pcie.CfgWr1], down.Stats(Down).Kinds[pcie.CfgWr0])
	require.EqualValues(t, 1, gpu.Counters().Unsupported)
	require.EqualValues(t, 1, sw.Counters().Unsupported)
}

func TestEnumerationRefuses(t *testing.T) {
	r := coldHarness(t, func(c *rigConfig) { c.root.Devices = Window{0xfe008000, 0x10000} })
	_, err := r.rc.Enumerate(DefaultStraps())
	require.EqualError(t, err, "link: enumeration of 01:00.0: no place for a BAR of 0x10000 bytes in 0xfe008000+0x10000")

	// Enumeration terminates for any response of a device.
	for at, what := range map[int]struct {
		value uint32
		want  string
	}{
		0x0c: {0x00010000, "header type 1, expected 0"}, 0x10: {0, "BAR 0 reads 0x0 after writing ones"},
		0x34: {0, "no capability 0x10 in its list"}, 0x40: {0x4001, "no capability 0x10 in its list"},
	} {
		r := coldHarness(t, nil)
		r.spoil(at, what.value)
		_, err := r.rc.Enumerate(DefaultStraps())
		require.ErrorContains(t, err, what.want)
	}
	r = coldHarness(t, nil)
	r.spoil(0, math.MaxUint32)
	found, err := r.rc.Enumerate(DefaultStraps())
	require.NoError(t, err)
	require.Empty(t, found, "all ones are nobody")
}

// spoil changes the values that reads of a configuration register return.
func (r *harness) spoil(at int, v uint32) {
	hit := false
	r.link.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate {
		switch {
		case x.Kind == pcie.CfgRd0:
			hit = int(x.Addr) == at
		case x.Kind == pcie.CplD && hit:
			for i := range 4 {
				x.Data[i] = byte(v >> (8 * i))
			}
		}
		return Fate{}
	})
}

// raw sends a TLP down to the endpoint and returns the responses.
func (r *harness) raw(x *pcie.TLP) (answers []*pcie.TLP) {
	watching := true
	r.link.Observe(func(dir Direction, _ des.Time, a *pcie.TLP) {
		if watching && dir == Up {
			answers = append(answers, a)
		}
	})
	r.link.ports[Down].Send(x, nil)
	require.NoError(r.t, r.k.Run(nil))
	watching = false
	return answers
}

func TestConfigurationRequests(t *testing.T) {
	own := pcie.NewID(1, 0, 0)
	for _, c := range []struct {
		name   string
		tlp    func() *pcie.TLP
		answer string
		counts Counters
	}{
		{"read", func() *pcie.TLP { return pcie.NewConfigRead(0, 9, own, 0, 0xf) }, "CplD 01:00.0>00:00.0 tag=009 SC bc=4 la=00 len=1", Counters{}},
		{"read of nothing", func() *pcie.TLP { return pcie.NewConfigRead(0, 9, own, 0, 0) }, "CplD 01:00.0>00:00.0 tag=009 SC bc=4 la=00 len=1", Counters{}},
		{"read of what is not there", func() *pcie.TLP { return pcie.NewConfigRead(0, 9, own, 0xffc, 0xf) }, "CplD 01:00.0>00:00.0 tag=009 SC bc=4 la=00 len=1", Counters{}},
		{"write of nothing", func() *pcie.TLP { return pcie.NewConfigWrite(0, 9, own, config.Command, 7, 0) }, "Cpl 01:00.0>00:00.0 tag=009 SC bc=4 la=00 len=0", Counters{}},
		{"write of what is fixed", func() *pcie.TLP { return pcie.NewConfigWrite(0, 9, own, 0, 7, 0xf) }, "Cpl 01:00.0>00:00.0 tag=009 SC bc=4 la=00 len=0", Counters{}},
		{"another function", func() *pcie.TLP { return pcie.NewConfigRead(0, 9, own+1, 0, 0xf) }, "Cpl 01:00.0>00:00.0 tag=009 UR bc=4 la=00 len=0", Counters{Unsupported: 1}},
		{"type 1", func() *pcie.TLP {
			x := pcie.NewConfigRead(0, 9, own, 0, 0xf)
			x.Kind = pcie.CfgRd1
			return x
		}, "Cpl 01:00.0>00:00.0 tag=009 UR bc=4 la=00 len=0", Counters{Unsupported: 1}},
		{"poisoned", func() *pcie.TLP {
			x := pcie.NewConfigWrite(0, 9, own, config.Command, 7, 3)
			x.EP = true
			return x
		}, "Cpl 01:00.0>00:00.0 tag=009 UR bc=4 la=00 len=0", Counters{Poisoned: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := coldHarness(t, nil)
			before := make([]byte, config.Size)
			require.NoError(t, r.ep.space.Read(0, before[:aer]))
			answers := r.raw(c.tlp())
			require.Len(t, answers, 1)
			require.Equal(t, c.answer, answers[0].String())
			require.Equal(t, c.counts, r.ep.Counters())
			if c.counts == (Counters{}) {
				after := make([]byte, config.Size)
				require.NoError(t, r.ep.space.Read(0, after[:aer]))
				require.Equal(t, before, after)
			}
		})
	}
}

func TestMalformedConfigurationRequestsAreDropped(t *testing.T) {
	r := newHarness(t, nil)
	x := pcie.NewConfigWrite(0, 9, r.ep.ID(), config.Command, 0, 3)
	x.LastBE = 1
	sent := r.raw(x)
	require.Len(t, sent, 1, "a message, and no completion")
	require.Equal(t, "Msg 01:00.0 tag=000 code=33 route=0 len=0", sent[0].String())
	require.Equal(t, Counters{Malformed: 1}, r.ep.Counters())
	require.EqualValues(t, 1<<config.MalformedTLP, r.configRead(aer+config.UncorrectableStatus))
	require.EqualValues(t, 0x44000001, r.configRead(aer+config.HeaderLog))
	require.True(t, r.ep.Straps().BusMaster)
}

func TestConfigAccessFails(t *testing.T) {
	r := coldHarness(t, nil)
	v, err := r.rc.ConfigRead(pcie.NewID(7, 0, 0), 0x10)
	require.EqualValues(t, math.MaxUint32, v)
	require.EqualError(t, err, "link: configuration request for register 0x10 of 07:00.0: unsupported request")
	_, err = r.rc.ConfigRead(r.ep.ID()+3, 0)
	require.EqualError(t, err, "link: configuration request for register 0x0 of 01:00.3: unsupported request")
	require.ErrorContains(t, r.rc.ConfigWrite(r.ep.ID(), 0x1000, 0, 1), "expected a multiple of 4 below 0x1000")
	require.ErrorContains(t, r.rc.ConfigWrite(r.ep.ID(), 2, 0, 1), "expected a multiple of 4 below 0x1000")
	r.link.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate { return Fate{Drop: dir == Up} })
	_, err = r.rc.ConfigRead(r.ep.ID(), 0)
	require.ErrorContains(t, err, "completion timeout")
	_, err = r.rc.Enumerate(DefaultStraps())
	require.EqualError(t, err, "link: enumeration of 01:00.0: link: configuration request for register 0x0 of 01:00.0: completion timeout")
	r.link.SetUp(false)
	require.ErrorContains(t, r.rc.ConfigWrite(r.ep.ID(), 0, 0, 0), "unsupported request")
}

// TestMemorySpaceDisabled: a function does not respond at its BAR while memory space is disabled.
func TestMemorySpaceDisabled(t *testing.T) {
	for name, off := range map[string]func(*harness){
		"memory space": func(r *harness) { r.configWrite(config.Command, config.CommandBusMaster, 0x3) },
		"D3hot":        func(r *harness) { r.configWrite(power+config.PowerControl, config.D3hot, 0x1) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newHarness(t, nil)
			off(r)
			require.NoError(t, r.rc.Write32(r.ep.BAR().Base, 1))
			_, err := r.rc.Read32(r.ep.BAR().Base)
			require.ErrorContains(t, err, "unsupported request")
			require.Empty(t, r.core.log)
			require.Equal(t, Counters{Unsupported: 2}, r.ep.Counters())
			require.EqualValues(t, 1<<config.UnsupportedRequest, r.configRead(aer+config.UncorrectableStatus))
			require.EqualValues(t, 0x40000001, r.configRead(aer+config.HeaderLog), "the first of them, a write")

			r.configWrite(config.Command, config.CommandMemory|config.CommandBusMaster, 0x3)
			r.configWrite(power+config.PowerControl, 0, 0x1)
			_, err = r.rc.Read32(r.ep.BAR().Base)
			require.NoError(t, err)
		})
	}
}

// TestHostHoldsTheFunction: requests that are not allowed wait, and are sent when they are allowed.
func TestHostHoldsTheFunction(t *testing.T) {
	for name, c := range map[string]struct{ off, on func(*harness) }{
		"bus master": {
			func(r *harness) { r.configWrite(config.Command, config.CommandMemory, 0x3) },
			func(r *harness) { r.configWrite(config.Command, config.CommandMemory|config.CommandBusMaster, 0x3) },
		},
		"D3hot": {
			func(r *harness) { r.configWrite(power+config.PowerControl, config.D3hot, 0x1) },
			func(r *harness) { r.configWrite(power+config.PowerControl, 0, 0x1) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newHarness(t, nil)
			require.NoError(t, r.ep.SetVector(2, 0xfee00000, 9, false))
			want := r.fill(0x1000, 700)
			c.off(r)
			sent := r.link.Stats(Up).TLPs
			r.read(0x1000, 700, 1)
			r.write(0x8000, want, 2)
			r.ep.RaiseInterrupt(2)
			require.NoError(t, r.k.Run(nil))
			require.Equal(t, sent, r.link.Stats(Up).TLPs)
			c.on(r)
			r.run()
			require.Equal(t, want, r.core.got[1])
			require.Equal(t, OK, r.core.written[2])
			require.Equal(t, []uint32{9}, r.irqs)
			require.Equal(t, []bool{true, false, true}, r.core.allowed, "the core is told")
		})
	}
}

func TestMSIXControl(t *testing.T) {
	r := newHarness(t, nil)
	require.NoError(t, r.ep.SetVector(2, 0xfee00000, 9, false))
	pending := r.ep.cfg.MSIXOffset + MSIXPending
	for _, control := range []uint32{0, config.MSIXEnable | config.MSIXFunctionMask, config.MSIXFunctionMask} {
		r.irqs = nil
		r.configWrite(msix, control<<16, 0xc)
		r.ep.RaiseInterrupt(2)
		bits, err := r.rc.Read32(r.ep.BAR().Base + pending)
		require.NoError(t, err)
		require.EqualValues(t, 1<<2, bits)
		require.Empty(t, r.irqs)
		r.configWrite(msix, config.MSIXEnable<<16, 0xc)
		r.run()
		require.Equal(t, []uint32{9}, r.irqs)
	}
}

// TestSizesLimitPackets: no TLP of the device exceeds the sizes set by the host.
func TestSizesLimitPackets(t *testing.T) {
	for code := range 6 {
		r := newHarness(t, func(c *rigConfig) { c.root.Memory.MPS = 4096 })
		other := 5 - code
		r.configWrite(express+config.DeviceControl, uint32(code<<5|other<<12), 0x3)
		var write, read int
		r.link.Observe(func(dir Direction, _ des.Time, x *pcie.TLP) {
			if dir == Up && x.Kind == pcie.MWr {
				write = max(write, 4*x.Length)
			} else if x.Kind == pcie.MRd {
				read = max(read, 4*x.Length)
			}
		})
		r.write(0x10000, make([]byte, 8192), 1)
		r.read(0x10000, 8192, 2)
		require.NoError(t, r.k.Run(nil))
		require.Equal(t, []int{128 << code, 128 << other}, []int{write, read})
	}
}

// TestCompletionTimeoutOfTheHost: reads time out as set by the host, or never.
func TestCompletionTimeoutOfTheHost(t *testing.T) {
	for value, want := range map[uint32]des.Time{0: 10 * des.Millisecond, 1: 100 * des.Microsecond, 6: 210 * des.Millisecond, 3: 10 * des.Millisecond} {
		r := newHarness(t, nil)
		r.configWrite(express+config.DeviceControl2, value, 0x1)
		r.link.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate { return Fate{Drop: x.Kind == pcie.CplD} })
		start := r.k.Now()
		r.read(0x1000, 64, 1)
		require.NoError(t, r.k.Run(nil))
		require.Equal(t, Timeout, r.core.ended[1])
		require.Equal(t, start+want, r.core.doneAt[1], "%d", value)
	}
	r := newHarness(t, nil)
	r.configWrite(express+config.DeviceControl2, 1<<4, 0x1)
	r.link.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate {
		return Fate{Drop: x.Kind == pcie.CplD && x.Length > 1}
	})
	r.read(0x1000, 64, 1)
	require.NoError(t, r.k.Run(nil))
	require.NotContains(t, r.core.ended, uint32(1))
	require.EqualValues(t, config.DeviceTransactionsPending, r.configRead(express+config.DeviceControl)>>16)

	// A shorter timeout does not expire first: deadlines stay in order.
	r.configWrite(express+config.DeviceControl2, 2, 0x1)
	r.read(0x1000, 64, 2)
	first := r.k.Now() + 10*des.Millisecond
	r.configWrite(express+config.DeviceControl2, 1, 0x1)
	r.read(0x1000, 64, 3)
	require.NoError(t, r.k.Run(nil))
	require.Equal(t, first, r.core.doneAt[2])
	require.Equal(t, first, r.core.doneAt[3])
}

// TestFLRInTraffic resets the function by a configuration write during reads, writes and register
// accesses.
func TestFLRInTraffic(t *testing.T) {
	for moment := des.Time(0); moment < 3*des.Microsecond; moment += 50 * des.Nanosecond {
		r := newHarness(t, func(c *rigConfig) { c.ep.CompletionTimeout = 50 * des.Microsecond })
		require.NoError(t, r.ep.SetVector(1, 0xfee00000, 9, false))
		r.core.delay = 300 * des.Nanosecond
		for id := range uint32(300) {
			r.read(uint64(id)*4096, 700, id)
			r.write(1<<20, make([]byte, 500), 1000+id)
		}
		require.NoError(t, r.rc.Write32(r.ep.BAR().Base, 1))
		require.NoError(t, r.k.RunTo(moment))
		r.configWrite(express+config.DeviceControl, config.DeviceFLR, 0x2)
		require.Equal(t, 1, r.core.resets)
		require.Len(t, r.core.ended, 300)
		require.NoError(t, r.k.Run(nil))
		require.Len(t, r.core.written, 300)
		require.Zero(t, r.ep.TagsInUse())

		// The state is as after power-up, except for state that survives a reset.
		require.False(t, r.ep.Straps().BusMaster)
		require.Zero(t, r.configRead(config.BAR0))
		require.Equal(t, 256, r.ep.Straps().MPS)
		_, err := r.rc.Enumerate(DefaultStraps())
		require.NoError(t, err)
		require.Equal(t, DefaultStraps(), r.ep.Straps())
		want := r.fill(0x9000, 1000)
		r.read(0x9000, 1000, 5000)
		r.run()
		require.Equal(t, want, r.core.got[5000])
	}
}
