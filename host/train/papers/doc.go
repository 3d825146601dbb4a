// Package papers puts figures that the papers publish beside those of the model of
// time (package timing): speed-ups over models, GPUs, mini-batch sizes and software
// profiles, each with its range and the constants that it depends on most.
//
//	figures, err := papers.Figures(ctx, machine.Default(), nil)
//	papers.Print(os.Stdout, figures)
//
// Counts are those that the papers state, three quarters of the inputs popular, and
// not of a training; "hotline train" prints the same figures for a training's.
// A figure that a paper shows only as a picture has no value here.
//
// It promises that the same machine gives the same bytes. It may import host/node,
// host/node/machine, host/rec, host/train/timing and the standard library.
package papers
