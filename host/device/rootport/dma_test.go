//go:build linux

package rootport_test

import (
	"encoding/binary"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// share maps a window of memory that the client shares, and returns its file.
func (r *harness) share(addr uint64, n int) *os.File {
	f, err := client.NewMemory(n)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = f.Close() })
	_, err = r.c.Call(client.DMAMap, client.MapBody(3, 0, addr, uint64(n)), client.FD(f))
	require.NoError(r.t, err)
	return f
}

// byMessages maps a window that is accessed by messages.
func (r *harness) byMessages(addr, n uint64) {
	_, err := r.c.Call(client.DMAMap, client.MapBody(3, 0, addr, n))
	require.NoError(r.t, err)
}

// event attaches an eventfd to a vector. It has no other reader, so its count is exact.
func (r *harness) event(vector int) *client.Event {
	require.NoError(r.t, r.dev.EnableVector(vector))
	v, err := client.NewEvent()
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = v.Close() })
	_, err = r.c.Call(client.SetIRQs, client.IRQBody(0x24, client.MSIX, uint32(vector), 1), v.FD())
	require.NoError(r.t, err)
	return v
}

// dma makes the stub read or write n bytes at an address; what is regRead or regWrite.
func (r *harness) dma(what, addr uint64, n, value uint32) {
	r.write32(regAddr, uint32(addr))
	r.write32(regAddr+4, uint32(addr>>32))
	r.write32(regCount, n)
	r.write32(regValue, value)
	r.write32(what, 1)
}

// word returns the DW at an offset of a file.
func word(t testing.TB, f *os.File, at int64) uint32 {
	b := make([]byte, 4)
	_, err := f.ReadAt(b, at)
	require.NoError(t, err)
	return binary.LittleEndian.Uint32(b)
}

// TestMemoryWhereX86HasInterrupts: no address is reserved for interrupts. Writes at and above
// 0xfee00000 are ordinary data, even if their value is a vector number.
func TestMemoryWhereX86HasInterrupts(t *testing.T) {
	const base = 0xfee00000
	m := &stubs{}
	r := newHarness(t, m.card)
	f := r.share(base-0x1000, 0x3000)
	fired := r.event(5)
	for i, value := range []uint32{5, 0, 15, 16, 0x3f800000, math.MaxUint32} {
		for _, addr := range []uint64{base, base + 4, base + 0xffc, base + 4*uint64(i+2)} {
			r.dma(regWrite, addr, 4, value)
			r.read32(0)
			require.Equal(t, value, word(t, f, int64(addr-base+0x1000)), "at %#x", addr)
		}
	}
	r.dma(regWrite, base-60, 64, 5) // as many bytes as the vector table leaves of a row
	r.read32(0)
	require.EqualValues(t, 5, word(t, f, 0x1000))
	require.Zero(t, fired.Count())
	r.write32(regFire, 1)
	r.read32(0)
	require.EqualValues(t, 1, fired.Count())
}

// TestBusMasterOffStopsNewRequestsOnly: posted writes that have left the card arrive, and reads in
// flight receive their data. Later requests wait.
func TestBusMasterOffStopsNewRequestsOnly(t *testing.T) {
	m := &stubs{}
	r := newHarness(t, m.card)
	f := r.share(0x100000, 0x10000)
	r.byMessages(0x200000, 0x1000)
	r.c.Memory = &memory{map[uint64][]byte{}}
	for i := range uint32(200) {
		require.NoError(t, r.c.Write(client.Config, 4, 6))
		r.dma(regWrite, 0x100000, 0x8000, i+1) // 128 TLPs
		require.NoError(t, r.c.Write(client.Config, 4, 2))
		require.Equal(t, i+1, word(t, f, 0x7ffc))
	}
	require.NoError(t, r.c.Write(client.Config, 4, 6))

	r.dma(regRead, 0x200000, 64, 0)
	held, err := r.c.Take(client.Patience)
	require.NoError(t, err)
	require.NoError(t, r.c.Write(client.Config, 4, 2))
	r.dma(regWrite, 0x100000, 4, 77)
	r.read32(0)
	require.NotEqual(t, uint32(77), word(t, f, 0), "a new request")
	require.NoError(t, r.c.Serve(held))
	r.read32(0)
	r.until(func() bool { return len(m.made[0].readErrs) > 0 })
	want := make([]byte, 64)
	require.NoError(t, r.c.Memory.Read(0x200000, want))
	ends, read, _ := r.reads(m)
	require.Equal(t, []link.Error{link.OK}, ends)
	require.Equal(t, want, read)
	require.NoError(t, r.c.Write(client.Config, 4, 6))
	require.EqualValues(t, 77, word(t, f, 0))
}

// reads returns the results of the first stub's reads, the data of the latest read, and the
// endpoint's error counters.
func (r *harness) reads(m *stubs) (ends []link.Error, read []byte, errors link.Counters) {
	r.port.Inspect(func() {
		ends, read, errors = slices.Clone(m.made[0].readErrs), slices.Clone(m.made[0].read), m.made[0].ep.Counters()
	})
	return ends, read, errors
}

// until waits for a condition while the simulation runs.
func (r *harness) until(holds func() bool) {
	require.Eventually(r.t, func() (ok bool) {
		r.port.Inspect(func() { ok = holds() })
		return ok
	}, client.Patience, time.Millisecond)
}

// TestPollsDoNotAgeReads: polls by the client while it holds a DMA message do not cause a
// completion timeout.
func TestPollsDoNotAgeReads(t *testing.T) {
	polls := 300_000
	if testing.Short() {
		polls = 40_000 // 12 ms, longer than the completion timeout
	}
	m := &stubs{}
	r := newHarness(t, m.card)
	r.byMessages(0x200000, 0x1000)
	r.c.Memory = &memory{map[uint64][]byte{}}
	r.dma(regRead, 0x200000, 64, 0)
	held, err := r.c.Take(client.Patience)
	require.NoError(t, err)
	before := r.now()
	for range polls {
		r.read32(0)
	}
	require.Greater(t, r.now()-before, link.DefaultEndpointConfig().CompletionTimeout)
	require.NoError(t, r.c.Serve(held))
	r.until(func() bool { return len(m.made[0].readErrs) > 0 })
	ends, _, counters := r.reads(m)
	require.Equal(t, []link.Error{link.OK}, ends)
	require.Zero(t, counters)
	require.Equal(t, []byte{0, 0, 0, 0}, r.space()[0x104:0x108], "no uncorrectable error")
}
