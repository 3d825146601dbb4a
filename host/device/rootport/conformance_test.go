//go:build linux

package rootport_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/driver/conformance"
	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// behindASocket returns a backend whose card is driven by a client through a socket.
func behindASocket(newCard rootport.NewCard) conformance.Backend {
	var r *harness
	var inSlot rootport.Card
	return conformance.Backend{
		Open: func(t *testing.T) driver.Device {
			r = newHarness(t, func(k *des.Kernel, cfg link.EndpointConfig) (rootport.Card, error) {
				var err error
				inSlot, err = newCard(k, cfg)
				return inSlot, err
			})
			return r.dev
		},
		Patience: 100 * time.Millisecond,
		Remove:   func() { r.port.Inspect(func() { inSlot.Endpoint().Port().Link().SetUp(false) }) },
	}
}

// TestConformance: the guarantees of a driver.Device hold behind a socket.
func TestConformance(t *testing.T) {
	small := *configs.Small().Accelerator
	conformance.Test(t, behindASocket(newFunctional(small)))
}

// TestConformanceOfTheCycleModel repeats TestConformance with the compiled cycle model.
func TestConformanceOfTheCycleModel(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c := configs.Small()
	d, err := hw.Elaborate(top.Hotline{Params: *c.Accelerator})
	require.NoError(t, err)
	conformance.Test(t, behindASocket(func(k *des.Kernel, cfg link.EndpointConfig) (rootport.Card, error) {
		s, ok := compiled.Find(d)
		require.True(t, ok)
		return cycle.New(k, s, c.Period(), cfg)
	}))
}
