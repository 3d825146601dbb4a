//go:build linux

package rootport_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/hw"
	_ "github.com/hotline-rtl/hotline/hw/hotline/models"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// machineMemory presents the memories of a simulated machine as the client's memory. The card
// accesses them by messages.
type machineMemory struct{ s *server.Server }

func (m machineMemory) at(addr uint64) (*des.Memory, uint64) {
	for _, g := range m.s.GPUs {
		if at := addr - g.PCIe.Base(); at < g.PCIe.Memory().Size() {
			return g.PCIe.Memory(), at
		}
	}
	return m.s.Host.Memory(), addr
}

func (m machineMemory) Read(addr uint64, p []byte) error {
	mem, at := m.at(addr)
	return mem.Read(at, p)
}

func (m machineMemory) Write(addr uint64, p []byte) error {
	mem, at := m.at(addr)
	return mem.Write(at, p)
}

// mapMachine maps the memories of a machine for the card.
func (r *harness) mapMachine(s *server.Server) {
	r.c.Memory = machineMemory{s}
	spaces := []link.Window{{Base: 0, Size: s.Host.Memory().Size()}}
	for _, g := range s.GPUs {
		spaces = append(spaces, link.Window{Base: g.PCIe.Base(), Size: g.PCIe.Memory().Size()})
	}
	for _, w := range spaces {
		_, err := r.c.Call(client.DMAMap, client.MapBody(3, 0, w.Base, w.Size))
		require.NoError(r.t, err)
	}
}

// requireIdentical trains with a card behind a socket, and without an accelerator. All parameters
// must be equal.
func requireIdentical(t *testing.T, c *configs.Config, newCard rootport.NewCard, inputs int64) {
	clicks, err := experiment.Clicks(c)
	require.NoError(t, err)
	model := c.For(clicks.Shape())
	from, err := train.Initial(model, c.Training.Seed)
	require.NoError(t, err)
	batches := func() *train.Batches {
		b, err := train.NewBatches(model, clicks, c.Training.Batch, inputs)
		require.NoError(t, err)
		t.Cleanup(func() { _ = b.Close() })
		return b
	}
	cfg := server.DefaultConfig()
	cfg.GPUs = c.Training.GPUs
	machine, err := server.New(cfg)
	require.NoError(t, err)
	base := hybrid.New(machine, from)
	want, err := train.Run(base, batches(), train.Unwatched{}, nil)
	require.NoError(t, err)

	machine, err = server.New(cfg) // with an empty slot
	require.NoError(t, err)
	r := newHarness(t, newCard)
	r.mapMachine(machine)
	h, err := hotline.New(machine, r.dev, from, hotline.DefaultOptions())
	require.NoError(t, err)
	got, err := train.Run(h, batches(), train.Unwatched{}, nil)
	require.NoError(t, err)
	require.Equal(t, want.Loss, got.Loss)
	compared, err := train.Compare(base, h)
	require.NoError(t, err)
	require.Positive(t, compared)
	require.Greater(t, r.c.Served, 1000, "rows went by messages")
	t.Logf("%d parameters, %d DMA messages", compared, r.c.Served)
}

// TestFunctionalModelTrains: training with the functional model behind the socket is exact, with
// rings in shared memory and rows by messages. It runs some mini-batches of the smallest
// configuration and the whole default configuration.
func TestFunctionalModelTrains(t *testing.T) {
	c, err := configs.Load("../../study/experiment/testdata/tiny.hcl")
	require.NoError(t, err)
	requireIdentical(t, c, newFunctional(*c.Accelerator), 320)
	if !testing.Short() {
		c = configs.Small()
		requireIdentical(t, c, newFunctional(*c.Accelerator), int64(c.Training.Batch*c.Training.Batches))
	}
}

// TestCycleModelTrains repeats TestFunctionalModelTrains with the compiled cycle model.
func TestCycleModelTrains(t *testing.T) {
	c := configs.Small()
	d, err := hw.Elaborate(top.Hotline{Params: *c.Accelerator})
	require.NoError(t, err)
	requireIdentical(t, c, func(k *des.Kernel, cfg link.EndpointConfig) (rootport.Card, error) {
		s, ok := compiled.Find(d)
		require.True(t, ok)
		return cycle.New(k, s, c.Period(), cfg)
	}, int64(2*c.Training.Batch))
}
