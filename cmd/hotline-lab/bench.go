package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/bench"
)

func benchVerb() *cobra.Command {
	var s bench.Settings
	c := verb("bench", "Compare the generated Go models with Verilator", s.Complete, func(out, _ io.Writer) error { return s.Run(out) })
	c.Flags().BoolVar(&s.Quick, "quick", false, "up to three rounds of shorter runs")
	c.Flags().BoolVar(&s.JSON, "json", false, "print one JSON object a line")
	c.Flags().BoolVar(&s.Check, "check", false, "fail if vectors gain a tenth less than they did; runs Go models only")
	c.Flags().BoolVar(&s.Copies, "copies", false, "measure copies of small designs side by side, with a stimulus for each")
	c.Flags().StringArrayVar(&s.Verilators, "verilator", nil, "compare with this `program`; may be repeated (default verilator)")
	c.Flags().StringArrayVar(&s.Compilers, "cxx", nil, "build Verilator's programs with this `compiler`; may be repeated (default clang++ or else g++)")
	c.Flags().StringSliceVar(&s.Only, "only", nil, "measure only `names` of designs, separated by commas")
	c.Flags().IntVar(&s.Rounds, "rounds", 7, "interleaved `runs` of each engine")
	c.Flags().StringVar(&s.Dir, "dir", "", "`folder` for builds (default: in the user's cache)")
	return c
}
