package foreigncard_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/foreigncard"
	"github.com/hotline-rtl/hotline/gen/fromverilog"
	"github.com/hotline-rtl/hotline/host/device/card"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// inserted returns the card in the slot of a simulated machine. The core is in folder rtl of a
// checkout of wb2axip, which HOTLINE_WB2AXIP names. scripts/foreign-card sets it.
func inserted(t *testing.T) (*server.Server, driver.Device) {
	checkout := os.Getenv("HOTLINE_WB2AXIP")
	if checkout == "" {
		t.Skip("HOTLINE_WB2AXIP is not set; see scripts/foreign-card")
	}
	files := []string{"dma_top.v"}
	for _, f := range []string{"axidma.v", "skidbuffer.v", "sfifo.v", "axi_addr.v"} {
		files = append(files, filepath.Join(checkout, "rtl", f))
	}
	design, err := fromverilog.Import(context.Background(), fromverilog.Options{Top: "dma_top", Files: files})
	require.NoError(t, err)
	simulator, err := interp.New(design.Design)
	require.NoError(t, err)
	d, err := card.Load("card.hcl")
	require.NoError(t, err)
	cfg := server.DefaultConfig()
	cfg.Endpoint, cfg.Period = d.Endpoint, d.Period
	s, err := server.New(cfg)
	require.NoError(t, err)
	c, err := d.New(s.Kernel, simulator, d.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(c)
	require.NoError(t, err)
	require.NoError(t, dev.EnableVector(0))
	return s, dev
}

// TestCopies: the card copies data of random sizes at random alignments, and changes nothing else.
func TestCopies(t *testing.T) {
	_, dev := inserted(t)
	const size = 65536
	source, err := dev.AllocDMA(size)
	require.NoError(t, err)
	target, err := dev.AllocDMA(size)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 50 {
		if i == 25 {
			require.NoError(t, dev.(driver.Resetter).Reset(driver.FunctionReset))
			require.NoError(t, dev.EnableVector(0))
		}
		n, from, to := 1+rng.IntN(size/2), rng.IntN(size/2), rng.IntN(size/2)
		if i%2 == 0 {
			n = 1 + rng.IntN(64)
		}
		data, want, got := make([]byte, n), make([]byte, size), make([]byte, size)
		for k := range data {
			data[k] = byte(rng.Uint32())
		}
		require.NoError(t, source.Write(from, data))
		require.NoError(t, target.Read(0, want))
		copy(want[to:], data)
		require.NoError(t, foreigncard.Copy(dev, target.Address()+uint64(to), source.Address()+uint64(from), n))
		require.NoError(t, target.Read(0, got))
		require.Equal(t, want, got, "%d bytes from %d to %d", n, from, to)
	}
}

// TestErrors: memory that does not exist is an error of the device.
func TestErrors(t *testing.T) {
	s, dev := inserted(t)
	target, err := dev.AllocDMA(4096)
	require.NoError(t, err)
	require.ErrorContains(t, foreigncard.Copy(dev, target.Address(), uint64(s.Config.HostGiB)<<30, 64), "the device reports an error")
}
