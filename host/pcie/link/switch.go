package link

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// Switch connects devices to one upstream port.
type Switch struct{ hub }

// SwitchLatency is the default time that a TLP spends in a switch, an assumption.
const SwitchLatency = 110 * des.Nanosecond

// NewSwitch returns a switch whose upstream port has the given ID. The switch must be attached
// before any device is attached to it.
func NewSwitch(k *des.Kernel, id pcie.ID, latency des.Time) *Switch {
	s := &Switch{}
	s.init(k, id, latency)
	s.tell = func(x config.Severity) {
		if s.uplink != nil {
			s.uplink.Send(pcie.NewMessage(id, errorMessage[x]), nil)
		}
	}
	return s
}

// ID implements [Device].
func (s *Switch) ID() pcie.ID { return s.id }

// Windows implements [Device]. A switch claims no window for itself.
func (s *Switch) Windows() []Window { return nil }

// Attached implements [Device].
func (s *Switch) Attached(p *Port) {
	s.uplink = p
	p.SetECRC(s.digests())
	switch above := p.link.ports[Down].own.(type) {
	case *RootComplex:
		s.parent = &above.hub
	case *Switch:
		s.parent = &above.hub
	}
}

// Attach attaches a device below the switch. It fails if the switch itself is not attached, if the
// ID or an address is taken, or if the configuration is out of range.
func (s *Switch) Attach(cfg Config, d Device) (*Link, error) {
	if s.uplink == nil {
		return nil, fmt.Errorf("link: switch %v must be attached before %v is attached to it", s.id, d.ID())
	}
	return s.attach(s, cfg, d)
}
