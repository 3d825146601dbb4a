//go:build linux

package rootport_test

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// stub is a card with writable registers. Writes of some registers trigger actions: copy 64 bytes
// from 0x10000 to 0x20000, fire vector 5, never answer, or DMA. The DMA reads or writes regCount
// bytes at regAddr.
type stub struct {
	ep       *link.Endpoint
	k        *des.Kernel
	regs     map[uint64]uint32
	read     []byte   // data of the latest DMA read
	readWhen []uint32 // value of regMark at the end of each DMA read
	marks    []uint32 // values written to regMark
	enables  []uint8  // byte enables of writes
	err      error
	readErrs []link.Error
	resets   int
}

const (
	regCopy   = 0x100
	regFire   = 0x104
	regSilent = 0x108
	regRefuse = 0x10c
	regFail   = 0x110

	regAddr   = 0x120 // low half, high half
	regCount  = 0x128 // in bytes
	regValue  = 0x12c // value of each DW that regWrite writes
	regWrite  = 0x130 // triggers a write
	regRead   = 0x134 // triggers a read
	regMark   = 0x138
	regSlow   = 0x13c // a read takes 5 us and writes meanwhile
	regMoment = 5 * des.Microsecond
)

func (c *stub) Endpoint() *link.Endpoint { return c.ep }
func (c *stub) Err() error               { return c.err }
func (c *stub) Configured(_, _ bool)     {}
func (c *stub) Reset()                   { c.resets++ }

func (c *stub) ReadRegister(offset uint64, reply func(uint32, pcie.Status)) {
	switch offset {
	case regSilent:
	case regRefuse:
		reply(0, pcie.CA)
	case regSlow:
		c.k.After(regMoment/2, c.write)
		c.k.After(regMoment, func() { reply(c.regs[offset], pcie.SC) })
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
	case regMark:
		c.marks = append(c.marks, value)
	case regWrite:
		c.write()
	case regRead:
		c.read = nil
		_ = c.ep.ReadRequest(c.address(), int(c.regs[regCount]), regRead)
	}
	done()
}

// address returns the target address of DMA.
func (c *stub) address() uint64 { return uint64(c.regs[regAddr]) | uint64(c.regs[regAddr+4])<<32 }

// write performs the DMA of regWrite.
func (c *stub) write() {
	data := slices.Repeat(client.U32(c.regs[regValue]), int(c.regs[regCount]+3)/4)
	_ = c.ep.WriteRequest(c.address(), data[:c.regs[regCount]], 0)
}

func (c *stub) ReadData(id uint32, offset int, data []byte, last bool) {
	if id == regRead {
		c.read = append(c.read, data...)
		return
	}
	_ = c.ep.WriteRequest(0x20000+uint64(offset), data, 0)
	if last {
		c.ep.RaiseInterrupt(5)
	}
}

func (c *stub) ReadDone(_ uint32, e link.Error) {
	c.readErrs, c.readWhen = append(c.readErrs, e), append(c.readWhen, c.regs[regMark])
}
func (c *stub) WriteDone(_ uint32, _ link.Error) {}

// space reads the configuration space.
func (r *harness) space() []byte {
	b, err := r.c.Read(client.Config, 0, config.Size)
	require.NoError(r.t, err)
	return b
}

var le = binary.LittleEndian

// stubs creates cards and records them.
type stubs struct{ made []*stub }

func (m *stubs) card(k *des.Kernel, cfg link.EndpointConfig) (rootport.Card, error) {
	c := &stub{k: k, regs: map[uint64]uint32{0: uint32(len(m.made))}}
	var err error
	c.ep, err = link.NewEndpoint(k, cfg, c)
	m.made = append(m.made, c)
	return c, err
}

