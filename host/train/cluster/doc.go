// Package cluster has the building blocks of training systems: embedding tables in host memory
// ([Tables]), and GPUs that train data-parallel ([Cluster]). GPUs may also hold rows: [Replicas]
// are copies on all GPUs, [Buffers] are copies for one mini-batch, and [Shards] distribute tables
// over the GPUs, which exchange rows with an [Exchange].
//
// On a machine without values, the building blocks list the same rows and allocate the same memory,
// but compute nothing.
package cluster
