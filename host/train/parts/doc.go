// Package parts holds what training systems are built from: the embedding
// tables in host memory, and the GPUs that train data-parallel.
//
// On a machine without values it lists the same rows and takes the same memory, but
// computes nothing.
//
// It may import host/rec, host/server and host/train.
package parts
