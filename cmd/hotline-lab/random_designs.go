package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomdesigns"
)

func randomDesignsVerb() *cobra.Command {
	var s randomdesigns.Settings
	c := verb("random-designs", "Compare all engines on random designs",
		func() error { return s.Check() }, func(out, log io.Writer) error { return verdict(s.Run(out, log)) })
	c.Flags().Uint64Var(&s.Designs, "designs", 10_000, "number of designs")
	c.Flags().Uint64Var(&s.First, "first", 0, "`seed` of the first; the others follow")
	c.Flags().IntVar(&s.Cycles, "cycles", 200, "cycles of each")
	c.Flags().Uint64Var(&s.Batch, "batch", 100, "`designs` that are built together")
	c.Flags().BoolVar(&s.Models, "models", false, "leave out Verilator and Icarus: a design takes a third of the time")
	c.Flags().StringVar(&s.Keep, "keep", "", "build the programs of the models in this `folder`, and run nothing")
	c.Flags().BoolVar(&s.JSON, "json", false, "print one JSON object (docs/reference/json.md)")
	return c
}
