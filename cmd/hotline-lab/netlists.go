package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/netlists"
)

func mutantsVerb() *cobra.Command {
	var block string
	var count int
	var seed uint64
	c := verb("mutants", "Run the test of each block on mutants of its Verilog", anything,
		func(out, _ io.Writer) error { return verdict(netlists.Mutants(out, block, count, seed)) })
	blockFlag(c, &block)
	c.Flags().IntVar(&count, "mutants", 100, "`number` for each block")
	c.Flags().Uint64Var(&seed, "seed", 1, "`seed` of Yosys")
	return c
}

func gatesVerb() *cobra.Command {
	var block string
	c := verb("gates", "Run the test of each block on its gates, and prove them", anything,
		func(out, _ io.Writer) error { return verdict(netlists.Gates(out, block)) })
	blockFlag(c, &block)
	return c
}

func blockFlag(c *cobra.Command, block *string) {
	c.Flags().StringVar(block, "block", "*", "`name` of the package of a block, or a pattern of names")
}
