package hybrid

import (
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Order books the work of the baseline: the CPU pools and updates rows in its memory, and the GPUs
// train the MLPs data-parallel. Nothing overlaps, as in FAE's release, unless the profile is
// pipelined.
func Order(s *timing.Schedule, works []timing.Work) {
	c := timing.CPUBags{Schedule: s}
	for m, w := range works {
		s.Begin(m)
		c.Step(w, works[m+1:])
	}
}

// FusedOrder is like [Order] with fused CPU kernels instead of a framework's, as in Intel's
// optimised DLRM.
func FusedOrder(s *timing.Schedule, works []timing.Work) {
	if s.Profile.CPU == "stock" {
		s.Profile.CPU = "fused"
	}
	Order(s, works)
}
