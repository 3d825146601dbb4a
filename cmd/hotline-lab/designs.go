package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/designs"
)

func designsVerb() *cobra.Command {
	var s designs.Settings
	c := &cobra.Command{
		Use:   "designs DIR",
		Short: "Import public designs from the checkouts in a folder, and compare them with Verilator",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return usage(errors.New("expected one folder"))
			case s.Cycles < 1:
				return usage(errors.New("--cycles is 0, expected at least 1"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			s.Dir = args[0]
			return verdict(s.Run(c.Context(), c.OutOrStdout()))
		},
	}
	c.Flags().StringSliceVar(&s.Only, "only", nil, "compare only `names` of designs, separated by commas")
	c.Flags().Uint64Var(&s.Cycles, "cycles", 1_000_000, "`cycles` of each compiled model; the interpreter runs a fiftieth")
	c.Flags().Uint64Var(&s.Seed, "seed", 1, "`seed` of the inputs")
	return c
}
