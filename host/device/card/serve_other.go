//go:build !linux

package card

import (
	"context"
	"errors"

	"github.com/hotline-rtl/hotline/sim"
)

// Serve returns an error, because it requires Linux.
func (d *Description) Serve(context.Context, string, func() (sim.Simulator, error), func(string)) error {
	return errors.New("card: serving needs Linux: the protocol passes eventfds and memory files")
}
