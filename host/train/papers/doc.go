// Package papers puts what the papers publish beside what is computed here: results
// that need no time, such as sizes and counts; figures of the model of time (package
// timing) over models, GPUs and software profiles, each with its range and the
// constants that it depends on most; and the order of the systems that a figure
// compares, with what turns those round that are not in the paper's.
//
//	list, err := papers.Evaluate(ctx, machine.Default(), papers.Names(), nil)
//	papers.Print(os.Stdout, list)
//
// Counts are those that a paper states, or of short trainings without values on
// generated clicks; "hotline train" prints the same figures for a training's. A figure
// that a paper shows only as a picture has no value here.
//
// Of ours nothing is typed in. What is: the papers' numbers, what is near enough to be
// the same, and notes; a result that is not the same has one.
//
// It promises that the same machine gives the same bytes. It may import the packages
// of host that models, clicks, machines, times and systems need, and of hw/hotline the
// reference models, which have no cycles.
package papers
