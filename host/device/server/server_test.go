package server_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// stub is a card with one writable register.
type stub struct {
	ep     *link.Endpoint
	value  uint32
	err    error
	writes []uint32
	reads  int
}

func (c *stub) Endpoint() *link.Endpoint { return c.ep }
func (c *stub) Err() error               { return c.err }

func (c *stub) ReadRegister(offset uint64, reply func(uint32, pcie.Status)) {
	reply(c.value+uint32(offset), pcie.SC)
}

func (c *stub) WriteRegister(_ uint64, value uint32, _ uint8, done func()) {
	c.value = value
	done()
}

func (c *stub) Configured(bool, bool)              {}
func (c *stub) Reset()                             {}
func (c *stub) ReadData(uint32, int, []byte, bool) {}
func (c *stub) ReadDone(uint32, link.Error)        { c.reads++ }
func (c *stub) WriteDone(id uint32, e link.Error)  { c.writes = append(c.writes, id) }
func (c *stub) write(addr uint64, data []byte)     { _ = c.ep.WriteRequest(addr, data, 7) }
func (c *stub) interruptAfter(s *server.Server, d des.Time) {
	s.Kernel.After(d, func() { c.ep.RaiseInterrupt(0) })
}

func newMachine(t *testing.T) (*server.Server, *server.Device, *stub) {
	cfg := server.DefaultConfig()
	cfg.GPUs = 2
	s, err := server.New(cfg)
	require.NoError(t, err)
	c := &stub{}
	c.ep, err = link.NewEndpoint(s.Kernel, cfg.Endpoint, c)
	require.NoError(t, err)
	dev, err := s.Insert(c)
	require.NoError(t, err)
	return s, dev, c
}

func TestRegistersAreTLPs(t *testing.T) {
	s, dev, _ := newMachine(t)
	before := s.Traffic()
	require.NoError(t, dev.Write32(8, 42))
	got, err := dev.Read32(16)
	require.NoError(t, err)
	require.EqualValues(t, 42+16, got)
	traffic := s.Traffic()
	require.EqualValues(t, 1, traffic.ToCard.Kinds[pcie.MWr])
	require.EqualValues(t, 1, traffic.ToCard.Kinds[pcie.MRd])
	require.EqualValues(t, 1, traffic.FromCard.Kinds[pcie.CplD]-before.FromCard.Kinds[pcie.CplD])
	require.EqualValues(t, 4, traffic.ToCard.PayloadBytes-before.ToCard.PayloadBytes)
	require.Positive(t, s.Kernel.Now())
}

// TestInsertEnumerates: configuration requests by the host determine the card's addresses and
// straps, whatever they were before.
func TestInsertEnumerates(t *testing.T) {
	cfg := server.DefaultConfig()
	cfg.Endpoint.Straps = link.Straps{MPS: 128, MRRS: 1024, RCB: 128, BusMaster: true}
	s, err := server.New(cfg)
	require.NoError(t, err)
	c, made := &stub{}, cfg.Endpoint
	made.BAR.Base, made.Straps = 0xd0000000, link.DefaultStraps()
	c.ep, err = link.NewEndpoint(s.Kernel, made, c)
	require.NoError(t, err)
	dev, err := s.Insert(c)
	require.NoError(t, err)
	require.Equal(t, cfg.Endpoint.Straps, c.ep.Straps())
	require.Equal(t, cfg.Root.Devices.Base, c.ep.BAR().Base)
	require.Less(t, s.Kernel.Now(), 50*des.Microsecond)
	traffic := s.Traffic()
	require.NotZero(t, traffic.ToCard.Kinds[pcie.CfgRd0])
	require.NotZero(t, traffic.ToCard.Kinds[pcie.CfgWr0])
	_, err = dev.Read32(0)
	require.NoError(t, err)

	cfg.Root.Devices.Size = 0x1000
	s, err = server.New(cfg)
	require.NoError(t, err)
	c.ep, err = link.NewEndpoint(s.Kernel, made, c)
	require.NoError(t, err)
	_, err = s.Insert(c)
	require.EqualError(t, err, "link: enumeration of 01:00.0: no place for a BAR of 0x10000 bytes in 0xfe000000+0x1000")
}

// TestCardThatDoesNotAnswer inserts a card at a function number that the enumeration does not find.
func TestCardThatDoesNotAnswer(t *testing.T) {
	cfg := server.DefaultConfig()
	cfg.Endpoint.ID = pcie.NewID(1, 0, 1)
	s, err := server.New(cfg)
	require.NoError(t, err)
	c := &stub{}
	c.ep, err = link.NewEndpoint(s.Kernel, cfg.Endpoint, c)
	require.NoError(t, err)
	_, err = s.Insert(c)
	require.EqualError(t, err, "server: the device at 01:00.1 does not answer")
}

