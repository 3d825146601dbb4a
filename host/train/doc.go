// Package train is the harness around training systems. It cuts a data set into mini-batches, runs
// a [System] over them, collects the [Result], and compares all parameters of two systems bit by
// bit.
//
//	batches, _ := train.NewBatches(model, set, 2048)
//	start, _ := train.Initial(model, seed)
//	base := hybrid.New(machine, start)
//	result, _ := train.Run(base, batches, train.Unwatched{}, nil)
//	n, err := train.Compare(base, other)
//
// Loss and AUC of a result are computed from predictions that were made before the model was
// trained on the input. Compare covers every parameter that either system may have changed.
//
// A system computes and counts the work that it requests from the machine. Package timing converts
// this work to time.
//
// Each system is a package below this one, and only package catalog names the systems. Package
// cluster contains their common building blocks. A system describes itself with a
// registry.Description:
//
//	name, title, guarantee   help, --system, reports, which parameters are compared
//	block and options        a block of the configuration, decoded and checked by its struct
//	New                      builds it from a setting: options, GPUs, mini-batches, seed
//	Check, Keeps, Reference      what it refuses, the memory it takes, its reference
//	train.System.Order       how its counted work becomes time
//
// So a new system is a folder and a line of the catalog. A program outside of this module passes
// its own description (docs/tutorial/training-system.md).
package train
