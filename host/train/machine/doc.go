// Package machine describes the servers that a training runs on: the time that their GPUs, CPUs,
// links and software need for a piece of work. Each machine is an HCL file, which states every
// constant with its unit, range and source. v100 is the server of the papers; a100 and h100 are
// current servers.
//
//	m, _ := machine.Named("v100")
//	m.GEMM(1024, 512, 367) // the time of a product on one of its GPUs
//	m.With("dispatch_us", 6)
//
// The package guarantees:
//   - A file with a missing, unknown or out-of-range constant is an error with file and line.
//   - There are no other constants: [Machine.Constants] lists all inputs of a time.
package machine
