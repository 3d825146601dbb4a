// Package papers compares the numbers that five papers publish with ours.
//
// The papers are data, in HCL: workloads, and rows with the published value, its place in the paper,
// its class, its condition and its counting rule. A row names a measure and its parameters. Measures
// are code: a time of package timing, or a count of a run. So are the verdicts, and the statistics
// that show what the number of rows that hold is worth.
//
//	r, err := papers.Reproduce(ctx, papers.Options{Machine: machine.Default()})
//	papers.Print(os.Stdout, r, machine.Default(), false)
//
// It guarantees that the same machine gives the same bytes, whether a row is evaluated or was kept;
// that a row which anything was fitted to, or chosen by, is never a result; and that no verdict
// depends on anything but the published number, ours, and a rule for its class.
package papers
