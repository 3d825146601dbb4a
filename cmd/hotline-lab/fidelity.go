package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/fidelity"
)

func fidelityVerb() *cobra.Command {
	var quick, raw bool
	var only string
	c := verb("fidelity", "Compare the functional model of the accelerator with the cycle model", anything,
		func(out, log io.Writer) error { return fidelity.Run(quick, raw, only, out, log) })
	c.Flags().BoolVar(&quick, "quick", false, "the points of the small configuration alone")
	c.Flags().StringVar(&only, "only", "", "points whose names contain `text`")
	c.Flags().BoolVar(&raw, "cycle", false, "print the cycle model's results of the point named by --only, as JSON")
	return c
}
