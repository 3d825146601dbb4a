// Package train is the harness around training systems: it cuts a data set into
// mini-batches, runs a System over them, reports what came out, and compares
// all parameters of two systems bit by bit.
//
//	batches, _ := train.NewBatches(model, set, 2048)
//	start, _ := train.Initial(model, seed)
//	base := hybrid.New(machine, start)
//	result, _ := train.Run(base, batches, train.Unwatched{}, nil)
//	n, err := train.Compare(base, other)
//
// It promises that loss and AUC of a result are those of predictions made
// before the model was trained on the input, and that Compare looks at every
// parameter that either system may have changed.
//
// A system computes; what it asked of the machine makes its time, in timing.
//
// Each system is a package below, and only package catalog names it; what systems have in
// common is in parts. A system describes itself to the others (registry.Description):
//
//	name, title, guarantee   help, --system, reports, which parameters are compared
//	block and options        a block of the configuration, decoded and checked by its struct
//	New                      builds it from a setting: options, GPUs, mini-batches, seed
//	Check, Keeps, Truth      what it refuses, the memory it takes, its reference
//	train.System.Order       how its counted work becomes time
//
// So a new system is a folder and a line of the catalog. A program outside of this module
// passes its own description (docs/tutorial/training-system.md).
package train
