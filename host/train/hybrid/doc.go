// Package hybrid is the hybrid CPU-GPU baseline of the papers: embedding rows in
// CPU memory, gathered, pooled and updated there; MLPs data-parallel on the
// GPUs.
//
// It promises the parameters that the numerical rule of package dlrm defines,
// and other systems are compared with it.
package hybrid
