//go:build linux

package rootport_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/rootport"
	"github.com/hotline-rtl/hotline/host/vfiouser"
	"github.com/hotline-rtl/hotline/host/vfiouser/client"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// stub is a card with registers that can be written, and three that do something:
// read 64 bytes at 0x10000 and write them at 0x20000; fire vector 5; be silent.
type stub struct {
	ep       *link.Endpoint
	regs     map[uint64]uint32
	enables  []uint8 // of writes
	err      error
	readErrs []link.Error
}

const (
	regCopy   = 0x100
	regFire   = 0x104
	regSilent = 0x108
	regRefuse = 0x10c
	regFail   = 0x110
)

func (c *stub) Endpoint() *link.Endpoint { return c.ep }
func (c *stub) Err() error               { return c.err }
func (c *stub) Configured(_, _ bool)     {}
func (c *stub) Reset()                   {}

func (c *stub) ReadRegister(offset uint64, reply func(uint32, pcie.Status)) {
	switch offset {
	case regSilent:
	case regRefuse:
		reply(0, pcie.CA)
	default:
		reply(c.regs[offset], pcie.SC)
	}
}

func (c *stub) WriteRegister(offset uint64, value uint32, enables uint8, done func()) {
	c.enables = append(c.enables, enables)
	for i := range 4 {
		if enables>>i&1 != 0 {
			c.regs[offset] = c.regs[offset]&^(0xff<<(8*i)) | value&(0xff<<(8*i))
		}
	}
	switch offset {
	case regCopy:
		_ = c.ep.ReadRequest(0x10000, 64, 0)
	case regFire:
		c.ep.RaiseInterrupt(5)
	case regFail:
		c.err = errors.New("stub: broken")
	}
	done()
}

func (c *stub) ReadData(_ uint32, offset int, data []byte, last bool) {
	_ = c.ep.WriteRequest(0x20000+uint64(offset), data, 0)
	if last {
		c.ep.RaiseInterrupt(5)
	}
}

func (c *stub) ReadDone(_ uint32, e link.Error)  { c.readErrs = append(c.readErrs, e) }
func (c *stub) WriteDone(_ uint32, _ link.Error) {}

// stubs makes cards, and remembers them.
type stubs struct{ made []*stub }

func (m *stubs) card(k *node.Kernel, cfg link.EndpointConfig) (rootport.Card, error) {
	c := &stub{regs: map[uint64]uint32{0: uint32(len(m.made))}}
	var err error
	c.ep, err = link.NewEndpoint(k, cfg, c)
	m.made = append(m.made, c)
	return c, err
}

// memory answers messages with the address.
type memory struct{ written map[uint64][]byte }

func (m *memory) Read(addr uint64, p []byte) error {
	for i := range p {
		p[i] = byte(addr) + byte(i)
	}
	return nil
}

func (m *memory) Write(addr uint64, p []byte) error {
	m.written[addr] = slices.Clone(p)
	return nil
}

func (r *rig) write32(offset uint64, v uint32) {
	require.NoError(r.t, r.c.Write(client.BAR0, offset, client.U32(v)...))
}

func (r *rig) read32(offset uint64) uint32 {
	v, err := r.dev.Read32(offset)
	require.NoError(r.t, err)
	return v
}

// TestAccessIsAnsweredBeforeDMA: the card's DMA, which the client does not serve
// while it waits, holds up neither the write that begins it nor later accesses; its
// interrupt comes behind its writes.
func TestAccessIsAnsweredBeforeDMA(t *testing.T) {
	m := &stubs{}
	r := newRig(t, m.card)
	mem := &memory{map[uint64][]byte{}}
	r.c.Memory = mem
	_, err := r.c.Call(client.DMAMap, client.MapBody(3, 0, 0, 1<<32))
	require.NoError(t, err)
	require.NoError(t, r.dev.EnableVector(5))
	for range 10 {
		r.write32(regCopy, 1)
		for i := range uint32(3) {
			r.write32(0x200, i)
			require.Equal(t, i, r.read32(0x200))
		}
		require.NoError(t, r.dev.Wait(time.Second))
		want := make([]byte, 64)
		require.NoError(t, mem.Read(0x10000, want))
		require.Equal(t, map[uint64][]byte{0x20000: want}, mem.written)
		clear(mem.written)
	}
}

