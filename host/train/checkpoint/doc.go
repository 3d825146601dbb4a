// Package checkpoint stores a model between two mini-batches in a file. A training can resume from
// it, bit-identical to an uninterrupted training, on any training system and any number of GPUs.
// The package also exports all parameters for other programs. docs/how-to/checkpoint.md describes
// the files.
//
//	state, _ := start.After(system)
//	err := checkpoint.Write(path, &checkpoint.Checkpoint{State: state, Batch: 256, MiniBatches: 12, ...})
//	c, err := checkpoint.Read(path, model, seed, 256)
//
// Equal states give equal bytes. Writing is atomic. Reading returns a descriptive error if the file
// is damaged, or belongs to another model, seed, optimiser or size of mini-batch.
package checkpoint