// TestNextClientsMemory: pending DMA of a former client's card does not access the memory of the
// next client at the same addresses.
func TestNextClientsMemory(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	for range 10 {
		r.share(0x100000, 0x10000)
		r.byMessages(0x200000, 0x1000)
		r.dma(regRead, 0x200000, 64, 0) // the client holds the read
		_, err := r.c.Take(client.Patience)
		require.NoError(t, err)
		for _, x := range [][2]uint32{{regAddr, 0x100000}, {regCount, 0x8000}, {regValue, 7}} {
			r.write32(uint64(x[0]), x[1])
		}
		for range 100 {
			require.NoError(t, r.c.Post(client.RegionWrite, client.AccessBody(regWrite, client.BAR0, 4, client.U32(1)...)))
			require.NoError(t, r.c.Post(client.RegionWrite, client.AccessBody(regFire, client.BAR0, 4, client.U32(1)...)))
		}
		require.NoError(t, r.c.Close())

		r.c, err = client.Open(r.path)
		require.NoError(t, err)
		f := r.share(0x100000, 0x10000)
		require.Equal(t, []byte{0, 0}, r.space()[4:6], "the function has been reset")
		r.dev, err = client.NewDevice(r.c)
		require.NoError(t, err)
		fired := r.event(5)
		for range 10 {
			r.read32(0)
		}
		memory := make([]byte, 0x10000)
		_, err = f.ReadAt(memory, 0)
		require.NoError(t, err)
		require.Equal(t, make([]byte, 0x10000), memory)
		require.Zero(t, fired.Count())
		require.Zero(t, r.c.Served)
		require.NoError(t, r.c.Close())
		r.c, err = client.Open(r.path)
		require.NoError(t, err)
		require.NoError(t, r.c.Write(client.Config, 4, 6))
	}
}

// memory answers reads with a pattern derived from the address.
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

func (r *harness) write32(offset uint64, v uint32) {
	require.NoError(r.t, r.c.Write(client.BAR0, offset, client.U32(v)...))
}

func (r *harness) read32(offset uint64) uint32 {
	b, err := r.c.Read(client.BAR0, offset, 4)
	require.NoError(r.t, err)
	return le.Uint32(b)
}

