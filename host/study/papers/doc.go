// Package papers puts the numbers that five papers publish beside what is found here.
//
// What they publish are records, in HCL: where it stands, the value or the order, how it comes
// about, how near is near enough, whether something here was fitted to it, and what it rests on. A
// record names the experiment that evaluates it, or says why none does. Experiments are sizes and
// counts; trainings on generated clicks; figures of the model of time (package timing) over models,
// GPUs and software profiles, each with its range and the constants that it depends on most; and
// orders of systems, with what turns those round that are not in the paper's. Studies of the
// accelerator's sizes stand where a paper has only a picture.
//
//	r, err := papers.Reproduce(ctx, papers.Options{Machine: machine.Default()})
//	papers.Print(os.Stdout, r, machine.Default())
//
// What does not hold is tried with every other software and both ends of every constant, and what
// makes it hold is told. Nothing of ours is typed in.
//
// It promises that the same machine gives the same bytes, whether an experiment is run or was kept;
// that a row something was fitted to never counts as a result; and that each change it tells of makes
// its row hold.
package papers
