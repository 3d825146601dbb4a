// Package cluster holds what training systems are built from: the embedding
// tables in host memory, and the GPUs that train data-parallel (Cluster). Rows may also live
// on all GPUs alike (Replicas), be copied there for a mini-batch (Buffers), or be
// dealt out to the GPUs (Shards) and exchanged among them (Exchange).
//
// On a machine without values it lists the same rows and takes the same memory, but
// computes nothing.
package cluster