func TestWait(t *testing.T) {
	s, dev, c := newMachine(t)
	require.NoError(t, dev.EnableVector(0))
	begin := s.Kernel.Now()
	c.interruptAfter(s, 5*des.Microsecond)
	require.NoError(t, dev.Wait(time.Millisecond))
	require.Greater(t, s.Kernel.Now()-begin, 5*des.Microsecond)
	require.Less(t, s.Kernel.Now()-begin, 7*des.Microsecond)
	idle := s.Kernel.Now()
	err := dev.Wait(time.Millisecond)
	require.ErrorIs(t, err, des.ErrDeadlock, "nothing is left that could happen")
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.Equal(t, idle+des.Millisecond, s.Kernel.Now())

	// An interrupt before the wait counts.
	c.interruptAfter(s, 0)
	require.NoError(t, s.Kernel.RunTo(s.Kernel.Now()+10*des.Microsecond))
	require.NoError(t, dev.Wait(0))

	start := s.Kernel.Now()
	var tick func()
	tick = func() { s.Kernel.After(des.Microsecond, tick) }
	tick()
	err = dev.Wait(50500 * time.Nanosecond) // between two events
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NotErrorIs(t, err, des.ErrDeadlock)
	end := start + 50500*des.Nanosecond
	require.EqualError(t, err, fmt.Sprintf("server: no interrupt from %v to %v: i/o timeout", start, end))
	require.Equal(t, end, s.Kernel.Now())

	c.err = errStopped
	require.Equal(t, errStopped, dev.Wait(time.Second))
	require.Zero(t, s.SpuriousInterrupts())
}

var errStopped = &link.AccessError{}

func TestInterruptsNobodyEnabled(t *testing.T) {
	s, dev, c := newMachine(t)
	require.NoError(t, c.ep.SetVector(3, s.Config.Root.Interrupts.Base, 99, false))
	c.ep.RaiseInterrupt(3)
	require.ErrorIs(t, dev.Wait(time.Second), des.ErrDeadlock)
	require.Equal(t, 1, s.SpuriousInterrupts())
	require.EqualError(t, dev.EnableVector(16), "server: MSI-X vector 16, expected 0 to 15")
}

// TestFlushWaitsForWrites fills the path to a slow GPU with writes.
func TestFlushWaitsForWrites(t *testing.T) {
	cfg := server.DefaultConfig()
	cfg.GPUs = 2
	cfg.GPULink.Lanes = 1
	s, err := server.New(cfg)
	require.NoError(t, err)
	c := &stub{}
	c.ep, err = link.NewEndpoint(s.Kernel, cfg.Endpoint, c)
	require.NoError(t, err)
	dev, err := s.Insert(c)
	require.NoError(t, err)
	require.NoError(t, dev.EnableVector(0))

	landing := s.GPUs[1].Memory.Alloc("landing", 1<<14)
	data := make([]byte, 1<<14)
	for i := range data {
		data[i] = 0xa5
	}
	c.write(landing.Address(), data)
	c.ep.RaiseInterrupt(0)
	require.NoError(t, dev.Wait(time.Second))
	got := make([]byte, len(data))
	require.NoError(t, landing.Read(0, got))
	require.NotEqual(t, data, got, "the interrupt is faster than the writes")
	require.NoError(t, s.FlushGPUs())
	require.NoError(t, landing.Read(0, got))
	require.Equal(t, data, got)
}

// TestPeersDoNotCrossTheRoot: with a slow uplink from the switch to the root complex, the
// accelerator still accesses a GPU quickly.
func TestPeersDoNotCrossTheRoot(t *testing.T) {
	cfg := server.DefaultConfig()
	cfg.Uplink.LatencyUp, cfg.Uplink.LatencyDown = des.Millisecond, des.Millisecond
	s, err := server.New(cfg)
	require.NoError(t, err)
	c := &stub{}
	c.ep, err = link.NewEndpoint(s.Kernel, cfg.Endpoint, c)
	require.NoError(t, err)
	_, err = s.Insert(c)
	require.NoError(t, err)
	for g := range s.GPUs {
		landing := s.GPUs[g].Memory.Alloc("landing", 64)
		c.write(landing.Address(), []byte{1, 2, 3, 4})
		require.NoError(t, c.ep.ReadRequest(landing.Address(), 64, 3))
		require.NoError(t, s.Kernel.RunTo(s.Kernel.Now()+10*des.Microsecond))
		got := make([]byte, 4)
		require.NoError(t, landing.Read(0, got))
		require.Equal(t, []byte{1, 2, 3, 4}, got)
		require.Equal(t, g+1, c.reads)
	}
}

