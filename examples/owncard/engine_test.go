package owncard_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/owncard"
	"github.com/hotline-rtl/hotline/host/device/card"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// TestEngines: all engines agree on the card, and no reset can be left out.
func TestEngines(t *testing.T) {
	hwtest.Run(t, owncard.Card{}, hwtest.Random(2000))
	hwtest.Resets(t, owncard.Card{}, session, "axil_slave.asked")
}

// session reads all registers after power-up, and makes a copy before and after a reset.
func session(s sim.Simulator) error {
	machine, dev, err := insert(s)
	if err != nil {
		return err
	}
	for range 2 {
		for _, at := range []uint64{0x04, 0x08, 0x0c, 0x10, 0x14, 0x1c, 0x20} {
			if v, err := dev.Read32(at); err != nil || v != 0 {
				return fmt.Errorf("register %#x is %#x after a reset: %v", at, v, err)
			}
		}
		c, err := owncard.Open(dev)
		if err != nil {
			return err
		}
		memory := machine.Host.Alloc("data", 2*owncard.MaxBytes)
		data, got := []byte("sixteen bytes are a beat, and 32 make two beats."), make([]byte, 48)
		if err := memory.Write(0, data); err != nil {
			return err
		}
		if _, err := c.Copy(memory.Address()+owncard.MaxBytes, memory.Address(), len(data)); err != nil {
			return err
		}
		if err := memory.Read(owncard.MaxBytes, got); err != nil || !bytes.Equal(got, data) {
			return fmt.Errorf("copied %q: %v", got, err)
		}
		if err := dev.Reset(driver.FunctionReset); err != nil {
			return err
		}
	}
	return nil
}

// insert puts a simulated card into the slot of a machine.
func insert(design sim.Simulator) (*server.Server, *server.Device, error) {
	d, err := card.Load("card.hcl")
	if err != nil {
		return nil, nil, err
	}
	cfg := server.DefaultConfig()
	cfg.Endpoint, cfg.Period = d.Endpoint, d.Period
	s, err := server.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	c, err := d.New(s.Kernel, design, d.Endpoint)
	if err != nil {
		return nil, nil, err
	}
	dev, err := s.Insert(c)
	return s, dev, err
}

// simulator returns the card's design in the interpreter.
func simulator() (sim.Simulator, error) {
	d, err := hw.Elaborate(owncard.Card{})
	if err != nil {
		return nil, err
	}
	return interp.New(d)
}

// inserted returns the card in the slot of a simulated machine.
func inserted(t *testing.T) (*server.Server, driver.Device) {
	design, err := simulator()
	require.NoError(t, err)
	s, dev, err := insert(design)
	require.NoError(t, err)
	return s, dev
}

// copies makes copies of random sizes between two buffers, and compares data and sums.
func copies(t *testing.T, dev driver.Device, n int) {
	c, err := owncard.Open(dev)
	require.NoError(t, err)
	source, err := dev.AllocDMA(2 * owncard.MaxBytes)
	require.NoError(t, err)
	target, err := dev.AllocDMA(2 * owncard.MaxBytes)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		size := 16 * (1 + rng.IntN(owncard.MaxBytes/16))
		if i == 0 {
			size = owncard.MaxBytes
		}
		from, to := 4*rng.IntN(owncard.MaxBytes/4), 4*rng.IntN(owncard.MaxBytes/4)
		data, want, got := make([]byte, size), make([]byte, 2*owncard.MaxBytes), make([]byte, 2*owncard.MaxBytes)
		sum := uint32(0)
		for k := 0; k < size; k += 4 {
			word := rng.Uint32()
			binary.LittleEndian.PutUint32(data[k:], word)
			sum += word
		}
		require.NoError(t, source.Write(from, data))
		require.NoError(t, target.Read(0, want))
		copy(want[to:], data)
		result, err := c.Copy(target.Address()+uint64(to), source.Address()+uint64(from), size)
		require.NoError(t, err)
		require.Equal(t, sum, result)
		require.NoError(t, target.Read(0, got))
		require.Equal(t, want, got, "%d bytes", size)
	}
}

// TestCopies: the card copies data in a simulated machine, also after a reset.
func TestCopies(t *testing.T) {
	_, dev := inserted(t)
	copies(t, dev, 20)
	require.NoError(t, dev.(driver.Resetter).Reset(driver.FunctionReset))
	copies(t, dev, 3)
}

// TestErrors: a copy from memory that does not exist is an error and changes nothing. The card works
// afterwards.
func TestErrors(t *testing.T) {
	s, dev := inserted(t)
	c, err := owncard.Open(dev)
	require.NoError(t, err)
	target, err := dev.AllocDMA(owncard.MaxBytes)
	require.NoError(t, err)
	require.NoError(t, target.Write(0, []byte{1, 2, 3, 4}))
	_, err = c.Copy(target.Address(), uint64(s.Config.HostGiB)<<30, 64)
	require.ErrorContains(t, err, "owncard: DMA error 10")
	got := make([]byte, 4)
	require.NoError(t, target.Read(0, got))
	require.Equal(t, []byte{1, 2, 3, 4}, got)
	copies(t, dev, 3)
}
