package rootport

import (
	"context"

	"github.com/hotline-rtl/hotline/host/device/vfiouser"
)

// Serve serves a port with a card to clients on a UNIX socket, by the vfio-user protocol, until the
// context ends. With messages, it reaches the client's memory by messages only. Config.Log also
// receives a line for each event of a client.
func Serve(ctx context.Context, socket string, cfg Config, card NewCard, messages bool) error {
	var port *Port
	s, err := vfiouser.New(func(h vfiouser.Host) (_ vfiouser.Device, err error) {
		port, err = New(cfg, card, h)
		return port, err
	})
	if err != nil {
		return err
	}
	defer port.Close()
	s.Messages, s.Log = messages, cfg.Log
	return s.Serve(ctx, socket)
}
