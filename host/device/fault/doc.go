// Package fault breaks things on the accelerator's link, on purpose: a plan, in
// HCL, says what goes wrong, where and when, and an injection does it to a machine
// and keeps a log.
//
//	seed = 7
//
//	fault "timeout" {        # the third row that is read from host memory,
//	  place = "dma_rd"       # and the one behind it,
//	  nth   = 3              # gets no answer
//	  times = 2
//	}
//	fault "poison" {         # a thousandth of what is read from GPUs is bad
//	  place       = "gpu_rd"
//	  probability = 0.001
//	}
//
// Faults of the wires happen below the data link layer, which corrects them; all
// others are those that are left above it.
//
// docs/reference/reliability.md lists kinds and places. Places are recognised by what is on
// the link: requests by their addresses, completions by the tag of their request,
// rings by what the driver writes to the registers.
//
// It promises
//   - the same faults for the same plan and the same traffic;
//   - that a read counts once, at its first completion, and a write once for each
//     TLP;
//   - that a TLP gets one fault at most, that of the first rule that applies;
//   - that each fault stands in the log, with what became of it.
package fault
