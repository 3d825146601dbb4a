// Package fae is FAE (VLDB 2022): the rows that are read most are hot and on every
// GPU. Inputs that read hot rows only are trained on in mini-batches of their own, by
// the GPUs alone; all others as the hybrid system does, by CPU and GPUs.
//
//	mini-batches   place of hot rows    done
//	cold           host memory          CPU pools and updates all rows
//	  swap                              hot rows that changed are copied to all GPUs
//	hot            GPUs                 GPUs pool and update their copies
//	  swap                              hot rows that changed are copied to host memory
//
// Package static says which rows and inputs are hot, before the training and once for
// a data set; package shuffle says when the kind changes.
//
// It promises
//   - the parameters of sequential training in the order in which it trains: cold and
//     hot mini-batches, each filled with the next inputs of its kind;
//   - that all inputs are trained on, once;
//   - that the copies of a hot row are alike on all GPUs: those that are not end the
//     run when they are read;
//   - that a swap copies what changed since the last one, and nothing else.
//
// The loss that the scheduler follows is that of inputs behind those that are trained
// on, as many as Options.Test or as there are. Where there are none, and on a machine
// without values, the rate stays R(50), as it does while the loss falls; where it
// rises there are more swaps, and so other times than without values.
package fae
