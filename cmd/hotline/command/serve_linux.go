package command

import (
	"context"
	"errors"
	"syscall"

	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/device/vfiouser"
)

// serve serves clients until the context ends.
func (f serveFlags) serve(ctx context.Context, cfg rootport.Config, newCard rootport.NewCard, say func(string)) error {
	var port *rootport.Port
	s, err := vfiouser.New(func(h vfiouser.Host) (_ vfiouser.Device, err error) {
		port, err = rootport.New(cfg, newCard, h)
		return port, err
	})
	if err != nil {
		return err
	}
	defer port.Close()
	s.Messages, s.Log = f.messages, say
	err = s.Serve(ctx, f.socket)
	for _, mistake := range []error{syscall.EADDRINUSE, syscall.ENOENT, syscall.ENOTDIR, syscall.EACCES, syscall.EINVAL} {
		if errors.Is(err, mistake) { // caused by the path
			return usage(err)
		}
	}
	return err
}