func TestRegions(t *testing.T) {
	s, dev, _ := newMachine(t)
	a := s.Host.Alloc("a", 100)
	b := s.Host.Alloc("b", 1)
	require.Equal(t, a.Address()+pcie.Boundary, b.Address())
	require.GreaterOrEqual(t, a.Address(), uint64(4<<30), "behind all windows")
	require.Equal(t, 100, a.Size())

	require.NoError(t, a.WriteFloat32s(4, []float32{1, -2}))
	words := make([]uint32, 3)
	require.NoError(t, a.ReadUint32s(0, words))
	require.Equal(t, []uint32{0, 0x3f800000, 0xc0000000}, words)
	require.NoError(t, a.WriteUint32s(96, words[1:2]))
	floats := make([]float32, 1)
	require.NoError(t, a.ReadFloat32s(96, floats))
	require.EqualValues(t, 1, floats[0])

	require.EqualError(t, a.ReadFloat32s(100, floats), "server: host memory: read of 4 bytes at 100 of a, which has 100")
	require.EqualError(t, a.Write(-1, []byte{1}), "server: host memory: write of 1 bytes at -1 of a, which has 100")
	require.Error(t, a.WriteUint32s(96, words))
	require.Error(t, a.Read(99, make([]byte, 2)))
	require.Error(t, a.WriteFloat32s(97, floats))
	require.Error(t, a.ReadUint32s(97, words[:1]))

	dma, err := dev.AllocDMA(10)
	require.NoError(t, err)
	require.Equal(t, b.Address()+pcie.Boundary, dma.Address())
}

func TestRegionsOfRows(t *testing.T) {
	s, _, _ := newMachine(t)
	before := s.Host.Alloc("before", 10000)
	require.NoError(t, before.Write(0, []byte{1}))
	rows := func(value byte) *server.Region {
		r := s.Host.AllocRows("rows", 3, 100, func(row int, p []byte) {
			for i := range p {
				p[i] = value + byte(row)
			}
		})
		require.Equal(t, 300, r.Size())
		return r
	}
	a, b := rows(10), rows(20)
	get := func(r *server.Region, offset int) byte {
		p := make([]byte, 1)
		require.NoError(t, r.Read(offset, p))
		return p[0]
	}
	require.EqualValues(t, 21, get(b, 100))
	require.NoError(t, a.Write(201, []byte{99}))
	require.EqualValues(t, 12, get(a, 200))
	require.EqualValues(t, 99, get(a, 201))
	require.EqualValues(t, 10, get(a, 5))
	require.EqualValues(t, 0, get(before, 9999))
	require.Equal(t, []int{0, 2}, slices.Collect(a.TouchedRows()))
	require.Equal(t, []int{1}, slices.Collect(b.TouchedRows()))
	after := s.Host.Alloc("after", 10)
	require.EqualValues(t, 0, get(after, 0))
}

// TestRegionsInTheirPlace: with Config.Place, all regions are stored there and their rows are
// filled, with or without values. Fits reports a region that cannot be placed like an out-of-memory
// condition.
func TestRegionsInTheirPlace(t *testing.T) {
	placed := map[uint64][]byte{}
	cfg := server.DefaultConfig()
	cfg.GPUs = 2
	cfg.Place = func(addr uint64, n int) ([]byte, error) {
		placed[addr] = make([]byte, n)
		return placed[addr], nil
	}
	for _, cfg.Valueless = range []bool{false, true} {
		clear(placed)
		s, err := server.New(cfg)
		require.NoError(t, err)
		plain := s.Host.Alloc("plain", 10)
		rows := s.GPUs[1].Memory.AllocRows("rows", 3, 4, func(row int, p []byte) { p[0] = byte(row) })
		require.NoError(t, s.Fits())
		require.Len(t, placed, 2)
		require.Len(t, placed[plain.Address()], 10)
		require.NoError(t, plain.Write(8, []byte{1, 2}))
		require.Equal(t, []byte{1, 2}, placed[plain.Address()][8:])
		if cfg.Valueless {
			require.Equal(t, make([]byte, 12), placed[rows.Address()])
			require.Empty(t, slices.Collect(rows.TouchedRows()))
			continue
		}
		require.Equal(t, []byte{0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}, placed[rows.Address()])
		require.Equal(t, []int{0, 1, 2}, slices.Collect(rows.TouchedRows()))

		s.GPUs[0].Memory.Alloc("much", 17<<30)
		require.Len(t, placed, 2, "nothing is placed that does not fit")
		full := &server.OutOfMemory{}
		require.ErrorAs(t, s.Fits(), &full)
	}

	cfg.Place = func(uint64, int) ([]byte, error) { return nil, os.ErrPermission }
	s, err := server.New(cfg)
	require.NoError(t, err)
	require.NoError(t, s.Fits())
	s.GPUs[0].Memory.Alloc("plain", 10)
	s.GPUs[0].Memory.Alloc("another", 10)
	require.ErrorIs(t, s.Fits(), os.ErrPermission)
	require.ErrorContains(t, s.Fits(), "server: place of plain in GPU 0 memory")
}

