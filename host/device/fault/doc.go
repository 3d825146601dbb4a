// Package fault injects faults into the accelerator's link. A plan in HCL specifies what goes
// wrong, where and when. An injection applies the plan to a machine and keeps a log.
//
//	seed = 7
//
//	fault "timeout" {        # the third read of a row in host memory,
//	  place = "dma_rd"       # and the read after it,
//	  nth   = 3              # get no answer
//	  times = 2
//	}
//	fault "poison" {         # a thousandth of the reads of GPU memory is poisoned
//	  place       = "gpu_rd"
//	  probability = 0.001
//	}
//
// Wire faults occur below the data link layer, which corrects them. All other faults are visible
// above the data link layer.
//
// docs/reference/reliability.md lists kinds and places. The injection recognizes a place by the traffic on
// the link. A request is recognized by its address, a completion by the tag of its request, and a
// ring by the driver's register writes.
//
// Guarantees:
//   - The same plan and the same traffic produce the same faults.
//   - A read counts once, at its first completion. A write counts once per TLP.
//   - A TLP gets at most one fault: the fault of the first rule that applies.
//   - The log contains every fault and its outcome.
package fault
