// Package hybrid is the hybrid CPU-GPU baseline of the papers: embedding rows in
// CPU memory, gathered, pooled and updated there; MLPs data-parallel on the
// GPUs.
//
// It promises the parameters that the numerical rule of package dlrm defines,
// and is what other systems are compared with. How long it takes is in package
// timing.
package hybrid
