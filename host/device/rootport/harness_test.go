//go:build linux

package rootport_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/device/vfiouser"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// newFunctional returns a constructor of the functional model of the accelerator.
func newFunctional(p arch.Params) rootport.NewCard {
	return func(k *des.Kernel, cfg link.EndpointConfig) (rootport.Card, error) {
		return functional.New(k, p, server.DefaultConfig().Period, cfg)
	}
}

// harness is a card behind a socket, with a client that has enabled bus mastering.
type harness struct {
	t    testing.TB
	port *rootport.Port
	path string
	c    *client.Client
	dev  *client.Device
}

func newHarness(t testing.TB, card rootport.NewCard) *harness {
	return newHarnessWith(t, card, seed{})
}

// seed is an injected bug between a port and its server, upstream, downstream, or none.
type seed struct {
	host   func(vfiouser.Host) vfiouser.Host
	device func(vfiouser.Device) vfiouser.Device
}

func newHarnessWith(t testing.TB, card rootport.NewCard, bug seed) *harness {
	r := &harness{t: t}
	s, err := vfiouser.New(func(h vfiouser.Host) (vfiouser.Device, error) {
		if bug.host != nil {
			h = bug.host(h)
		}
		var err error
		r.port, err = rootport.New(rootport.DefaultConfig(), card, h)
		if bug.device != nil {
			return bug.device(r.port), err
		}
		return r.port, err
	})
	require.NoError(t, err)
	dir, err := os.MkdirTemp("", "rootport")
	require.NoError(t, err)
	r.path = filepath.Join(dir, "socket")
	ctx, cancel := context.WithCancel(context.Background())
	var served sync.WaitGroup
	served.Go(func() { require.NoError(t, s.Serve(ctx, r.path)) })
	t.Cleanup(func() {
		cancel()
		served.Wait()
		r.port.Close()
		require.NoError(t, os.RemoveAll(dir))
	})
	require.Eventually(t, func() bool {
		r.c, err = client.Open(r.path)
		return err == nil
	}, client.Patience, time.Millisecond)
	t.Cleanup(func() { _ = r.c.Close() })
	r.dev, err = client.NewDevice(r.c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.dev.Close()) })
	return r
}
