// Package papers compares the numbers that five papers publish with our numbers.
//
// The papers are data, in HCL: workloads, and rows with the published value, its place in the
// paper, its class, its condition and its counting rule. A row names a measure and its parameters.
// Measures are code: a time of package timing, or a count of a run. Verdicts are code too, as are
// the statistics that show how significant the number of rows that hold is.
//
//	r, err := papers.Reproduce(ctx, papers.Options{Machine: machine.Default()})
//	papers.Print(os.Stdout, r, machine.Default(), false)
//
// The package guarantees three properties. The same machine gives the same bytes, whether a row is
// evaluated or cached. A row to which a constant was fitted, or by which a choice was made, is
// never a result. A verdict depends only on the published number, our number, and a rule for its
// class.
package papers
