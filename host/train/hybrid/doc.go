// Package hybrid is the hybrid CPU-GPU baseline of the papers. Embedding rows are in CPU memory,
// where they are gathered, pooled and updated. The MLPs are trained data-parallel on the GPUs.
//
// The parameters follow the numerical rule of package dlrm, and are the reference for other
// systems.
package hybrid
