// Package machine describes the servers that a training runs on: what their
// GPUs, CPUs, links and software take for a piece of work. Every constant stands
// in one HCL file per machine with its unit, its range and its source; v100 is
// the server of the papers, a100 and h100 are of today.
//
//	m, _ := machine.Named("v100")
//	m.GEMM(1024, 512, 367) // the time of a product on one of its GPUs
//	m.With("dispatch_us", 6)
//
// It promises
//   - that a file which lacks a constant, names an unknown one or gives one
//     outside of its range is an error with file and line;
//   - that no constant is anywhere else: [Machine.Constants] lists all that a
//     time depends on.
package machine
