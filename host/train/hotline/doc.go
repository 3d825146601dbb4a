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
//   - that what the accelerator has written is there: all of it is added up and
//     compared with the sum in the completion. A command of which something is lost is
//     carried out again;
//   - that a fault of the accelerator or of the way to it costs time and nothing
//     else: the part of the training that it has hit is begun again, on an
//     accelerator that was reset, told its registers and has learned anew, with the
//     cold rows as they were before their update;
//   - that a fault which stays, a bitmap that does not fit the hot set wherever it
//     is, replicas of a row which differ after its update, or an answer of the
//     accelerator that cannot be, end the run in the mini-batch where it happens,
//     with an error that names it.
//
// On a machine without values nothing is poisoned, and nobody looks at pooled
// vectors and rows; all else is checked as ever.
//
// The accelerator is whatever is in the server's slot.
package hotline
