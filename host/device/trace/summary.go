package trace

import (
	"cmp"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Summary contains the statistics of a trace.
type Summary struct {
	Duration  des.Time      `json:"duration_ps"` // from the first packet to the last
	Packets   int           `json:"packets"`
	Commands  int           `json:"commands"`
	TLPs      []Traffic     `json:"tlps"`
	Reads     []ReadFigures `json:"reads"`
	Intervals []Interval    `json:"intervals"` // consecutive, of equal length
}

// Traffic counts the TLPs of one direction, type and role.
type Traffic struct {
	Direction    string `json:"direction"`
	Type         string `json:"type"`
	Role         Role   `json:"role"`
	N            int    `json:"n"`
	WireBytes    int    `json:"wire_bytes"` // including headers and framing
	PayloadBytes int    `json:"payload_bytes"`
}

// ReadFigures contains the statistics of all reads with one role. A latency is the time from the
// request to the last completion, on the captured link.
type ReadFigures struct {
	Role        Role     `json:"role"`
	N           int      `json:"n"`
	Unanswered  int      `json:"unanswered"`
	Bytes       int      `json:"bytes"`
	P50         des.Time `json:"p50_ps"` // of answered reads, like P99 and Max
	P99         des.Time `json:"p99_ps"`
	Max         des.Time `json:"max_ps"`
	Outstanding int      `json:"outstanding"` // maximum number in flight
}

// Interval is a part of the captured time.
type Interval struct {
	Start       des.Time `json:"start_ps"`
	Down        float64  `json:"down_gb_per_s"` // including headers and framing
	Up          float64  `json:"up_gb_per_s"`
	Outstanding int      `json:"outstanding"` // maximum number of the device's reads in flight
}

// Summary computes the statistics, with bandwidth in the given number of intervals.
func (t *Trace) Summary(intervals int) Summary {
	return Summary{
		Duration: t.Duration(), Packets: len(t.Events), Commands: len(t.Commands),
		TLPs: t.traffic(), Reads: t.reads(), Intervals: t.intervals(intervals),
	}
}

func (t *Trace) traffic() []Traffic {
	type key struct {
		dir  link.Direction
		kind string
		role Role
	}
	found := map[key]*Traffic{}
	for i := range t.Events {
		e := &t.Events[i]
		if e.Kind != capture.KindTLP {
			continue
		}
		k := key{e.Dir, e.Type(), e.Role}
		if found[k] == nil {
			found[k] = &Traffic{Direction: k.dir.String(), Type: k.kind, Role: k.role}
		}
		found[k].N++
		found[k].WireBytes += e.TLP.WireLen()
		found[k].PayloadBytes += len(e.TLP.Data)
	}
	list := []Traffic{}
	for _, x := range found {
		list = append(list, *x)
	}
	slices.SortFunc(list, func(a, b Traffic) int {
		return cmp.Or(cmp.Compare(a.Direction, b.Direction), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Role, b.Role))
	})
	return list
}

func (t *Trace) reads() []ReadFigures {
	list := []ReadFigures{}
	for _, role := range []Role{RegisterRead, ConfigRead, CommandFetch, DataRead, OtherRead} {
		f := ReadFigures{Role: role}
		for _, x := range t.Reads {
			if x.Role == role {
				f.N++
				f.Bytes += x.Bytes
			}
		}
		if f.N == 0 {
			continue
		}
		latencies := t.sorted(role)
		f.Unanswered = f.N - len(latencies)
		if len(latencies) > 0 {
			f.P50, f.P99, f.Max = quantile(latencies, 50), quantile(latencies, 99), latencies[len(latencies)-1]
		}
		for _, c := range t.outstanding(func(x Transfer) bool { return x.Role == role }) {
			f.Outstanding = max(f.Outstanding, c.n)
		}
		list = append(list, f)
	}
	return list
}

// sorted returns the sorted latencies of the answered reads with a role.
func (t *Trace) sorted(role Role) []des.Time {
	var list []des.Time
	for _, x := range t.Reads {
		if x.Role == role && x.Ended {
			list = append(list, x.End-x.Start)
		}
	}
	slices.Sort(list)
	return list
}

// quantile returns the smallest value that is greater than or equal to the given percentage of the
// values.
func quantile(sorted []des.Time, percent int) des.Time {
	return sorted[(len(sorted)*percent+99)/100-1]
}

// count is the number of outstanding reads from a time on.
type count struct {
	at des.Time
	n  int
}

// outstanding returns the number of outstanding reads over time. An unanswered read remains until
// its tag is reused or the device is set up again.
func (t *Trace) outstanding(of func(Transfer) bool) []count {
	var changes []count
	for _, x := range t.Reads {
		if of(x) {
			changes = append(changes, count{x.Start, 1})
			if x.Ended || x.GivenUp {
				changes = append(changes, count{x.End, -1})
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b count) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.n, b.n)) })
	n := 0
	for i := range changes {
		n += changes[i].n
		changes[i].n = n
	}
	return changes
}

func (t *Trace) intervals(n int) []Interval {
	if n < 1 || t.Duration() == 0 {
		return []Interval{}
	}
	start := t.at(1)
	length := t.Duration()/des.Time(n) + 1
	list := make([]Interval, n)
	for i := range list {
		list[i].Start = start + des.Time(i)*length
	}
	for i := range t.Events {
		e := &t.Events[i]
		if e.Kind != capture.KindTLP {
			continue
		}
		x := &list[(e.Time-start)/length]
		gbps := float64(e.TLP.WireLen()) * 1000 / float64(length)
		if e.Dir == link.Down {
			x.Down += gbps
		} else {
			x.Up += gbps
		}
	}
	now, next := 0, 0
	changes := t.outstanding(func(x Transfer) bool { return x.Role == CommandFetch || x.Role == DataRead })
	for i := range list {
		x := &list[i]
		x.Outstanding = now
		for ; next < len(changes) && changes[next].at < x.Start+length; next++ {
			now = changes[next].n
			x.Outstanding = max(x.Outstanding, now)
		}
	}
	return list
}
