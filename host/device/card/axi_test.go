package card_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/card"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// moverCard returns a mover in the slot of a machine.
func moverCard(t *testing.T) (*server.Server, *card.Card, *server.Device) {
	d, err := card.Parse("c.hcl", []byte(good+"dma = \"axi4\"\ninterrupt = \"done\"\nreset = \"reset_n\"\nreset_level = \"low\"\n"))
	require.NoError(t, err)
	cfg := server.DefaultConfig()
	cfg.Endpoint, cfg.Period = d.Endpoint, d.Period
	s, err := server.New(cfg)
	require.NoError(t, err)
	design, err := hw.Elaborate(mover{})
	require.NoError(t, err)
	sim, err := interp.New(design)
	require.NoError(t, err)
	c, err := d.New(s.Kernel, sim, d.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(c)
	require.NoError(t, err)
	require.NoError(t, dev.EnableVector(0))
	return s, c, dev
}

// move runs a copy and returns the responses. size is the log2 of the bytes of a beat.
func move(t *testing.T, dev driver.Device, target, source uint64, beats int, strobe, size uint32) (uint32, error) {
	for at, v := range []uint32{uint32(source), uint32(source >> 32), uint32(target), uint32(target >> 32), uint32(beats - 1), strobe, size, 1} {
		require.NoError(t, dev.Write32(4*uint64(at), v))
	}
	if err := dev.Wait(time.Second); err != nil {
		return 0, err
	}
	return dev.Read32(0x20)
}

// TestAXI4: bursts of an AXI4 master read and write memory, with all strobes, at all alignments, and
// from 1 to 256 beats.
func TestAXI4(t *testing.T) {
	_, _, dev := moverCard(t)
	const size = 8192
	source, err := dev.AllocDMA(size)
	require.NoError(t, err)
	target, err := dev.AllocDMA(size)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 40 {
		if i == 20 {
			require.NoError(t, dev.Reset(driver.FunctionReset))
			require.NoError(t, dev.EnableVector(0))
		}
		beats, strobe := 1+rng.IntN(256), rng.Uint32()&0xff
		switch i {
		case 0:
			beats, strobe = 256, 0xff
		case 1:
			strobe = 0
		}
		from, to := rng.IntN(size/2), 8*rng.IntN(size/16)
		data, want, got := make([]byte, size), make([]byte, size), make([]byte, size)
		for k := range data {
			data[k] = byte(rng.Uint32())
		}
		require.NoError(t, source.Write(0, data))
		require.NoError(t, target.Read(0, want))
		for k := range 8 * beats {
			if strobe>>(k%8)&1 == 0 {
				continue
			}
			want[to+k] = data[from&^7+k]
			if k < from%8 { // lanes before the address of the first beat
				want[to+k] = 0
			}
		}
		resp, err := move(t, dev, target.Address()+uint64(to), source.Address()+uint64(from), beats, strobe, 3)
		require.NoError(t, err)
		require.Zero(t, resp)
		require.NoError(t, target.Read(0, got))
		require.Equal(t, want, got, "%d beats from %d to %d with strobes %b", beats, from, to, strobe)
	}
}

// TestAXI4Errors: an address without memory is a decode error of a read. A narrow burst stops the
// card with an error that says why.
func TestAXI4Errors(t *testing.T) {
	s, c, dev := moverCard(t)
	target, err := dev.AllocDMA(4096)
	require.NoError(t, err)
	resp, err := move(t, dev, target.Address(), uint64(s.Config.HostGiB)<<30, 9, 0xff, 3)
	require.NoError(t, err)
	require.EqualValues(t, 3, resp)
	_, err = move(t, dev, target.Address(), target.Address(), 2, 0xff, 2)
	require.ErrorContains(t, err, "has beats of 4 bytes; expected 8, the width of the bus")
	require.Equal(t, err, c.Err())
}
