// Package parts holds what training systems are built from: the embedding
// tables in host memory, the GPUs that train data-parallel, the time that the
// parts of a step take, and the division of a run's time into parts.
//
// It promises that numbers are computed when simulated time has reached the end
// of the work that computes them, from what memory holds then.
//
// It may import host/node, host/rec, host/server and host/train.
package parts
