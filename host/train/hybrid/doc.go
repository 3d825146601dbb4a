// Package hybrid is the hybrid CPU-GPU baseline of the papers: embedding rows in
// CPU memory, gathered, pooled and updated there; MLPs data-parallel on the
// GPUs; a mini-batch after the other, nothing overlapped but what a step itself
// allows.
//
// It promises the parameters that the numerical rule of package rec defines,
// and is what other systems are compared with.
//
// It may import host/node, host/rec, host/server, host/train and
// host/train/parts.
package hybrid
