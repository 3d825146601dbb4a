package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

// rehearsal marks the context of commands that are only to be checked.
type rehearsal struct{}

// rehearse checks a command line as the command itself does, and runs nothing.
func rehearse(ctx context.Context, args []string) error {
	c := root(args)
	c.SetArgs(args)
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	return c.ExecuteContext(context.WithValue(ctx, rehearsal{}, true))
}

// rehearsed tells a command that it has done all that was asked for, when it has checked
// what it was given and not begun to work.
func rehearsed(cmd *cobra.Command) bool { return cmd.Context().Value(rehearsal{}) != nil }
