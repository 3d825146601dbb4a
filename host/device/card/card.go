package card

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/sim"
)

// Card is a design in a PCIe slot, for package server.
type Card = cycle.Card

// New returns a card whose logic is a simulated design. It returns an error if the design does not
// have the ports of a card. e is the Endpoint of the description, possibly with other settings.
func (d *Description) New(k *des.Kernel, s sim.Simulator, e link.EndpointConfig) (*Card, error) {
	if err := d.check(s); err != nil {
		return nil, err
	}
	return d.Boundary.New(k, s, d.Period, e)
}
