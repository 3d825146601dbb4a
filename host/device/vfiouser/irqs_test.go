//go:build linux

package vfiouser_test

import (
	"encoding/binary"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

// Flags of SET_IRQS: data types and actions.
const (
	none, bools, files    = 1, 2, 4
	mask, unmask, trigger = 8, 0x10, 0x20
)

func (r *harness) setIRQs(c *client.Client, flags, start, count uint32, data ...byte) {
	r.t.Helper()
	_, err := c.Call(client.SetIRQs, client.IRQBody(flags, client.MSIX, start, count, data...))
	require.NoError(r.t, err)
}

// fire makes the toy fire a vector.
func (r *harness) fire(c *client.Client, vector int) {
	r.dma(c, toyFire, 0, 0, vector)
	require.NoError(r.t, r.outcome(c))
}

// TestVectors: each vector has its own eventfd, attached separately or together.
func TestVectors(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	var events [3]*client.Event
	var fds []int
	for i := range events {
		var err error
		events[i], err = client.NewEvent()
		require.NoError(t, err)
		defer func() { require.NoError(t, events[i].Close()) }()
		fds = append(fds, events[i].FD())
	}
	_, err := c.Call(client.SetIRQs, client.IRQBody(files|trigger, client.MSIX, 1, 3), fds...)
	require.NoError(t, err)
	for i := range events {
		for range i {
			r.fire(c, i+1)
		}
	}
	for i := range events {
		require.EqualValues(t, i, events[i].Count())
	}
	other := r.event(c, 3)
	r.fire(c, 3)
	require.EqualValues(t, 1, other.Count())
	require.Zero(t, events[2].Count(), "it was replaced")
}

// TestPendingVector: a vector without eventfd stays pending until it has an eventfd. It then fires
// once, even if it was triggered several times.
func TestPendingVector(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	r.fire(c, 2)
	r.fire(c, 2)
	require.EqualValues(t, 1, r.event(c, 2).Count())
	again := r.event(c, 2)
	require.Zero(t, again.Count())
	r.setIRQs(c, files|trigger, 2, 1) // detached
	r.fire(c, 2)
	require.Zero(t, again.Count())
	_, err := c.Call(client.Reset, nil)
	require.NoError(t, err)
	require.Zero(t, r.event(c, 2).Count(), "a reset forgets it")
}

// TestMaskedVectors checks all forms of masking, unmasking and triggering.
func TestMaskedVectors(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	var events [vectors]*client.Event
	for i := range events {
		events[i] = r.event(c, i)
	}
	counts := func() (n [vectors]uint64) {
		for i := range events {
			n[i] = events[i].Count()
		}
		return n
	}
	r.setIRQs(c, none|mask, 1, 2)
	r.setIRQs(c, none|trigger, 0, 4)
	require.Equal(t, [vectors]uint64{1, 0, 0, 1}, counts())
	r.setIRQs(c, bools|unmask, 0, 3, 1, 0, 1)
	require.Equal(t, [vectors]uint64{0, 0, 1, 0}, counts())
	r.setIRQs(c, none|unmask, 0, 4)
	require.Equal(t, [vectors]uint64{0, 1, 0, 0}, counts())
	r.setIRQs(c, bools|mask, 3, 1, 1)
	r.setIRQs(c, bools|trigger, 2, 2, 1, 1)
	require.Equal(t, [vectors]uint64{0, 0, 1, 0}, counts())
	r.setIRQs(c, none|trigger, 0, 0) // disabled
	r.setIRQs(c, none|trigger, 0, 3)
	require.Zero(t, counts())
}

// TestNoSuchVector: interrupting a missing vector returns an error to the device.
func TestNoSuchVector(t *testing.T) {
	r := newHarness(t)
	r.connect()
	for _, vector := range []int{-1, vectors, 1 << 30} {
		require.EqualError(t, r.toy.host.Interrupt(vector), fmt.Sprintf("vfiouser: interrupt of vector %d, expected 0 to 3", vector))
	}
}

// TestFullEventfd: an eventfd with the maximum count does not block the server.
func TestFullEventfd(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	fd, _, e := syscall.Syscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC, 0) // a blocking eventfd
	require.Zero(t, e)
	defer func() { require.NoError(t, syscall.Close(int(fd))) }()
	_, err := syscall.Write(int(fd), binary.NativeEndian.AppendUint64(nil, ^uint64(1)))
	require.NoError(t, err)
	_, err = c.Call(client.SetIRQs, client.IRQBody(files|trigger, client.MSIX, 0, 1), int(fd))
	require.NoError(t, err)
	r.fire(c, 0)
}
