package conformance_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/driver/conformance"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/hw"
	_ "github.com/hotline-rtl/hotline/hw/hotline/models"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// simulated returns a backend with a card in the slot of a simulated machine.
func simulated(newCard func(s *server.Server) (server.Card, error)) conformance.Backend {
	var machine *server.Server
	return conformance.Backend{
		Open: func(t *testing.T) driver.Device {
			var err error
			machine, err = server.New(server.DefaultConfig())
			require.NoError(t, err)
			c, err := newCard(machine)
			require.NoError(t, err)
			dev, err := machine.Insert(c)
			require.NoError(t, err)
			return dev
		},
		Remove:   func() { machine.Slot().SetUp(false) },
		Patience: 10 * time.Millisecond,
	}
}

func TestFunctionalModel(t *testing.T) {
	conformance.Test(t, simulated(func(s *server.Server) (server.Card, error) {
		return functional.New(s.Kernel, *configs.Small().Accelerator, s.Config.Period, s.Config.Endpoint)
	}))
}

func TestCycleModel(t *testing.T) {
	d, err := hw.Elaborate(top.Hotline{Params: *configs.Small().Accelerator})
	require.NoError(t, err)
	conformance.Test(t, simulated(func(s *server.Server) (server.Card, error) {
		x, ok := compiled.Find(d)
		require.True(t, ok)
		return cycle.New(s.Kernel, x, s.Config.Period, s.Config.Endpoint)
	}))
}
