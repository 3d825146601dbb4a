package asm

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// own measures, on the accelerator's link, how long the accelerator is busy with a command. The
// measurement lasts from the arrival of the command until its completion entry enters the link.
type own struct {
	link    *link.Link
	id      uint32
	arrived des.Time
	took    des.Time
}

// observe starts to measure the commands on a link.
func observe(l *link.Link) *own {
	o := &own{link: l}
	l.Observe(o.see)
	return o
}

func (o *own) see(dir link.Direction, at des.Time, t *pcie.TLP) {
	switch {
	case dir == link.Down && t.Kind == pcie.CplD && len(t.Data) == arch.CommandBytes:
		if _, id, intact := arch.DecodeCommand(t.Data); intact {
			o.id, o.arrived, o.took = id, at+o.link.Transit(dir, t), 0
		}
	case dir == link.Up && t.Kind == pcie.MWr && len(t.Data) == arch.CompletionBytes:
		if c, intact := arch.DecodeCompletion(t.Data); intact && c.ID == o.id {
			o.took = at - o.arrived
		}
	}
}
