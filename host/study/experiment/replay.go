package experiment

import (
	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/device/trace"
)

// Replay replays a capture to a new accelerator on the link of a configuration. It returns the
// errors of trace.Trace.Replay.
func Replay(c *configs.Config, a Accelerator, t *trace.Trace) (trace.Replayed, error) {
	s, err := server.New(serverOf(c))
	if err != nil {
		return trace.Replayed{}, err
	}
	card, err := a.New(s)
	if err != nil {
		return trace.Replayed{}, err
	}
	return t.Replay(s.Kernel, s.Config.Slot, card)
}

// Insert creates the server of a configuration with an accelerator in its slot and without a
// driver. slot, unless nil, receives the server before any transfer on the accelerator's link.
func Insert(c *configs.Config, a Accelerator, slot func(*server.Server)) (*server.Server, *server.Device, error) {
	s, err := server.New(serverOf(c))
	if err != nil {
		return nil, nil, err
	}
	card, err := a.New(s)
	if err != nil {
		return nil, nil, err
	}
	if slot != nil {
		s.Attached = func() { slot(s) }
	}
	dev, err := s.Insert(card)
	return s, dev, err
}
