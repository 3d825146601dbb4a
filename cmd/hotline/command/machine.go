package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/ui/table"
)

func machineCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "machine [NAME]",
		Short: "Print the constants of a machine or of a software profile",
		Long: `Prints the HCL of a machine (` + strings.Join(machine.Names(), ", ") + `), each constant with its
range and its source, or of a software profile
(` + strings.Join(timing.ProfileNames(), ", ") + `). --machine and
--profile also accept a file with other values; its name must end with .hcl. Without a
name, lists all machines and profiles.`,
		Example: `  hotline machine
  hotline machine v100 >mine.hcl
  hotline train --machine mine.hcl`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(fmt.Errorf("%q: %s takes one name; see '%s --help'", args[1], c.Name(), c.CommandPath()))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listMachines(cmd)
			}
			text, err := machine.Source(args[0])
			if err != nil {
				if text, err = timing.ProfileSource(args[0]); err != nil {
					return usage(fmt.Errorf("there is no machine and no profile %q; see 'hotline machine'", args[0]))
				}
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
}

// listMachines prints names and titles.
func listMachines(cmd *cobra.Command) error {
	text := ""
	for _, name := range machine.Names() {
		m, err := machine.Named(name)
		if err != nil {
			return err
		}
		text += fmt.Sprintf("%-18s %s\n", name, m.Title)
	}
	for _, name := range timing.ProfileNames() {
		p, err := timing.LoadProfile(name)
		if err != nil {
			return err
		}
		text += fmt.Sprintf("%-18s %s\n", name, p.Title)
	}
	w := cmd.OutOrStdout()
	_, err := io.WriteString(w, table.Wrap(text, table.Width(w), 19))
	return err
}
