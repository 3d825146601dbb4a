// Package sweep runs a job at many points. A job is a program with arguments and HCL files. The
// points form a grid, or a sample of it, which sets attributes and arguments.
//
//	f, err := sweep.Load("banks.hcl")       // what to run, the axes
//	plan, err := f.Plan(programs)           // the points, each with its files and its key
//	err = plan.Check(ctx)                   // all of them, before the first runs
//	store, err := sweep.Create(dir, plan)   // remembers results by key
//	err = sweep.Run(ctx, store, options)    // or Submit, to a Slurm cluster
//	table, err := store.Table()             // as CSV, or a page with pictures
//
// It guarantees:
//   - Mistakes in the file, and mistakes that a program's check finds in a point, are reported with file
//     and line before anything runs.
//   - The same file produces the same points, and the same results produce byte-identical tables.
//   - A point with a result does not run again. A process that is killed leaves either a complete result
//     or none, since results are renamed into place.
//   - A failed point stays in the table, with its log, and does not stop other points.
//
// The package does not depend on the programs: it receives their names, the text of their files and
// their checks. It imports no simulation or training packages.
package sweep
