// Package fae is FAE (VLDB 2022). The rows that are read most are hot and on every GPU. Inputs that
// read only hot rows form their own mini-batches, on which the GPUs train without the CPU. All
// other inputs are trained on by CPU and GPUs, as in the hybrid system.
//
//	mini-batches   place of hot rows    done
//	cold           host memory          CPU pools and updates all rows
//	  swap                              hot rows that changed are copied to all GPUs
//	hot            GPUs                 GPUs pool and update their copies
//	  swap                              hot rows that changed are copied to host memory
//
// Package static determines the hot rows and inputs once for a data set, before the training.
// Package shuffle determines when the kind of mini-batch changes.
//
// The package guarantees:
//   - Parameters are identical to sequential training in FAE's order: cold and hot mini-batches,
//     each filled with the next inputs of its kind.
//   - Each input is trained on exactly once.
//   - The copies of a hot row are equal on all GPUs. A difference ends the run when the row is
//     read.
//   - A swap copies exactly the rows that changed since the previous swap.
//
// The scheduler follows the loss of up to Options.Test inputs after the training inputs. Without
// such inputs, and on a machine without values, the rate stays R(50), as it does while the loss
// falls. If the loss rises, there are more swaps; then times differ from the times without values.
package fae