// TestDMAThatIsRefused is an unsupported request to the card, and a write that is
// lost.
func TestDMAThatIsRefused(t *testing.T) {
	m := &stubs{}
	r := newRig(t, m.card)
	require.NoError(t, r.dev.EnableVector(5))
	r.write32(regCopy, 1)
	require.Eventually(t, func() bool {
		r.read32(0) // time passes
		return func() (n int) { r.port.Inspect(func() { n = len(m.made[0].readErrs) }); return n }() > 0
	}, client.Patience, time.Millisecond)
	require.Equal(t, []link.Error{link.UnsupportedRequest}, m.made[0].readErrs)
}

// TestSizesOfAccesses: bytes become byte enables, eight bytes two registers.
func TestSizesOfAccesses(t *testing.T) {
	m := &stubs{}
	r := newRig(t, m.card)
	bytes := []byte{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}
	require.NoError(t, r.c.Write(client.BAR0, 0x200, bytes...))
	require.NoError(t, r.c.Write(client.BAR0, 0x201, 0xaa))
	require.NoError(t, r.c.Write(client.BAR0, 0x206, 0xbb, 0xcc))
	for _, c := range []struct {
		at   uint64
		n    int
		want []byte
	}{{0x200, 8, []byte{0x11, 0xaa, 0x33, 0x44, 0x55, 0x66, 0xbb, 0xcc}}, {0x201, 1, []byte{0xaa}}, {0x202, 2, []byte{0x33, 0x44}}, {0x203, 3, []byte{0x44, 0x55, 0x66}}} {
		got, err := r.c.Read(client.BAR0, c.at, c.n)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	r.port.Inspect(func() { require.Equal(t, []uint8{0xf, 0xf, 0x2, 0xc}, m.made[0].enables) })
	most, err := r.c.Read(client.BAR0, 0x200, 0x10000-0x200)
	require.NoError(t, err)
	require.Equal(t, []byte{0x11, 0xaa}, most[:2])
}

// TestReadsThatFail give all ones: of a register that is refused, one that is never
// answered, and a card that has failed.
func TestReadsThatFail(t *testing.T) {
	m := &stubs{}
	r := newRig(t, m.card)
	require.EqualValues(t, math.MaxUint32, r.read32(regRefuse))
	require.Zero(t, r.read32(0))
	require.EqualValues(t, math.MaxUint32, r.read32(regSilent))
	_, err := r.c.Call(client.Reset, nil) // registers answer in order
	require.NoError(t, err)
	require.EqualValues(t, 1, r.read32(0), "another card")
	r.write32(regFail, 1)
	require.EqualValues(t, math.MaxUint32, r.read32(regSilent))
}

// TestMSIXStructuresAreTheClients: what is written there does not reach the card.
func TestMSIXStructuresAreTheClients(t *testing.T) {
	m := &stubs{}
	r := newRig(t, m.card)
	table := link.DefaultEndpointConfig().MSIXOffset
	require.NoError(t, r.c.Write(client.BAR0, table+5*16, make([]byte, 16)...))
	got, err := r.c.Read(client.BAR0, table+5*16, 16)
	require.NoError(t, err)
	require.Equal(t, make([]byte, 16), got)
	require.NoError(t, r.dev.EnableVector(5))
	r.write32(regFire, 1)
	require.NoError(t, r.dev.Wait(time.Second))
}

// TestConfigurationSpace: a client finds the capabilities, and changes no bit that is
// read-only.
func TestConfigurationSpace(t *testing.T) {
	r := newRig(t, (&stubs{}).card)
	before, err := r.c.Read(client.Config, 0, vfiouser.ConfigSize)
	require.NoError(t, err)
	require.Equal(t, client.U32(0x484c1234), before[:4])
	var found []byte
	for at := before[0x34]; at != 0; at = before[at+1] {
		found = append(found, before[at])
	}
	require.Equal(t, []byte{0x10, 0x11}, found, "PCI Express, MSI-X")
	require.EqualValues(t, 15, before[0x82], "16 vectors")

	ones := make([]byte, vfiouser.ConfigSize)
	for i := range ones {
		if i != 0x49 { // of Device Control, where FLR is
			ones[i] = 0xff
		}
	}
	require.NoError(t, r.c.Write(client.Config, 0, ones...))
	after, err := r.c.Read(client.Config, 0, vfiouser.ConfigSize)
	require.NoError(t, err)
	changed := map[int]byte{}
	for i := range after {
		if after[i] != before[i] {
			changed[i] = after[i]
		}
	}
	require.Equal(t, map[int]byte{4: 0x47, 5: 0x05, 0x12: 0xff, 0x13: 0xff, 0x3c: 0xff, 0x48: 0xff, 0x50: 0xc8, 0x83: 0xc0, 0x49: 0}, changed, "BAR 0 of 64 KiB among them")
}

// TestFunctionLevelReset: the write of a bit is answered, and then there is another
// card, with no bus mastering.
func TestFunctionLevelReset(t *testing.T) {
	m := &stubs{}
	r := newRig(t, m.card)
	r.write32(0x200, 7)
	require.NoError(t, r.c.Write(client.Config, 0x48, 0x10, 0x28|0x80))
	require.EqualValues(t, 1, r.read32(0))
	require.Zero(t, r.read32(0x200))
	command, err := r.c.Read(client.Config, 4, 2)
	require.NoError(t, err)
	require.Equal(t, []byte{0, 0}, command)
	control, err := r.c.Read(client.Config, 0x48, 2)
	require.NoError(t, err)
	require.Equal(t, []byte{0x10, 0x28}, control, "the bit reads as 0")
	_, err = r.c.Call(client.Reset, nil)
	require.NoError(t, err)
	require.EqualValues(t, 2, r.read32(0))
}

// TestBusMasterHoldsDMA: what the card asks for before it is bus master goes out
// afterwards.
func TestBusMasterHoldsDMA(t *testing.T) {
	m := &stubs{}
	r := newRig(t, m.card)
	require.NoError(t, r.c.Write(client.Config, 4, 0, 0))
	require.NoError(t, r.dev.EnableVector(5))
	r.write32(regFire, 1)
	r.read32(0)
	require.ErrorContains(t, r.dev.Wait(0), "no interrupt")
	require.NoError(t, r.c.Write(client.Config, 4, 6, 0))
	require.NoError(t, r.dev.Wait(time.Second))
}

// TestResetWhileDMAWaits: of two reads the first one is with the client; its answer
// is not the new card's, and the second one is not sent any more.
func TestResetWhileDMAWaits(t *testing.T) {
	m := &stubs{}
	r := newRig(t, m.card)
	mem := &memory{map[uint64][]byte{}}
	r.c.Memory = mem
	_, err := r.c.Call(client.DMAMap, client.MapBody(3, 0, 0, 1<<32))
	require.NoError(t, err)
	r.write32(regCopy, 1)
	r.write32(regCopy, 1)
	require.Zero(t, r.read32(0), "both have been asked for")
	_, err = r.c.Call(client.Reset, nil)
	require.NoError(t, err)
	require.NoError(t, r.c.Write(client.Config, 4, 6))
	_, err = r.c.Pump(nil, 10*time.Millisecond)
	require.NoError(t, err)
	require.LessOrEqual(t, r.c.Served, 1)
	require.EqualValues(t, 1, r.read32(0))
	require.Empty(t, mem.written)
	r.port.Inspect(func() { require.Empty(t, m.made[1].readErrs) })
}

// TestDriverAfterReset: the driver opens a card again that was reset under it.
func TestDriverAfterReset(t *testing.T) {
	r := newRig(t, functional(arch.Small()))
	for range 2 {
		d, err := driver.Open(r.dev, driver.DefaultOptions())
		require.NoError(t, err)
		_, err = d.Do(driver.Fence())
		require.NoError(t, err)
		require.NoError(t, r.c.Write(client.Config, 0x49, 0x80))
		require.NoError(t, r.c.Write(client.Config, 4, 6))
	}
}

func TestConfigIsChecked(t *testing.T) {
	cfg := rootport.DefaultConfig()
	cfg.Latency = -1
	_, err := rootport.New(cfg, (&stubs{}).card, nil)
	require.EqualError(t, err, "rootport: memory latency -1ps, expected none to be negative")
	cfg = rootport.DefaultConfig()
	cfg.Link.Lanes = 3
	_, err = rootport.New(cfg, (&stubs{}).card, nil)
	require.EqualError(t, err, "link: 3 lanes, expected 1, 2, 4, 8 or 16")
}
