package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/arithmetic"
)

func arithmeticVerb() *cobra.Command {
	var pairs int
	var seed uint64
	c := verb("arithmetic", "Compare sums and products of binary32 numbers with this machine's", func() error {
		if pairs < 1 {
			return errors.New("expected at least 1 pair")
		}
		return nil
	}, func(out, _ io.Writer) error { return arithmetic.Run(pairs, seed, out) })
	c.Flags().IntVar(&pairs, "pairs", 100_000_000, "`number` of pairs of operands")
	c.Flags().Uint64Var(&seed, "seed", 1, "of the pairs")
	return c
}
