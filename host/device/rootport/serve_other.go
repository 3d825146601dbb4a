//go:build !linux

package rootport

import (
	"context"
	"errors"
)

// Serve returns an error, because it requires Linux.
func Serve(context.Context, string, Config, NewCard, bool) error {
	return errors.New("rootport: serving needs Linux: the protocol passes eventfds and memory files")
}
