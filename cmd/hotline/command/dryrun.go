package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

// dryRunKey marks the context of commands that are only checked.
type dryRunKey struct{}

// dryRun checks a command line like the command itself, but runs nothing.
func dryRun(ctx context.Context, args []string) error {
	c := root(args)
	c.SetArgs(args)
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	return c.ExecuteContext(context.WithValue(ctx, dryRunKey{}, true))
}

// isDryRun reports whether a command must stop after checking its arguments.
func isDryRun(cmd *cobra.Command) bool { return cmd.Context().Value(dryRunKey{}) != nil }
