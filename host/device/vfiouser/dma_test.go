//go:build linux

package vfiouser_test

import (
	"bytes"
	"math"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfiouser"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

// unmap sends an unmapping, which must succeed.
func (r *harness) unmap(c *client.Client, flags uint32, addr, size uint64) {
	_, err := c.Call(client.DMAUnmap, client.UnmapBody(flags, addr, size))
	require.NoError(r.t, err)
}

// reaches makes the toy read at an address and returns the outcome.
func (r *harness) reaches(c *client.Client, addr uint64) error {
	r.dma(c, toyRead, addr, 4, 0)
	return r.outcome(c)
}

// TestDMAByMessages: memory without a file is accessed by messages. The register write that starts
// the DMA is answered first, because the client serves no DMA while it waits; otherwise both would
// deadlock.
func TestDMAByMessages(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	memory := &area{0x10000, bytes.Repeat([]byte{7}, 0x2000)}
	c.Memory = memory
	_, err := c.Call(client.DMAMap, client.MapBody(3, 0, 0x10000, 0x1000))
	require.NoError(t, err)
	_, err = c.Call(client.DMAMap, client.MapBody(3, 0, 0x11000, 0x1000))
	require.NoError(t, err)
	r.dma(c, toyRead, 0x10ff0, 0x20, 0)
	require.NoError(t, r.outcome(c))
	require.Equal(t, 2, c.Served, "one for each window")
	require.Equal(t, bytes.Repeat([]byte{7}, 0x20), r.toy.buffer(0x20))
	r.toy.fill(9)
	r.dma(c, toyWrite, 0x11ffe, 2, 0)
	require.NoError(t, r.outcome(c))
	require.Equal(t, []byte{7, 7, 9, 7}, memory.data[0x1ffc:])

	// A rejection by the client is an error of the DMA, not of the connection.
	memory.data = memory.data[:0x1000]
	require.Equal(t, syscall.EFAULT, r.reaches(c, 0x11000))
	require.NoError(t, r.reaches(c, 0x10000))
}

// TestUnmapDoesNotWaitForMessages: a client that waits for the answer to an unmapping does not
// answer DMA meanwhile.
func TestUnmapDoesNotWaitForMessages(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	c.Memory = &area{0, make([]byte, 0x1000)}
	_, err := c.Call(client.DMAMap, client.MapBody(3, 0, 0, 0x1000))
	require.NoError(t, err)
	r.dma(c, toyRead, 0, 8, 0)
	r.unmap(c, 0, 0, 0x1000)
	_ = r.outcome(c) // the result depends on the timing
}

// TestReaderDoesNotWaitForTheDevice: while the device is busy with an access, the server receives
// the answer to the device's write.
func TestReaderDoesNotWaitForTheDevice(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	c.Memory = &area{0, make([]byte, 0x1000)}
	_, err := c.Call(client.DMAMap, client.MapBody(3, 0, 0, 0x1000))
	require.NoError(t, err)
	inside := func() { r.toy.outcomes <- ended(r.toy.host.WriteDMA, 0, make([]byte, 8)) }
	look(r.toy, func() bool { r.toy.inside = inside; return true })
	require.NoError(t, c.Post(client.RegionWrite, client.AccessBody(0, client.BAR0, 1, 1)))
	require.NoError(t, r.outcome(c))
}

// TestMessagesForSharedMemory: while a write by message is unanswered, later writes also use
// messages, so that the client sees them in order. If a client rejects messages for memory that it
// shares, the data still arrives there before an interrupt.
func TestMessagesForSharedMemory(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	f := r.memory(0x1000)
	r.mapped(c, f, 3, 0, 0x10000, 0x1000)
	_, err := c.Call(client.DMAMap, client.MapBody(3, 0, 0x20000, 0x1000))
	require.NoError(t, err)
	fired := r.event(c, 2)
	c.Memory = &area{0x20000, make([]byte, 0x1000)} // does not cover 0x10000
	r.toy.fill(5)
	done := make(chan error, 3)
	early := uint64(0) // number of interrupts before the end of a write
	for _, addr := range []uint64{0x20000, 0x10000} {
		r.toy.host.WriteDMA(addr, []byte{5}, func(err error) {
			early += fired.Count()
			done <- err
		})
	}
	p := make([]byte, 1)
	r.toy.host.ReadDMA(0x10000, p, func(err error) { done <- err })
	require.NoError(t, r.toy.host.Interrupt(2))
	word := make([]byte, 1)
	for _, want := range []uint16{client.DMAWrite, client.DMAWrite, client.DMARead} {
		_, err = f.ReadAt(word, 0)
		require.NoError(t, err)
		require.Equal(t, want == client.DMARead, word[0] == 5)
		m, err := c.Take(client.Patience)
		require.NoError(t, err)
		require.Equal(t, want, m.Command)
		if want == client.DMARead {
			require.Eventually(t, func() bool { return fired.Count() == 1 }, client.Patience, time.Millisecond)
		}
		require.NoError(t, c.Serve(m))
		require.NoError(t, <-done)
	}
	require.Equal(t, []byte{5}, p)
	require.Zero(t, early)
	require.Equal(t, 3, c.Served)
	r.toy.host.WriteDMA(0x10000, []byte{6}, func(err error) { done <- err })
	require.NoError(t, <-done)
	require.Equal(t, 3, c.Served, "no message was needed")
}

// TestTransferSize: a DMA is split into messages of the client's maximum size.
func TestTransferSize(t *testing.T) {
	r := newHarness(t)
	c, err := client.Dial(r.path)
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	_, err = c.Call(client.Version, append(client.U32(0), `{"capabilities":{"max_data_xfer_size":100}}`+"\x00"...))
	require.NoError(t, err)
	c.Memory = &area{0, make([]byte, 0x1000)}
	_, err = c.Call(client.DMAMap, client.MapBody(3, 0, 0, 0x1000))
	require.NoError(t, err)
	r.dma(c, toyRead, 0, 301, 0)
	require.NoError(t, r.outcome(c))
	require.Equal(t, 4, c.Served)
}

// TestPagesOfOneFile: with a guest IOMMU every page is a window with a separate file descriptor. A
// transfer is split at windows, and only one file descriptor is kept.
func TestPagesOfOneFile(t *testing.T) {
	const pages, base = 32, 1 << 40
	r := newHarness(t)
	c := r.connect()
	f := r.memory(pages * 4096)
	before := descriptors(t)
	for i := range uint64(pages) {
		_, err := f.WriteAt(bytes.Repeat([]byte{byte(i)}, 4096), int64(i)*4096)
		require.NoError(t, err)
		r.mapped(c, f, 3, i*4096, base+(pages-1-i)*4096, 4096)
	}
	require.Equal(t, before+1, descriptors(t))
	r.dma(c, toyRead, base+4096-3, 6, 0)
	require.NoError(t, r.outcome(c))
	require.Equal(t, []byte{31, 31, 31, 30, 30, 30}, r.toy.buffer(6))
	r.dma(c, toyWrite, base+2*4096-3, 6, 0)
	require.NoError(t, r.outcome(c))
	got := make([]byte, 3)
	_, err := f.ReadAt(got, 29*4096)
	require.NoError(t, err)
	require.Equal(t, []byte{30, 30, 30}, got)
	r.unmap(c, 0, base, pages*4096)
	require.Equal(t, before, descriptors(t))
}

// TestUnmap: unmapping accepts unmapped ranges, ranges of several windows, and ranges that end at
// the end of the address space. It rejects a range that splits a window.
func TestUnmap(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	f := r.memory(0x4000)
	before := descriptors(t)
	r.unmap(c, 0, 0x1000, 0x1000)
	for _, u := range []struct {
		flags      uint32
		addr, size uint64
	}{
		{0, 0, 0xfee00000 << 1},
		{0, 0xfef00000, 0xffffffff01100000},
		{0, 0xfef00000, 0x1000},
		{2, 0, 0},
	} {
		r.mapped(c, f, 3, 0, 0xfef00000, 0x1000)
		require.NoError(t, r.reaches(c, 0xfef00ffc))
		if u.size != 0x1000 {
			r.mapped(c, f, 3, 0x1000, 0xfef02000, 0x2000)
		}
		r.unmap(c, u.flags, u.addr, u.size)
		require.EqualError(t, r.reaches(c, 0xfef00000), "vfiouser: DMA read at 0xfef00000, which the client has not mapped for it")
		require.Equal(t, before, descriptors(t))
	}
	// Unmapping any part of a window fails and unmaps nothing.
	r.mapped(c, f, 3, 0, 0x20000, 0x2000)
	r.mapped(c, f, 3, 0, 0x22000, 0x2000)
	for _, part := range [][2]uint64{{0x20000, 0x1000}, {0x21000, 0x1000}, {0x20fff, 2}, {0x1f000, 0x2000}, {0x21000, 0x10000}, {0x20000, 0x3000}, {0, 0x23fff}} {
		refused(t, c, syscall.EINVAL, client.DMAUnmap, client.UnmapBody(0, part[0], part[1]))
		require.NoError(t, r.reaches(c, 0x20000))
		require.NoError(t, r.reaches(c, 0x23ffc))
	}
	r.unmap(c, 0, 0x1f000, 0x6000)
	require.Equal(t, before, descriptors(t))

	// The last byte of the address space can be mapped.
	r.mapped(c, f, 3, 0, math.MaxUint64-0xfff, 0x1000)
	require.NoError(t, r.reaches(c, math.MaxUint64-3))
	require.Error(t, r.reaches(c, math.MaxUint64-2), "behind it is nothing")
}

// TestReadOnlyWindow: accesses respect the permissions of a window.
func TestReadOnlyWindow(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	r.mapped(c, r.memory(0x2000), 1, 0, 0, 0x1000)
	r.mapped(c, r.memory(0x2000), 2, 0, 0x1000, 0x1000)
	require.NoError(t, r.reaches(c, 0))
	require.EqualError(t, r.reaches(c, 0x1000), "vfiouser: DMA read at 0x1000, which the client has not mapped for it")
	r.dma(c, toyWrite, 0x1000, 4, 0)
	require.NoError(t, r.outcome(c))
	r.dma(c, toyWrite, 0x10, 4, 0)
	require.EqualError(t, r.outcome(c), "vfiouser: DMA write at 0x10, which the client has not mapped for it")
}

// TestFileThatShrinks: if a client truncates its file, its device gets an error, and the server
// continues.
func TestFileThatShrinks(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	f := r.memory(0x1000)
	r.mapped(c, f, 3, 0, 0, 0x1000)
	require.NoError(t, f.Truncate(0))
	require.EqualError(t, r.reaches(c, 0), "unexpected EOF")
	require.NoError(t, f.Truncate(0x1000))
	require.NoError(t, r.reaches(c, 0))
}

// TestMessagesOnly: with Messages a file descriptor is not used.
func TestMessagesOnly(t *testing.T) {
	r := newHarness(t, func(s *vfiouser.Server) { s.Messages = true })
	c := r.connect()
	before := descriptors(t)
	c.Memory = &area{0, make([]byte, 0x1000)}
	r.mapped(c, r.memory(0x1000), 3, 0, 0, 0x1000)
	require.Equal(t, before+1, descriptors(t), "the client's own")
	require.NoError(t, r.reaches(c, 0))
	require.Equal(t, 1, c.Served)
}
