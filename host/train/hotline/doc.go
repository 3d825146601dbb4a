// Package hotline is the training loop of Hotline (ISCA 2024) around its accelerator. The
// accelerator learns which rows are hot, and the loop copies these rows to all GPUs. For each
// mini-batch, the GPUs train on the popular inputs from their own memory. Meanwhile the accelerator
// gathers and pools the rows of the non-popular inputs. At the end it updates the cold rows in host
// memory.
//
//	mini-batch m        GPUs                    accelerator
//	                    popular inputs          classify m+1
//	                                            gather m
//	                    non-popular inputs
//	                    all-reduce, update
//	                                            update m
//
// The package guarantees:
//   - Each row is in one place: host memory, or the hot table of every GPU. The old copy of a hot
//     row in host memory is poisoned.
//   - The training uses the values that the accelerator produced. Pooled vectors are read from
//     where the accelerator wrote them, and only the accelerator changes cold rows.
//   - All writes of the accelerator have arrived: the loop compares their sum with the sum in the
//     completion. A command with a lost write is repeated.
//   - A transient fault of the accelerator or its link costs time only. The loop resets the
//     accelerator, writes its registers, lets it learn again, restores cold rows, and repeats the
//     affected part of the training.
//   - A permanent fault ends the run in its mini-batch with an error. So does a bitmap that
//     contradicts the hot set, a difference between replicas of a row after its update, or an
//     impossible answer of the accelerator.
//
// On a machine without values nothing is poisoned, and pooled vectors and rows are not checked. All
// other checks remain.
//
// The accelerator is any device in the server's slot.
package hotline
