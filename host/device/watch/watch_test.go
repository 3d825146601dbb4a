package watch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/device/watch"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// machine returns a server with a device, and the watch of the device.
func machine(t *testing.T) (*server.Server, *server.Device, *watch.Watch) {
	s, err := server.New(server.DefaultConfig())
	require.NoError(t, err)
	card, err := functional.New(s.Kernel, arch.Small(), s.Config.Period, s.Config.Endpoint)
	require.NoError(t, err)
	w := watch.New()
	s.Attached = func() { w.Attach(s.Slot(), card.Endpoint()) }
	dev, err := s.Insert(card)
	require.NoError(t, err)
	return s, dev, w
}

// TestGoodDriver: the project's driver has no findings, with the smallest ring and with resets.
func TestGoodDriver(t *testing.T) {
	_, dev, w := machine(t)
	drv, err := driver.Open(dev, driver.Options{RingLog2: 1, Deadline: time.Second, Retries: 2})
	require.NoError(t, err)
	for range 3 {
		for range 20 {
			require.NoError(t, drv.Submit(driver.Fence(), func(_ driver.Completion, err error) { require.NoError(t, err) }))
		}
		require.NoError(t, drv.Drain())
		require.NoError(t, drv.Reset(nil))
		require.NoError(t, dev.Reset(driver.FunctionReset))
		require.NoError(t, drv.Reset(nil))
	}
	require.Empty(t, w.Findings())
}

// TestFindings makes each mistake of a driver.
func TestFindings(t *testing.T) {
	write := func(dev *server.Device, offset uint64, values ...uint32) {
		for _, v := range values {
			require.NoError(t, dev.Write32(offset, v))
		}
		_, err := dev.Read32(arch.CSRID) // the writes arrive before it
		require.NoError(t, err)
	}
	read := func(dev *server.Device, offset uint64, n int) {
		for range n {
			_, _ = dev.Read32(offset) // a register that does not exist is an error
		}
	}
	ring := func(dev *server.Device, entries int) {
		drv, err := driver.Open(dev, driver.Options{RingLog2: entries, Deadline: time.Second})
		require.NoError(t, err)
		_, err = drv.Do(driver.Fence())
		require.NoError(t, err)
	}
	for _, c := range []struct {
		name    string
		mistake func(*server.Device)
		want    []string
	}{
		{"no register", func(d *server.Device) { read(d, 0x1c, 2); write(d, 0x1000, 1) }, []string{
			"no_register at 0x1c, 2 times: access to an address without a register",
			"no_register at 0x1000: access to an address without a register"}},
		{"MSI-X is no register, and no mistake", func(d *server.Device) { require.NoError(t, d.EnableVector(3)) }, nil},
		{"read-only", func(d *server.Device) { write(d, arch.CSRStatus, 0, 0, 0) }, []string{"read_only at status, 3 times: write to a read-only register"}},
		{"few polls", func(d *server.Device) { read(d, arch.CSRStatus, watch.LeastPolls-1) }, nil},
		{"polls", func(d *server.Device) { read(d, arch.CSRStatus, watch.LeastPolls+5) }, []string{"poll at status, 1,005 times: read in sequence with the same answer"}},
		{"polls of two registers", func(d *server.Device) {
			for range watch.LeastPolls {
				read(d, arch.CSRStatus, 1)
				read(d, arch.CSRSQHead, 1)
			}
		}, nil},
		{"early doorbell", func(d *server.Device) { write(d, arch.CSRSQBaseLo, 64); write(d, arch.CSRSQTail, 1) }, []string{
			"early_doorbell at sq_tail: doorbell before both ring addresses were written"}},
		{"doorbell after a reset", func(d *server.Device) {
			ring(d, 2)
			require.NoError(t, d.Reset(driver.FunctionReset))
			write(d, arch.CSRSQTail, 1)
		}, []string{"early_doorbell at sq_tail: doorbell before both ring addresses were written"}},
		{"full ring", func(d *server.Device) {
			ring(d, 1)
			for tail := range uint32(2) {
				write(d, arch.CSRSQTail, 2+tail) // the command was never written, but completes
				require.NoError(t, d.Wait(time.Second))
			}
			write(d, arch.CSRSQTail, 4)
		}, []string{"full_ring at cq_head: doorbell while the completion ring was full of entries that the driver had not returned"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, dev, w := machine(t)
			var first, all []string
			w.Notify(func(f watch.Finding) { first = append(first, f.String()) })
			c.mistake(dev)
			for _, f := range w.Findings() {
				all = append(all, f.String())
			}
			require.Equal(t, c.want, all)
			require.Len(t, first, len(all))
		})
	}
}

// TestPartialWrite: a write without all byte enables is a mistake.
func TestPartialWrite(t *testing.T) {
	s, _, w := machine(t)
	bar := s.Config.Endpoint.BAR.Base
	require.NoError(t, s.Root.Write(bar+arch.CSRSQLog2, []byte{3, 0}))
	_, err := s.Root.Read32(bar + arch.CSRID) // the write arrives before it
	require.NoError(t, err)
	require.Len(t, w.Findings(), 1)
	require.Equal(t, "partial_write at sq_log2: write of a part of a register", w.Findings()[0].String())
}

// TestUnmapped: accesses to one page are one finding.
func TestUnmapped(t *testing.T) {
	_, _, w := machine(t)
	for _, addr := range []uint64{0x12345678, 0x12345000, 0x12346000} {
		w.Unmapped(addr)
	}
	var got []string
	for _, f := range w.Findings() {
		got = append(got, f.String())
	}
	require.Equal(t, []string{
		"unmapped at 0x12345000, 2 times: access of the device to a page that is not mapped",
		"unmapped at 0x12346000: access of the device to a page that is not mapped",
	}, got)
}
