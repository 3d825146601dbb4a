package main

import (
	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/levels"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

func levelsVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "levels [LEVEL]...",
		Short: "Report the instruction sets that this processor lacks, and fail if it lacks one of the arguments",
		RunE: func(c *cobra.Command, args []string) error {
			return levels.Report(args, model.Level.Check, c.OutOrStdout())
		},
	}
}
