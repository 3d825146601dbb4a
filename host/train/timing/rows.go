package timing

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

// RowTime returns the CPU's time to train rows of all tables, forward to update. A third of it is
// forward: half of the calls, and one of three accesses to a row, because the update reads and
// writes it again.
func (s *Schedule) RowTime(rows int) des.Time {
	switch s.Profile.CPU {
	case "stock":
		return s.Machine.StockBags(s.Pieces(), rows, s.Model.Dim)
	case "fused-one-thread":
		return s.Machine.FusedBagsThread(s.Pieces(), ceil(rows, s.GPUs), s.Model.Dim)
	}
	return s.Machine.FusedBags(s.Pieces(), rows, s.Model.Dim)
}

// ReadTime returns the CPU's time to read rows, without their states.
func (s *Schedule) ReadTime(rows int) des.Time { return s.RowTime(rows) / 3 }

// UpdateTime returns the CPU's time to update rows, without their states.
func (s *Schedule) UpdateTime(rows int) des.Time { return s.RowTime(rows) - s.ReadTime(rows) }

// ReadRows books the CPU's time to read rows in the memory of a server.
func (s *Schedule) ReadRows(label string, rows int, after timeline.Point) timeline.Point {
	return s.BookRows(s.CPU, label, s.ReadTime(rows), rows*s.RowBytes(), HostRead, rows, after)
}

// UpdateRows books the CPU's time to update rows and their states in the memory of a server.
func (s *Schedule) UpdateRows(rows int, after timeline.Point) timeline.Point {
	return s.UpdateLookups(rows, rows, after)
}

// UpdateLookups is like [Schedule.UpdateRows] for distinct rows whose gradients arrive as gradients
// of pooled vectors. The CPU adds the gradient of each lookup, which takes the time; the bytes are
// accesses to distinct rows.
func (s *Schedule) UpdateLookups(lookups, rows int, after timeline.Point) timeline.Point {
	t := s.UpdateTime(lookups)
	return s.BookRows(s.CPU, "update rows", t+s.States(t), 2*rows*s.StoredBytes(), HostUpdate, rows, after)
}

// HostRows books the time of cores to read or write rows and their states, spread over the memory
// of all servers. The resource is HostRead or HostWrite.
func (s *Schedule) HostRows(cores *timeline.Resource, label, resource string, rows int, after timeline.Point) timeline.Point {
	if rows == 0 {
		return after
	}
	rows = s.ServerShare(rows)
	t := s.ReadTime(rows)
	return s.BookRows(cores, label, t+s.States(t), rows*s.StoredBytes(), resource, rows, after)
}

// BookRows is like [Schedule.Book] for work that accesses rows in a memory. The resource is one of
// the audited resources.
func (s *Schedule) BookRows(r *timeline.Resource, label string, d des.Time, bytes int, resource string, rows int, after ...timeline.Point) timeline.Point {
	return r.Book(timeline.Work{Label: label, Time: d, Bytes: int64(bytes), Data: s.rowData(resource, rows)}, after...)
}

// BetweenServers books the network for rows, or their gradients, that the servers need from each
// other's memory. Rows are spread evenly, so a server needs all but one part from the others. It
// needs its share of the given number of rows.
func (s *Schedule) BetweenServers(label string, rows int, after ...timeline.Point) timeline.Point {
	bytes := s.ServerShare(rows) * s.RowBytes()
	if s.Nodes == 1 || bytes == 0 {
		return timeline.Latest(after...)
	}
	return s.Collective(AllToAll, label, s.Machine.AllToAll(bytes, 1, s.Nodes), bytes, bytes, after...)
}

// ScanInputs books the CPUs' time to count or to classify the rows of inputs in a pass before the
// training. Each server scans its share.
func (s *Schedule) ScanInputs(label string, inputs int, after timeline.Point) timeline.Point {
	lookups := s.ServerShare(inputs) * s.Model.Lookups()
	return s.Book(s.CPU, label, s.Machine.Scan(lookups), IDBytes*lookups, after)
}

// MoveRows books moving the rows whose place changes before a mini-batch, with pinned copies: first
// rows from GPU 0 to the host, then rows from the host to all GPUs.
func (s *Schedule) MoveRows(w Work, after timeline.Point) timeline.Point {
	moved, tables := after, s.Tables()
	if out := s.WithStates(s.RowsOnOne(w.Demoted)); out.All > 0 {
		collected := s.GPU(s.Access(s.RowMove("collect hot rows", w.Demoted, tables), GPUCollect, w.Demoted), after)
		copied := s.CopyPinned("hot rows to host", s.ToHost, 1, out, collected)
		moved = s.BookRows(s.CPU, "scatter rows", s.Machine.Stream(2*out.All), out.All, HostWrite, w.Demoted, copied)
	}
	if in := s.WithStates(s.RowsOnEach(w.Promoted)); in.All > 0 {
		collected := s.BookRows(s.CPU, "collect rows", s.Machine.Stream(2*in.Most), in.Most, HostRead, w.Promoted, moved)
		copied := s.CopyPinned("hot rows to GPUs", s.ToGPUs, s.GPUs, in, collected)
		moved = s.GPU(s.RowMove("scatter hot rows", w.Promoted, tables), copied)
	}
	s.Mark(PhaseMove, moved)
	return moved
}

// ExchangeHot books exchanging the changes of rows that all GPUs hold. A broadcast and a dense
// all-reduce move the whole table instead of the changes.
func (s *Schedule) ExchangeHot(w Work, after timeline.Point) timeline.Point {
	m := s.Machine
	table, changed, listed := w.HotTable*s.RowBytes(), w.Listed*s.RowBytes(), w.Listed*(s.RowBytes()+IDBytes)
	switch s.Profile.HotExchange {
	case "broadcast":
		return s.Collective(Broadcast, "broadcast hot rows", m.Broadcast(table, s.GPUs, s.Nodes), table, changed, after)
	case "dense":
		return s.Collective(AllReduce, "all-reduce hot rows", m.AllReduce(table, s.GPUs, s.Nodes), table, changed, after)
	case "gloo":
		return s.collective(s.CPU, AllGather, "exchange hot rows", m.Gloo(w.Listed, listed, s.GPUs*s.Nodes), listed, changed, after)
	}
	return s.Collective(AllGather, "exchange hot rows", m.AllGather(listed, s.GPUs, s.Nodes), listed, changed, after)
}
