package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/host/ui/input"
	"github.com/hotline-rtl/hotline/sim/cover"
)

func coverCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "cover FILE...",
		Short: "Report the coverage of simulations",
		Long: `Merges coverage records of 'hotline cosim --cover', 'hotline verify --cover' and
'scripts/random-commands --cover', and prints a report in Markdown. For each module it
has the number of register bits that rose and fell, of named values that occurred, such
as states, and of conditions that were met, and lists what occurred in no instance. All
records must be of one design: of one configuration and one version.

docs/evidence/verification.md defines what counts.`,
		Example: `  hotline verify --cover verify.json
  hotline cosim --cover cosim.json
  scripts/random-commands --cover commands.json
  hotline cover verify.json cosim.json commands.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("no file is given; expected records of coverage; see 'hotline cover --help'"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			all, err := mergeCover(files)
			if err != nil {
				return usage(err)
			}
			if out != "" {
				if err := all.Save(out); err != nil {
					return err
				}
			}
			return printMarkdown(cmd.OutOrStdout(), all.Print)
		},
	}
	c.Flags().StringVar(&out, "out", "", "`FILE` for the merged record")
	return c
}

// mergeCover merges the records of all files.
func mergeCover(files []string) (*cover.Record, error) {
	for _, f := range files {
		if err := input.Check(f); err != nil {
			return nil, err
		}
	}
	all, err := cover.Load(files[0])
	if err != nil {
		return nil, err
	}
	for _, f := range files[1:] {
		r, err := cover.Load(f)
		if err != nil {
			return nil, err
		}
		if err := all.Merge(r); err != nil {
			return nil, errors.New(f + ": " + err.Error())
		}
	}
	return all, nil
}
