package command

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// starter contains the files that hotline init writes. Their names end with .txt, so that they
// are no packages of this module.
//
//go:embed starter
var starter embed.FS

func initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Write a small module with a design and a test to start from",
		Long: `Writes a Go module to a new or empty folder: a counter, its test, and a program
that generates its Verilog. README.md in it lists what to do next.`,
		Example: `  hotline init counter`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(fmt.Errorf("%d arguments are given; expected one folder; see '%s --help'", len(args), c.CommandPath()))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkEmpty(args[0]); err != nil {
				return usage(err)
			}
			if err := writeStarter(args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%[1]s: a counter to start from. Next: cd %[1]s && go mod tidy && go test -short .\n"+
				"README.md in it has more commands, and says how to use a clone instead of a download.\n", args[0])
			return err
		},
	}
}

// checkEmpty returns an error if dir is there and is not an empty folder.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: it has %s; name a new or an empty folder", dir, entries[0].Name())
	}
	return nil
}

// writeStarter writes the files of the starter to dir.
func writeStarter(dir string) error {
	return fs.WalkDir(starter, "starter", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := starter.ReadFile(name)
		if err != nil {
			return err
		}
		name = strings.TrimSuffix(strings.TrimPrefix(name, "starter/"), ".txt")
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := outfile.Folder(filepath.Dir(to)); err != nil {
			return err
		}
		return outfile.WriteBytes(to, text)
	})
}
