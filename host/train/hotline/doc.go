// Package hotline is the training loop of Hotline (ISCA 2024) around the
// accelerator: it lets the accelerator learn which rows are hot and copies those
// to the GPUs; then, for each mini-batch, the GPUs train on the popular inputs
// from their own memory while the accelerator gathers and pools the rows of the
// others, and afterwards updates the cold rows in host memory.
//
//	mini-batch m        GPUs                    accelerator
//	                    popular inputs          classify m+1
//	                                            gather m
//	                    non-popular inputs
//	                    all-reduce, update
//	                                            update m
//
// It promises
//   - that each row lives in one place: host memory, or the hot table of every
//     GPU. What is left in host memory of a hot row is poisoned;
//   - that the numbers are those that the accelerator and the memories held:
//     pooled vectors are read where the accelerator wrote them, cold rows are
//     changed by nobody else;
//   - that a pooled vector or a part of the hot set which does not arrive, a
//     bitmap that does not fit the hot set wherever it is, replicas of a row which
//     differ after its update, or an answer of the accelerator that cannot be, end
//     the run in the mini-batch where it happens, with an error that names it.
//
// On a machine without values nothing is poisoned, and nobody looks at pooled
// vectors; all else is checked as ever.
//
// A cold row whose write to host memory is lost is not noticed here: it looks as
// it did before its update. The comparison of all parameters finds it.
//
// It may import host/driver, host/node, host/rec, host/server, host/train and
// host/train/parts; the accelerator is whatever sits in the server's slot.
package hotline
