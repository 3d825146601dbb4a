package fault

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Target is a card whose link an injection disturbs.
type Target struct {
	Kernel   *des.Kernel
	Link     *link.Link
	Endpoint *link.Endpoint
	// Timeout is the completion timeout of the card's reads.
	Timeout des.Time
	// GPUs contains the addresses of GPU memory. A virtual machine has none: all its memory is host
	// memory.
	GPUs []link.Window
	// Foreign is a card other than the accelerator. It has no rings: nothing is at the places Command,
	// Completion and Doorbell.
	Foreign bool
	// FLR performs a function-level reset that the driver did not request.
	FLR func()
}

// Inject applies a plan to the accelerator in the slot of s, whose endpoint is ep.
func Inject(s *server.Server, ep *link.Endpoint, p *Plan) *Injection {
	t := Target{Kernel: s.Kernel, Link: s.Slot(), Endpoint: ep, Timeout: s.Config.Endpoint.CompletionTimeout, FLR: ep.FLR}
	for _, g := range s.GPUs {
		t.GPUs = append(t.GPUs, g.PCIe.Windows()...)
	}
	x := New(p)
	x.Attach(t)
	return x
}
