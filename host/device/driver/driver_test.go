package driver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

func TestOpenProgrammesTheRings(t *testing.T) {
	f := newFake()
	_, err := driver.Open(f, driver.Options{RingLog2: 5, Deadline: time.Second})
	require.NoError(t, err)
	require.Equal(t, []string{"reset", "vector 0", "30=0", "34=5", "38=5", "44=0", "48=6", "4c=5", "3c=0", "50=0", "20=1"}, f.written, "enabled last")
	require.Equal(t, 32*64, f.memory[0x5_0000_0000].Size())
	require.Equal(t, 32*32, f.memory[0x6_0000_0000].Size())
}

func TestGeometry(t *testing.T) {
	f := newFake()
	require.Equal(t, arch.Geometry{Engines: 16, Banks: 8, Blocks: 4096, Ways: 8, StreamBytes: 16, Tags: 32,
		HalfWords: 16384, Slots: 64, Tables: 32, GPUs: 4, IDBits: 22, VectorValues: 128}, open(t, f, 3).Geometry())
}

func TestOptionsAreChecked(t *testing.T) {
	for _, c := range []struct {
		opts driver.Options
		want string
	}{
		{driver.Options{RingLog2: 0, Deadline: 1}, "driver: ring of 2^0 entries, expected 2^1 to 2^15"},
		{driver.Options{RingLog2: 16, Deadline: 1}, "driver: ring of 2^16 entries, expected 2^1 to 2^15"},
		{driver.Options{RingLog2: 8}, "driver: deadline 0s, expected above 0"},
		{driver.Options{RingLog2: 8, Deadline: 1, Retries: -1}, "driver: -1 retries, expected 0 or more"},
	} {
		_, err := driver.Open(newFake(), c.opts)
		require.EqualError(t, err, c.want)
	}
	require.Equal(t, driver.Options{RingLog2: 8, Deadline: time.Second, Retries: 2}, driver.DefaultOptions())
}

func TestWrongDevice(t *testing.T) {
	f := newFake()
	f.regs[arch.CSRID] = 0x12345678
	_, err := driver.Open(f, driver.DefaultOptions())
	require.EqualError(t, err, "driver: device has id 0x12345678 version 0x20003, expected 0x484f544c and 0x20004")
	f.regs[arch.CSRID], f.regs[arch.CSRVersion] = arch.ID, 0x10000
	_, err = driver.Open(f, driver.DefaultOptions())
	require.EqualError(t, err, "driver: device has id 0x484f544c version 0x10000, expected 0x484f544c and 0x20004")
	f.regs[arch.CSRVersion] = 0x2000f // a compatible extension
	_, err = driver.Open(f, driver.DefaultOptions())
	require.NoError(t, err)
}

func TestDeviceIsGoneAtOpen(t *testing.T) {
	for offset, want := range map[uint64]string{
		arch.CSRID:    "driver: the device is gone: register 0x00 reads all ones",
		arch.CSRCaps4: "driver: the device is gone: register 0x18 reads all ones",
	} {
		f := newFake()
		f.gone[offset] = true
		_, err := driver.Open(f, driver.DefaultOptions())
		require.ErrorIs(t, err, driver.ErrGone)
		require.EqualError(t, err, want)
	}
	f := newFake()
	f.failing["read"] = 1
	_, err := driver.Open(f, driver.DefaultOptions())
	require.ErrorIs(t, err, driver.ErrGone)
	require.ErrorIs(t, err, errBroken)
	require.EqualError(t, err, "driver: the device is gone: read: broken")
}

// TestOpenResets: Open resets the device from any earlier state and waits for the reset.
func TestOpenResets(t *testing.T) {
	f := newFake()
	f.resets = 5
	d, err := driver.Open(f, driver.DefaultOptions())
	require.NoError(t, err)
	require.Equal(t, 5, f.waits)
	_, err = d.Do(driver.Fence())
	require.NoError(t, err)

	f = newFake()
	f.resets = 1 << 30
	_, err = driver.Open(f, driver.Options{RingLog2: 3, Deadline: 10 * driver.PollInterval})
	require.EqualError(t, err, "driver: the device has not finished its reset after 10ms")
	require.Equal(t, 10*driver.PollInterval, f.slept)

	f.failed = errBroken
	_, err = driver.Open(f, driver.DefaultOptions())
	require.EqualError(t, err, "driver: reset: broken")
}

// TestFailuresReachTheCaller makes each device operation fail.
func TestFailuresReachTheCaller(t *testing.T) {
	for op, calls := range map[string]int{"read": 8, "alloc": 2, "vector": 1, "write": 10} {
		for n := range calls {
			f := newFake()
			f.failing[op] = n + 1
			_, err := driver.Open(f, driver.DefaultOptions())
			require.ErrorIs(t, err, errBroken, "%s %d", op, n)
		}
	}
	for _, op := range []string{"write", "dma write", "dma read"} {
		f := newFake()
		d := open(t, f, 3)
		f.failing[op] = 1
		_, err := d.Do(driver.Fence())
		require.ErrorIs(t, err, errBroken, op)
	}
	f := newFake()
	d := open(t, f, 3)
	f.failing["write"] = 2 // of the completion ring's index
	_, err := d.Do(driver.Fence())
	require.ErrorIs(t, err, errBroken)
	f = newFake()
	d = open(t, f, 3)
	f.failing["dma read"] = 2 // after the sleep
	_, err = d.Do(driver.Fence())
	require.ErrorIs(t, err, errBroken)
}

func TestCounters(t *testing.T) {
	f := newFake()
	d := open(t, f, 3)
	for i, offset := range []uint64{arch.CSRLookups, arch.CSRCacheHits, arch.CSRLookupCycles, arch.CSRRowsRead, arch.CSRRowsWritten, arch.CSRHotLookups,
		arch.CSRConflicts, arch.CSRWindowStalls, arch.CSRQueueStalls, arch.CSRLearnCycles, arch.CSRTagStalls, arch.CSRLateRows, arch.CSRWriteStalls,
		arch.CSRBytesReadLo, arch.CSRBytesReadHi, arch.CSRBytesWrittenLo, arch.CSRBytesWrittenHi} {
		f.regs[offset] = uint32(10 + i)
	}
	f.regs[arch.CSRReadsInFlight] = 7<<16 | 3
	got, err := d.Counters()
	require.NoError(t, err)
	require.Equal(t, driver.Counters{Lookups: 10, CacheHits: 11, LookupCycles: 12, RowsRead: 13, RowsWritten: 14, HotLookups: 15,
		Conflicts: 16, WindowStalls: 17, QueueStalls: 18, LearnCycles: 19, TagStalls: 20, LateRows: 21, WriteStalls: 22,
		MostReads: 7, BytesRead: 24<<32 | 23, BytesWritten: 26<<32 | 25}, got)

	f.regs[arch.CSRRowsRead] = 0xffffffff
	got, err = d.Counters()
	require.NoError(t, err, "a counter may hold all ones")
	require.EqualValues(t, 0xffffffff, got.RowsRead)

	f.failing["read"] = 3
	_, err = d.Counters()
	require.EqualError(t, err, "driver: register 0x78: read: broken")

	f.gone[arch.CSRLookups], f.gone[arch.CSRID] = true, true
	_, err = d.Counters()
	require.ErrorIs(t, err, driver.ErrGone)
}
