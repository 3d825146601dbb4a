package card

import (
	"context"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/sim"
)

// Serve serves the card to virtual machines on a UNIX socket, by the vfio-user protocol, until the
// context ends. It calls design for a simulator of each card: at the beginning, and after each
// reset. log receives a line per event, such as a client that connects.
func (d *Description) Serve(ctx context.Context, socket string, design func() (sim.Simulator, error), log func(line string)) error {
	cfg := rootport.DefaultConfig()
	cfg.Endpoint, cfg.Log = d.Endpoint, func(line string) { log(d.Title + ": " + line) }
	insert := func(k *des.Kernel, e link.EndpointConfig) (rootport.Card, error) {
		s, err := design()
		if err != nil {
			return nil, err
		}
		return d.New(k, s, e)
	}
	return rootport.Serve(ctx, socket, cfg, insert, false)
}
