// Package checkpoint keeps a model between two mini-batches in a file, so that a
// training goes on later as if it had never stopped: on any training system and
// any number of GPUs, with the same bits. It also exports all parameters, for
// other programs. docs/how-to/checkpoint.md lists what is in the files.
//
//	state, _ := start.After(system)
//	err := checkpoint.Write(path, &checkpoint.Checkpoint{State: state, Batch: 256, MiniBatches: 12, ...})
//	c, err := checkpoint.Read(path, model, seed, 256)
//
// It promises that the same state makes the same bytes, that a file is whole or
// not there, and that a file which is damaged, or of another model, seed,
// optimiser or size of mini-batch, is an error that says so.
package checkpoint
