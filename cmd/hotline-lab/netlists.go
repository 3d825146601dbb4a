package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func mutantsVerb() *cobra.Command {
	var block string
	var count int
	var seed uint64
	c := verb("mutants", "Run the test of each block on mutants of its Verilog", anything,
		func(out, _ io.Writer) error { return verdict(mutants(out, block, count, seed)) })
	blockFlag(c, &block)
	c.Flags().IntVar(&count, "mutants", 100, "`number` for each block")
	c.Flags().Uint64Var(&seed, "seed", 1, "`seed` of Yosys")
	return c
}

func gatesVerb() *cobra.Command {
	var block string
	c := verb("gates", "Run the test of each block on its gates, and prove them", anything,
		func(out, _ io.Writer) error { return verdict(gates(out, block)) })
	blockFlag(c, &block)
	return c
}

func blockFlag(c *cobra.Command, block *string) {
	c.Flags().StringVar(block, "block", "*", "`name` of the package of a block, or a pattern of names")
}

// least is the percentage of mutants that the test of a block must detect.
const least = 95

// mutants runs the tests of blocks on mutants and reports whether they detect enough of them.
func mutants(out io.Writer, block string, count int, seed uint64) (ok bool, err error) {
	list, err := yosystest.Mutants(block, count, seed)
	return err == nil && printMutants(out, list), err
}

// gates runs the tests of blocks on their gate-level netlists and reports whether all netlists are
// proved equivalent.
func gates(out io.Writer, block string) (ok bool, err error) {
	list, err := yosystest.Gates(block)
	return err == nil && printGates(out, list), err
}

func printMutants(out io.Writer, list []yosystest.Report) (ok bool) {
	ok = len(list) > 0
	fmt.Fprintln(out, "| block | mutants | noticed | equivalent | left | noticed of the rest |\n|---|---:|---:|---:|---:|---:|")
	var all yosystest.Report
	for _, r := range list {
		row(out, r)
		ok = ok && percent(r) >= least
		all.Mutants, all.Killed, all.Equivalent = all.Mutants+r.Mutants, all.Killed+r.Killed, all.Equivalent+r.Equivalent
		all.Survivors = append(all.Survivors, r.Survivors...)
	}
	all.Block = "all"
	row(out, all)
	for _, r := range list {
		for _, s := range r.Survivors {
			fmt.Fprintf(out, "%s: %s\n", r.Block, s)
		}
	}
	return ok
}

func row(out io.Writer, r yosystest.Report) {
	fmt.Fprintf(out, "| `%s` | %d | %d | %d | %d | %.1f %% |\n", r.Block, r.Mutants, r.Killed, r.Equivalent, len(r.Survivors), percent(r))
}

// percent returns the percentage of detected mutants among the mutants that are not proved
// equivalent.
func percent(r yosystest.Report) float64 {
	if r.Mutants == r.Equivalent {
		return 100
	}
	return 100 * float64(r.Killed) / float64(r.Mutants-r.Equivalent)
}

func printGates(out io.Writer, list []yosystest.Report) (ok bool) {
	ok = len(list) > 0
	fmt.Fprintln(out, "| block | gates | bits without a proof |\n|---|---:|---:|")
	for _, r := range list {
		fmt.Fprintf(out, "| `%s` | %d | %d |\n", r.Block, r.Gates, r.Unproven)
		ok = ok && r.Unproven == 0
	}
	return ok
}