// TestAccessIsAnsweredBeforeDMA: DMA that the client does not serve while it waits delays neither
// the write that starts it nor later accesses. The card's interrupt arrives after its writes.
func TestAccessIsAnsweredBeforeDMA(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
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

// TestDMAThatIsRefused: for refused DMA, the card gets an unsupported request for a read, and a
// write is lost.
func TestDMAThatIsRefused(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	require.NoError(t, r.dev.EnableVector(5))
	r.write32(regCopy, 1)
	require.Eventually(t, func() bool {
		r.read32(0) // lets simulated time pass
		return func() (n int) { r.port.Inspect(func() { n = len(m.made[0].readErrs) }); return n }() > 0
	}, client.Patience, time.Millisecond)
	require.Equal(t, []link.Error{link.UnsupportedRequest}, m.made[0].readErrs)
}

// TestSizesOfAccesses: partial accesses become byte enables, and eight bytes become two register
// accesses.
func TestSizesOfAccesses(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
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

// TestReadsThatFail: a failed read returns all ones. This covers a refused register, a register
// that never answers, and a failed card.
func TestReadsThatFail(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	require.EqualValues(t, math.MaxUint32, r.read32(regRefuse))
	require.Zero(t, r.read32(0))
	require.EqualValues(t, math.MaxUint32, r.read32(regSilent))
	_, err := r.c.Call(client.Reset, nil) // registers answer in order
	require.NoError(t, err)
	require.EqualValues(t, math.MaxUint32, r.read32(0), "nobody has set it up")
	require.NoError(t, r.c.Write(client.Config, 4, 6))
	require.EqualValues(t, 1, r.read32(0), "another card")
	r.write32(regFail, 1)
	require.EqualValues(t, math.MaxUint32, r.read32(regSilent))
}

// TestMSIXStructuresAreTheClients: writes to the MSI-X structures do not reach the card.
func TestMSIXStructuresAreTheClients(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	table := link.DefaultEndpointConfig().MSIXOffset
	require.NoError(t, r.c.Write(client.BAR0, table+5*16, make([]byte, 16)...))
	got, err := r.c.Read(client.BAR0, table+5*16, 16)
	require.NoError(t, err)
	require.Equal(t, make([]byte, 16), got)
	require.NoError(t, r.dev.EnableVector(5))
	r.write32(regFire, 1)
	require.NoError(t, r.dev.Wait(time.Second))
}

// TestConfigurationSpace: a client sees the card's own space with accesses of any size and
// alignment, and changes no read-only bit. The contents are tested in host/pcie/config.
func TestConfigurationSpace(t *testing.T) {
	r := newHarness(t, (&stubs{}).card)
	before := r.space()
	require.Equal(t, []byte{0x4c, 0x48, 0x4f, 0x48}, before[:4])
	require.EqualValues(t, 3|16<<4, le.Uint16(before[0x72:])&0x3ff, "the link that it is on")
	for _, c := range []struct{ at, n int }{{0x00, 1}, {0x06, 2}, {0x33, 2}, {0x61, 7}, {0xffd, 3}} {
		got, err := r.c.Read(client.Config, uint64(c.at), c.n)
		require.NoError(t, err)
		require.Equal(t, before[c.at:c.at+c.n], got)
	}

	ones := make([]byte, config.Size)
	for i := range ones {
		if i != 0x44 && i != 0x69 { // power states and FLR
			ones[i] = 0xff
		}
	}
	require.NoError(t, r.c.Write(client.Config, 0, ones...))
	same, err := config.New(config.DefaultFunction())
	require.NoError(t, err)
	same.SetLink(3, 16)
	_, err = same.Write(0, ones)
	require.NoError(t, err)
	want := make([]byte, config.Size)
	require.NoError(t, same.Read(0, want))
	require.Equal(t, want, r.space())
	require.NoError(t, r.c.Write(client.Config, 0x11, 0, 0x80))
	require.Equal(t, []byte{0, 0, 0x80, 0xff}, r.space()[0x10:0x14], "two bytes of a register")
}

// TestSleep: registers do not answer in D3hot, and answer again in D0.
func TestSleep(t *testing.T) {
	r := newHarness(t, (&stubs{}).card)
	require.NoError(t, r.c.Write(client.Config, 0x44, 3))
	require.EqualValues(t, math.MaxUint32, r.read32(0))
	require.NoError(t, r.c.Write(client.Config, 0x44, 0))
	require.Zero(t, r.read32(0))
}

// TestSilentCard: the configuration space of a card that does not answer reads as all ones.
func TestSilentCard(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	r.port.Inspect(func() { m.made[0].ep.Port().Link().SetUp(false) })
	require.Equal(t, []byte{0xff, 0xff}, r.space()[:2])
}

// TestFunctionLevelReset: the write that triggers the reset is answered. Afterwards the function is
// in its power-on state, without bus mastering. Interrupts work after they are enabled again. A
// reset replaces the card.
func TestFunctionLevelReset(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	require.NoError(t, r.dev.EnableVector(5))
	require.NoError(t, r.c.Write(client.Config, 0x69, 0x28|0x80))
	require.Equal(t, []byte{0, 0}, r.space()[4:6], "command")
	require.Equal(t, []byte{0x00, 0x20}, r.space()[0x68:0x6a], "the bit reads as 0")
	r.port.Inspect(func() { require.Equal(t, 1, m.made[0].resets) })
	require.NoError(t, r.c.Write(client.Config, 4, 6))
	require.NoError(t, r.dev.EnableVector(5))
	r.write32(regFire, 1)
	require.NoError(t, r.dev.Wait(time.Second))

	_, err := r.c.Call(client.Reset, nil)
	require.NoError(t, err)
	require.NoError(t, r.c.Write(client.Config, 4, 6))
	require.EqualValues(t, 1, r.read32(0))
}

// TestResetsFromOutside: the card works after each kind of reset of the driver's interface.
func TestResetsFromOutside(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	for _, kind := range []driver.ResetKind{driver.FunctionReset, driver.BusReset} {
		require.NoError(t, r.dev.Reset(kind))
		require.NoError(t, r.dev.EnableVector(5))
		r.write32(regFire, 1)
		require.NoError(t, r.dev.Wait(time.Second))
	}
	r.port.Inspect(func() { require.Equal(t, 1, m.made[0].resets) })
	require.EqualValues(t, 1, r.read32(0), "a bus reset brings another card")
}

// TestTimeGoesOn: the simulated time of a replacement card starts where the time of the previous
// card ended.
func TestTimeGoesOn(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	r.read32(0)
	before := r.now()
	require.Positive(t, before)
	_, err := r.c.Call(client.Reset, nil)
	require.NoError(t, err)
	require.GreaterOrEqual(t, r.now(), before)
}

// now returns the simulated time of the card.
func (r *harness) now() (at des.Time) {
	r.port.Inspect(func() { at = r.port.Now() })
	return at
}

// TestBusMasterHoldsDMA: DMA requested before bus mastering is enabled is sent afterwards.
func TestBusMasterHoldsDMA(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	require.NoError(t, r.c.Write(client.Config, 4, 2, 0))
	require.NoError(t, r.dev.EnableVector(5))
	r.write32(regFire, 1)
	r.read32(0)
	require.ErrorContains(t, r.dev.Wait(0), "no interrupt")
	require.NoError(t, r.c.Write(client.Config, 4, 6, 0))
	require.NoError(t, r.dev.Wait(time.Second))
}

// TestResetWhileDMAWaits: answers to reads that are in flight at a reset do not reach the new card.
func TestResetWhileDMAWaits(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
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
	require.Equal(t, 2, r.c.Served)
	require.EqualValues(t, 1, r.read32(0))
	require.Empty(t, mem.written)
	r.port.Inspect(func() { require.Empty(t, m.made[1].readErrs) })
}

// TestFunctionLevelResetWhileDMAWaits: after a function-level reset with reads in flight, later DMA
// of the same card works.
func TestFunctionLevelResetWhileDMAWaits(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	mem := &memory{map[uint64][]byte{}}
	r.c.Memory = mem
	_, err := r.c.Call(client.DMAMap, client.MapBody(3, 0, 0, 1<<32))
	require.NoError(t, err)
	for range 3 {
		r.write32(regCopy, 1)
	}
	require.Zero(t, r.read32(0), "all have been asked for")
	require.NoError(t, r.dev.Reset(driver.FunctionReset))
	_, err = r.c.Pump(nil, 10*time.Millisecond)
	require.NoError(t, err)
	require.Equal(t, 3, r.c.Served)
	require.Empty(t, mem.written)
	r.port.Inspect(func() { require.Equal(t, []link.Error{link.FLR, link.FLR, link.FLR}, m.made[0].readErrs) })

	require.NoError(t, r.dev.EnableVector(5))
	r.write32(regCopy, 1)
	require.NoError(t, r.dev.Wait(time.Second))
	require.NotEmpty(t, mem.written[0x20000])
}

// TestDriverAfterReset: the driver can reopen a card that was reset while it was open.
func TestDriverAfterReset(t *testing.T) {
	r := newHarness(t, newFunctional(arch.Small()))
	for range 2 {
		d, err := driver.Open(r.dev, driver.DefaultOptions())
		require.NoError(t, err)
		_, err = d.Do(driver.Fence())
		require.NoError(t, err)
		require.NoError(t, r.dev.Reset(driver.FunctionReset))
	}
}

func TestConfigIsChecked(t *testing.T) {
	cfg := rootport.DefaultConfig()
	cfg.Latency = -1
	_, err := rootport.New(cfg, (&stubs{}).card, nil)
	require.EqualError(t, err, "rootport: memory latency -1ps, expected 0 or more")
	cfg = rootport.DefaultConfig()
	cfg.Link.Lanes = 3
	_, err = rootport.New(cfg, (&stubs{}).card, nil)
	require.EqualError(t, err, "link: lanes is 3; expected a power of two from 1 to 16")
}
