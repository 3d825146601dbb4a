package command

import (
	"io"

	"github.com/spf13/cobra"
)

// quieted is stderr with --quiet: it discards progress and notes. Errors do not pass it, because
// execute writes them to the writer inside.
type quieted struct{ errors io.Writer }

// Write implements io.Writer.
func (quieted) Write(p []byte) (int, error) { return len(p), nil }

// addQuiet adds --quiet to all verbs.
func addQuiet(root *cobra.Command) {
	quiet := root.PersistentFlags().Bool("quiet", false, "print no progress and no notes, only errors, on stderr")
	root.PersistentPreRun = func(*cobra.Command, []string) {
		if *quiet {
			root.SetErr(quieted{root.ErrOrStderr()})
		}
	}
}
