package command

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline/attributes"
)

func configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the blocks and attributes of every HCL file",
		Long: `Prints each block and attribute of the HCL files that you can write, with type, unit,
range and default: accelerators and runs, machines, software profiles, fault plans,
sweeps and logs. docs/reference/configuration.md has the same text.`,
		Example: `  hotline config | less`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printMarkdown(cmd.OutOrStdout(), func(w io.Writer) error {
				_, err := io.WriteString(w, attributes.Page())
				return err
			})
		},
	}
}
