// Package parts holds what training systems are built from: the embedding
// tables in host memory, and the GPUs that train data-parallel.
//
// It may import host/rec, host/server and host/train.
package parts
