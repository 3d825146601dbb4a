package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/accuracy"
)

func accuracyVerb() *cobra.Command {
	var draw bool
	c := verb("accuracy", "Compare the accuracy of systems with that of sequential training", anything,
		func(out, log io.Writer) error { return accuracy.Run(draw, out, log) })
	c.Flags().BoolVar(&draw, "draw", false, "draw the pictures and print the tables of what was measured before")
	return c
}