// TestOutOfMemory: the error lists all allocations in the memory.
func TestOutOfMemory(t *testing.T) {
	s, _, _ := newMachine(t)
	require.NoError(t, s.Fits())
	gpu := s.GPUs[1].Memory
	gpu.Alloc("rows", 10<<30)
	gpu.Reserve("states", 6<<30)
	require.NoError(t, s.Fits(), "16 GiB")
	gpu.Reserve("mail", 1)
	r := gpu.Alloc("rows", 1<<30)
	err := s.Fits()
	require.EqualError(t, err, "server: GPU 1 memory needs 18253615104 bytes, but has 17179869184: 11811160064 for rows, 6442450944 for states, 4096 for mail")
	full := &server.OutOfMemory{}
	require.ErrorAs(t, err, &full)
	require.Equal(t, &server.OutOfMemory{Where: "GPU 1 memory", Needs: 17<<30 + 4096, Has: 16 << 30,
		Parts: []server.Part{{What: "rows", Bytes: 11 << 30}, {What: "states", Bytes: 6 << 30}, {What: "mail", Bytes: 4096}}}, full)
	require.ErrorContains(t, r.Write(0, []byte{1}), "the memory ends at")

	s, dev, _ := newMachine(t)
	_, err = dev.AllocDMA(188 << 30) // all memory above 4 GiB
	require.NoError(t, err)
	require.NoError(t, s.Fits())
	_, err = dev.AllocDMA(1)
	require.EqualError(t, err, "server: host memory needs 201863467008 bytes, but has 201863462912: 201863467008 for DMA buffers")
}

// TestValuelessRegionsHoldZeros: a machine without values holds zeros in rows that are otherwise
// filled.
func TestValuelessRegionsHoldZeros(t *testing.T) {
	cfg := server.DefaultConfig()
	cfg.Valueless = true
	s, err := server.New(cfg)
	require.NoError(t, err)
	for _, space := range []*server.Space{s.Host, s.GPUs[3].Memory} {
		r := space.AllocRows("rows", 5, 2, func(int, []byte) { t.Fatal("filled") })
		p := []byte{1, 2}
		require.NoError(t, r.Read(8, p))
		require.Equal(t, []byte{0, 0}, p)
		require.NoError(t, r.Write(8, []byte{0, 3}))
		require.NoError(t, r.Read(8, p))
		require.Equal(t, []byte{0, 3}, p, "what is written is there")
		require.Empty(t, slices.Collect(r.TouchedRows()))
	}
}

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []struct {
		change func(*server.Config)
		want   string
	}{
		{func(c *server.Config) { c.HostGiB = 4 }, "server: 4 GiB of host memory, expected 5 to 4096"},
		{func(c *server.Config) { c.GPUs = 17 }, "server: 17 GPUs, expected 1 to 16"},
		{func(c *server.Config) { c.GPUs = 0 }, "server: 0 GPUs, expected 1 to 16"},
		{func(c *server.Config) { c.GPUMemoryGiB = 160 }, "server: GPUs with 160 GiB, expected above 0 and at most 128"},
		{func(c *server.Config) { c.Period = 0 }, "server: clock period 0s, expected above 0"},
		{func(c *server.Config) { c.SwitchLatency = -1 }, "server: switch latency -1ps, expected 0 or more"},
		{func(c *server.Config) { c.Uplink.Lanes = 3 }, "link: lanes is 3; expected a power of two from 1 to 16"},
		{func(c *server.Config) { c.GPULink.Generation = 9 }, "link: generation is 9; expected 1 to 5"},
		{func(c *server.Config) { c.GPUMemory.Granule = 0 }, "link: memory granule 0, expected at least 1"},
		{func(c *server.Config) { c.Root.CompletionTimeout = 0 }, ""},
	} {
		cfg := server.DefaultConfig()
		c.change(&cfg)
		_, err := server.New(cfg)
		require.Error(t, err)
		if c.want != "" {
			require.EqualError(t, err, c.want)
		}
	}
}

func TestOneCardOnly(t *testing.T) {
	s, _, c := newMachine(t)
	_, err := s.Insert(c)
	require.EqualError(t, err, "server: the slot has a device already")
	require.NotNil(t, s.Slot())
	empty, err := server.New(server.DefaultConfig())
	require.NoError(t, err)
	require.Zero(t, empty.Traffic())
}
