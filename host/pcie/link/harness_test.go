package link

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// testCore is a device that records its calls.
type testCore struct {
	k        *des.Kernel
	regs     map[uint64]uint32
	log      []string // register accesses
	delay    des.Time
	refuse   map[uint64]pcie.Status // registers that cannot be read
	deaf     bool                   // never completes register accesses
	got      map[uint32][]byte
	ended    map[uint32]Error
	order    []uint32 // read descriptors in the order of their ends
	written  map[uint32]Error
	doneAt   map[uint32]des.Time
	last     map[uint32]bool
	onData   func(id uint32, offset int)
	onRead   func(id uint32)
	problems []string
	discard  bool // count the data instead of keeping it
	bytes    int
	allowed  []bool // arguments of Configured
	resets   int
}

func newTestCore(k *des.Kernel) *testCore {
	return &testCore{
		k: k, regs: map[uint64]uint32{}, refuse: map[uint64]pcie.Status{},
		got: map[uint32][]byte{}, ended: map[uint32]Error{}, written: map[uint32]Error{},
		doneAt: map[uint32]des.Time{}, last: map[uint32]bool{},
	}
}

func (c *testCore) later(f func()) {
	if c.delay == 0 {
		f()
		return
	}
	c.k.After(c.delay, f)
}

func (c *testCore) ReadRegister(offset uint64, reply func(uint32, pcie.Status)) {
	c.log = append(c.log, fmt.Sprintf("r%x", offset))
	if c.deaf {
		return
	}
	c.later(func() { reply(c.regs[offset], c.refuse[offset]) })
}

func (c *testCore) WriteRegister(offset uint64, value uint32, enables uint8, done func()) {
	c.log = append(c.log, fmt.Sprintf("w%x=%x/%x", offset, value, enables))
	c.later(func() { c.regs[offset] = value; done() })
}

func (c *testCore) ReadData(id uint32, offset int, data []byte, last bool) {
	c.bytes += len(data)
	if !c.discard {
		if _, over := c.ended[id]; over || c.last[id] || offset != len(c.got[id]) || len(data) == 0 {
			c.problems = append(c.problems, fmt.Sprintf("descriptor %d: %d bytes at %d after %d", id, len(data), offset, len(c.got[id])))
		}
		c.got[id] = append(c.got[id], data...)
		c.last[id] = last
	}
	if c.onData != nil {
		c.onData(id, offset)
	}
}

func (c *testCore) ReadDone(id uint32, e Error) {
	if _, over := c.ended[id]; over && !c.discard {
		c.problems = append(c.problems, fmt.Sprintf("descriptor %d ended twice", id))
	}
	if !c.discard {
		c.ended[id] = e
		c.order = append(c.order, id)
		if c.last[id] != (e == OK) {
			c.problems = append(c.problems, fmt.Sprintf("descriptor %d: last=%v with %v", id, c.last[id], e))
		}
	}
	c.doneAt[id] = c.k.Now()
	if c.onRead != nil {
		c.onRead(id)
	}
}

func (c *testCore) WriteDone(id uint32, e Error) {
	if !c.discard {
		c.written[id] = e
		c.doneAt[id] = c.k.Now()
	}
}

func (c *testCore) Configured(busMaster, up bool) { c.allowed = append(c.allowed, busMaster && up) }
func (c *testCore) Reset()                        { c.resets++ }

// harness is a root complex with one endpoint below it.
type harness struct {
	t    testing.TB
	k    *des.Kernel
	mem  *des.Memory
	rc   *RootComplex
	core *testCore
	ep   *Endpoint
	link *Link
	irqs []uint32
}

type rigConfig struct {
	root RootConfig
	link Config
	ep   EndpointConfig
}

// newHarness builds a harness from the defaults, modified by change.
func newHarness(t testing.TB, change func(*rigConfig)) *harness {
	c := rigConfig{DefaultRootConfig(), DefaultConfig(), DefaultEndpointConfig()}
	if change != nil {
		change(&c)
	}
	r := &harness{t: t, k: des.NewKernel()}
	r.mem = des.NewMemory("host", 1<<38)
	r.core = newTestCore(r.k)
	var err error
	r.rc, err = NewRootComplex(r.k, c.root, r.mem)
	require.NoError(t, err)
	r.rc.OnInterrupt(func(_ uint64, data uint32) { r.irqs = append(r.irqs, data) })
	r.ep, err = NewEndpoint(r.k, c.ep, r.core)
	require.NoError(t, err)
	r.link, err = r.rc.Attach(c.link, r.ep)
	require.NoError(t, err)
	return r
}

// run runs all events and checks the invariants of the idle state.
func (r *harness) run() {
	require.NoError(r.t, r.k.Run(nil))
	require.Empty(r.t, r.core.problems)
	require.Zero(r.t, r.ep.TagsInUse())
	require.Zero(r.t, r.ep.counters.Malformed)
	require.Zero(r.t, r.rc.counters.Malformed)
	requireCreditsBack(r.t, r.link)
}

// requireCreditsBack checks that an idle link has all its credits.
func requireCreditsBack(t testing.TB, l *Link) {
	for _, p := range l.ports {
		p.tx.k.After(des.Microsecond, func() {})
		require.NoError(t, p.tx.k.Run(nil))
		p.tx.collectCredits()
		require.Equal(t, p.tx.advertised, p.tx.available)
	}
}

func (r *harness) read(addr uint64, n int, id uint32) {
	require.NoError(r.t, r.ep.ReadRequest(addr, n, id))
}

func (r *harness) write(addr uint64, data []byte, id uint32) {
	require.NoError(r.t, r.ep.WriteRequest(addr, data, id))
}

// fill writes a pattern to host memory and returns it.
func (r *harness) fill(addr uint64, n int) []byte {
	b := pattern(n, byte(addr>>4))
	require.NoError(r.t, r.mem.Write(addr, b))
	return b
}

func pattern(n int, seed byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7) ^ byte(i>>8) + seed
	}
	return b
}

// watchRules checks every TLP of a link against the encoding and the rules.
func watchRules(t testing.TB, l *Link, mps, mrrs int) {
	var buf []byte
	l.Observe(func(_ Direction, _ des.Time, x *pcie.TLP) {
		var err error
		buf, err = x.AppendTo(buf[:0])
		require.NoError(t, err)
		back, err := pcie.Decode(buf)
		require.NoError(t, err)
		require.Equal(t, x.String(), back.String())
		require.NoError(t, x.Check(mps, mrrs))
	})
}
