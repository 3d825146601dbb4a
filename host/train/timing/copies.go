package timing

import "github.com/hotline-rtl/hotline/host/des/timeline"

// Copy moves bytes, in pieces, between the host and each GPU: to it, if way is ToGPUs,
// or to the host. The profile says how.
func (s *Schedule) Copy(label string, way *timeline.Resource, pieces, bytes int, after timeline.Point) timeline.Point {
	return s.CopyGPUs(label, way, s.GPUs, pieces, bytes, after)
}

// CopyGPUs is Copy between the host and each of the first n GPUs.
func (s *Schedule) CopyGPUs(label string, way *timeline.Resource, n, pieces, bytes int, after timeline.Point) timeline.Point {
	return s.copy(s.Thread, label, way, n, pieces, bytes, after)
}

// CopyByCPU is Copy in one piece, with time of the CPU instead of the host thread, which
// goes on to train.
func (s *Schedule) CopyByCPU(label string, way *timeline.Resource, bytes int, after timeline.Point) timeline.Point {
	return s.copy(s.CPU, label, way, s.GPUs, 1, bytes, after)
}

// copy moves bytes with the time of a host that a pageable copy takes.
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

// CopyPinned moves bytes between pinned host memory and each GPU, whatever the profile says.
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
