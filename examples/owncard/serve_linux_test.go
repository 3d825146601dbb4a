package owncard_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/card"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

// TestServe: a client of the served card sees its identity, and copies data, also after a reset.
func TestServe(t *testing.T) {
	dir, err := os.MkdirTemp("", "card") // short enough for a socket address
	require.NoError(t, err)
	defer func() { require.NoError(t, os.RemoveAll(dir)) }()
	d, err := card.Load("card.hcl")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended, lines := make(chan error), make(chan string, 100)
	path := filepath.Join(dir, "socket")
	go func() { ended <- d.Serve(ctx, path, simulator, func(line string) { lines <- line }) }()
	require.Equal(t, "listening on "+path, <-lines)

	c, err := client.Open(path)
	require.NoError(t, err)
	head, err := c.Read(client.Config, 0, 12)
	require.NoError(t, err)
	require.Equal(t, []byte{0x34, 0x12, 0xde, 0xc0}, head[:4], "vendor and device")
	require.Equal(t, []byte{0x01, 0x00, 0x00, 0xff}, head[8:], "revision and class")
	dev, err := client.NewDevice(c)
	require.NoError(t, err)
	copies(t, dev, 5)
	for _, kind := range []driver.ResetKind{driver.FunctionReset, driver.BusReset} {
		require.NoError(t, dev.Reset(kind))
		copies(t, dev, 2)
	}
	require.NoError(t, dev.Close())
	require.NoError(t, c.Close())
	stop()
	require.NoError(t, <-ended)
}
