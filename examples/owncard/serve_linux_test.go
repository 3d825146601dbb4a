package owncard_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/owncard"
	"github.com/hotline-rtl/hotline/host/device/card"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

// serve serves the card, calls use with the path of its socket, and ends the server.
func serve(t *testing.T, use func(path string)) {
	dir, err := os.MkdirTemp("", "card") // short enough for a socket address
	require.NoError(t, err)
	defer func() { require.NoError(t, os.RemoveAll(dir)) }()
	d, err := card.Load("card.hcl")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended, listening := make(chan error), make(chan string, 1)
	path := filepath.Join(dir, "socket")
	go func() {
		ended <- d.Serve(ctx, path, simulator, func(line string) {
			select {
			case listening <- line:
			default: // only the first line matters
			}
		})
	}()
	require.Equal(t, "copy engine: listening on "+path, <-listening)
	use(path)
	stop()
	require.NoError(t, <-ended)
}

// open connects a client, and returns it and its device.
func open(t *testing.T, path string) (*client.Client, *client.Device) {
	c, err := client.Open(path)
	require.NoError(t, err)
	dev, err := client.NewDevice(c)
	require.NoError(t, err)
	return c, dev
}

// TestServe: a client of the served card sees its identity, and copies data, also after a reset.
func TestServe(t *testing.T) {
	serve(t, func(path string) {
		c, dev := open(t, path)
		head, err := c.Read(client.Config, 0, 12)
		require.NoError(t, err)
		require.Equal(t, []byte{0x34, 0x12, 0xde, 0xc0}, head[:4], "vendor and device")
		require.Equal(t, []byte{0x01, 0x00, 0x00, 0xff}, head[8:], "revision and class")
		copies(t, dev, 5)
		for _, kind := range []driver.ResetKind{driver.FunctionReset, driver.BusReset} {
			require.NoError(t, dev.Reset(kind))
			copies(t, dev, 2)
		}
		require.NoError(t, dev.Close())
		require.NoError(t, c.Close())
	})
}

// TestOrder: the answer to a register read that follows the end of a copy arrives after the data.
func TestOrder(t *testing.T) {
	serve(t, func(path string) {
		c, dev := open(t, path)
		memory, err := dev.AllocDMA(2 * owncard.MaxBytes)
		require.NoError(t, err)
		write := func(register uint64, v uint64) {
			require.NoError(t, dev.Write32(register, uint32(v)))
			require.NoError(t, dev.Write32(register+4, uint32(v>>32)))
		}
		require.NoError(t, dev.Write32(0x04, owncard.MaxBytes))
		write(0x08, memory.Address())
		write(0x10, memory.Address()+owncard.MaxBytes)
		for i := range 100 {
			data, got := bytes.Repeat([]byte{byte(i + 1)}, owncard.MaxBytes), make([]byte, owncard.MaxBytes)
			require.NoError(t, memory.Write(0, data))
			require.NoError(t, dev.Write32(0x18, 1))
			for busy := uint32(1); busy&1 != 0; {
				busy, err = dev.Read32(0x1c)
				require.NoError(t, err)
			}
			require.NoError(t, memory.Read(owncard.MaxBytes, got))
			require.True(t, bytes.Equal(data, got), "copy %d", i)
		}
		require.NoError(t, dev.Close())
		require.NoError(t, c.Close())
	})
}

// TestStorm: random messages of a hostile client harm neither the server nor the card.
func TestStorm(t *testing.T) {
	serve(t, func(path string) {
		storm, err := client.NewStorm(path, 3)
		require.NoError(t, err)
		require.NoError(t, storm.Run(10_000))
		storm.Close()
		c, dev := open(t, path)
		copies(t, dev, 3)
		require.NoError(t, dev.Close())
		require.NoError(t, c.Close())
	})
}
