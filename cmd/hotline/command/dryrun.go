package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

// dryRunKey marks the context of commands that are only to be checked.
type dryRunKey struct{}

// dryRun checks a command line as the command itself does, and runs nothing.
func dryRun(ctx context.Context, args []string) error {
	c := root(args)
	c.SetArgs(args)
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	return c.ExecuteContext(context.WithValue(ctx, dryRunKey{}, true))
}

// isDryRun reports to a command that it has done all that was asked for, when it has checked
// what it was given and not begun to work.
func isDryRun(cmd *cobra.Command) bool { return cmd.Context().Value(dryRunKey{}) != nil }
