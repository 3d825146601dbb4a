package timing

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

// Copy books moving bytes, in pieces, between the host and the GPUs, in the direction of way:
// ToGPUs or ToHost. The profile determines the kind of copy.
func (s *Schedule) Copy(label string, way *timeline.Resource, pieces int, b Bytes, after timeline.Point) timeline.Point {
	return s.CopyGPUs(label, way, s.GPUs, pieces, b, after)
}

// CopyGPUs books moving bytes between the host and the first n GPUs, as [Schedule.Copy] does for
// all GPUs.
func (s *Schedule) CopyGPUs(label string, way *timeline.Resource, n, pieces int, b Bytes, after timeline.Point) timeline.Point {
	return s.copy(s.Thread, label, way, n, pieces, b, after)
}

// CopyByCPU is like [Schedule.Copy] in one piece, with CPU time instead of time of the host thread,
// which can continue to train.
func (s *Schedule) CopyByCPU(label string, way *timeline.Resource, b Bytes, after timeline.Point) timeline.Point {
	return s.copy(s.CPU, label, way, s.GPUs, 1, b, after)
}

// copy books a copy. A pageable copy also takes time of host.
func (s *Schedule) copy(host *timeline.Resource, label string, way *timeline.Resource, n, pieces int, b Bytes, after timeline.Point) timeline.Point {
	if s.Profile.Copies == "pinned" {
		return s.CopyPinned(label, way, n, b, after)
	}
	if b.Most == 0 {
		return after
	}
	m, gpus := s.Machine, s.Profile.processGPUs(n)
	begun := s.Book(host, "copy "+label, m.PageableTables(pieces, gpus), 0, after)
	s.staged[way] += int64(b.All)
	return s.carry(s.staging, label, way, max(m.PageableCopies(b.Most, gpus), m.Uplink(b.Most*n)), n, b, begun)
}

// CopyPinned books moving bytes between pinned host memory and the first n GPUs, whatever the
// profile.
func (s *Schedule) CopyPinned(label string, way *timeline.Resource, n int, b Bytes, after timeline.Point) timeline.Point {
	if b.Most == 0 {
		return after
	}
	return s.carry(way, label, way, max(s.Machine.PinnedCopy(b.Most), s.Machine.Uplink(b.Most*n)), n, b, after)
}

// carry books a copy on a resource that serves a direction.
func (s *Schedule) carry(r *timeline.Resource, label string, way *timeline.Resource, d des.Time, n int, b Bytes, after timeline.Point) timeline.Point {
	b.check(label, n)
	link := LinkToGPUs
	if way == s.ToHost {
		link = LinkToHost
	}
	return r.Book(timeline.Work{Label: label, Time: d, Bytes: int64(b.All), Data: s.Data(link, b.Data)}, after)
}
