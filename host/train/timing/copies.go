package timing

import "github.com/hotline-rtl/hotline/host/des/timeline"

// Copy books moving bytes, in pieces, between the host and each GPU, in the direction of way:
// ToGPUs or ToHost. The profile determines the kind of copy.
func (s *Schedule) Copy(label string, way *timeline.Resource, pieces, bytes int, after timeline.Point) timeline.Point {
	return s.CopyGPUs(label, way, s.GPUs, pieces, bytes, after)
}

// CopyGPUs is like [Schedule.Copy] between the host and each of the first n GPUs.
func (s *Schedule) CopyGPUs(label string, way *timeline.Resource, n, pieces, bytes int, after timeline.Point) timeline.Point {
	return s.copy(s.Thread, label, way, n, pieces, bytes, after)
}

// CopyByCPU is like [Schedule.Copy] in one piece, with CPU time instead of time of the host thread,
// which can continue to train.
func (s *Schedule) CopyByCPU(label string, way *timeline.Resource, bytes int, after timeline.Point) timeline.Point {
	return s.copy(s.CPU, label, way, s.GPUs, 1, bytes, after)
}

// copy books a copy. A pageable copy also takes time of host.
func (s *Schedule) copy(host *timeline.Resource, label string, way *timeline.Resource, n, pieces, bytes int, after timeline.Point) timeline.Point {
	if s.Profile.Copies == "pinned" {
		return s.pinned(label, way, n, bytes, after)
	}
	if bytes == 0 {
		return after
	}
	m, gpus, all := s.Machine, s.Profile.processGPUs(n), bytes*n
	begun := s.Book(host, "copy "+label, m.PageableTables(pieces, gpus), 0, after)
	s.staged[way] += int64(all)
	return s.Book(s.staging, label, max(m.PageableCopies(bytes, gpus), m.Uplink(all)), all, begun)
}

// CopyPinned books moving bytes between pinned host memory and each GPU, whatever the profile.
func (s *Schedule) CopyPinned(label string, way *timeline.Resource, bytes int, after timeline.Point) timeline.Point {
	return s.pinned(label, way, s.GPUs, bytes, after)
}

func (s *Schedule) pinned(label string, way *timeline.Resource, n, bytes int, after timeline.Point) timeline.Point {
	if bytes == 0 {
		return after
	}
	all := bytes * n
	return s.Book(way, label, max(s.Machine.PinnedCopy(bytes), s.Machine.Uplink(all)), all, after)
}
