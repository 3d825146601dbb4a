//go:build !linux

package command

import (
	"context"
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/rootport"
)

// serve returns an error, because it requires Linux.
func (f serveFlags) serve(context.Context, rootport.Config, rootport.NewCard, func(string)) error {
	return fmt.Errorf("serve needs Linux: the protocol passes eventfds and memory files")
}
