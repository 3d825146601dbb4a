// Package sweep runs a job at many points: a program with its arguments and files in HCL,
// in which a grid, or a sample of it, sets attributes and arguments.
//
//	f, err := sweep.Load("banks.hcl")       // what to run, the axes
//	plan, err := f.Plan(programs)           // the points, each with its files and its key
//	err = plan.Check(ctx)                   // all of them, before the first runs
//	store, err := sweep.Create(dir, plan)   // remembers results by key
//	err = sweep.Run(ctx, store, options)    // or Submit, to a Slurm cluster
//	table, err := store.Table()             // as CSV, or a page with pictures
//
// It promises
//   - that mistakes in the file, and those that a program's check finds in a point, are
//     reported with file and line before anything runs;
//   - that the same file gives the same points, and the same results the same tables, to
//     the byte;
//   - that a point whose result is there does not run again, and that a process which is
//     killed leaves either a whole result or none: results are renamed into place;
//   - that a point which fails stays in the table, with its log, and stops no other.
//
// It knows none of the programs: their names, the text of their files and their checks are
// given to it. Of this module it imports host/ui/picture only.
package sweep
