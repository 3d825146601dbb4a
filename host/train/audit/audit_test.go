package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train/audit"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

const row = 16 // bytes of timingtest.Tiny

// charging returns an order that charges rows to a resource.
func charging(resource string, rows int) timing.System {
	return func(s *timing.Schedule, works []timing.Work) {
		for m := range works {
			s.Begin(m)
			p := s.CPU.Book(timeline.Work{Label: "work", Time: 1, Data: s.Data(resource, rows*row)}, s.Params)
			s.Mark("work", p)
			s.End(p)
		}
	}
}

// access returns an access to a row.
func access(memory int, addr, content uint64) server.Access {
	return server.Access{Memory: memory, Region: "rows", Addr: addr, Bytes: row, Content: content, Floats: true}
}

// uses are accesses that use two rows of one resource only, and the description of their bytes.
var uses = map[string]struct {
	access func(l *audit.Ledger)
	count  string
}{
	timing.LinkToGPUs:  {func(l *audit.Ledger) { l.Returned(2 * row) }, "32 bytes counted (dense gradients 32)"},
	timing.LinkToHost:  {func(l *audit.Ledger) { l.Pushed(2 * row) }, "32 bytes counted (gradients 32)"},
	timing.LinkNetwork: {func(l *audit.Ledger) { l.Combined(2, 2*row) }, "32 bytes counted (other gradients 32)"},
	timing.HostRead: {func(l *audit.Ledger) {
		l.Read(access(server.Host, 0, 1))
		l.Read(access(server.Host, row, 2))
		sent := access(server.Host, 2*row, 3)
		sent.Sent = true
		l.Read(sent)
	}, "32 bytes counted (rows 32)"},
	timing.HostUpdate: {func(l *audit.Ledger) {
		l.Read(access(server.Host, 0, 1))
		l.Write(access(server.Host, 0, 2))
	}, "32 bytes counted (rows 32)"},
	timing.HostWrite: {func(l *audit.Ledger) {
		l.Write(access(server.Host, 0, 1))
		l.Write(access(server.Host, 0, 2))
	}, "32 bytes counted (rows 32)"},
	timing.GPURead: {func(l *audit.Ledger) {
		l.Read(access(0, 0, 1))
		l.Read(access(1, 0, 2))
		l.Read(access(1, row, 3))
	}, "32 bytes counted (busiest GPU 32)"},
	timing.GPUUpdate: {func(l *audit.Ledger) {
		l.Read(access(0, 0, 1))
		l.Write(access(0, 0, 2))
	}, "32 bytes counted (busiest GPU 32)"},
	timing.GPUWrite: {func(l *audit.Ledger) {
		l.Write(access(0, 0, 3))
		l.Write(access(1, 0, 1))
		l.Write(access(1, row, 2))
	}, "32 bytes counted (busiest GPU 32)"},
	timing.AcceleratorHostRead:  {card(server.Host, false), "32 bytes counted (rows 32)"},
	timing.AcceleratorHostWrite: {card(server.Host, true), "32 bytes counted (rows 32)"},
	timing.AcceleratorGPURead:   {card(1, false), "32 bytes counted (rows 32)"},
	timing.AcceleratorGPUWrite:  {card(1, true), "32 bytes counted (rows 32)"},
}

// card returns accesses of the accelerator: two rows, and a list without values.
func card(memory int, write bool) func(l *audit.Ledger) {
	return func(l *audit.Ledger) {
		l.Card(access(memory, 0, 0), write)
		l.Card(access(memory, row, 0), write)
		list := access(memory, 2*row, 0)
		list.Region = "update list"
		l.Card(list, write)
	}
}

// check compares a mini-batch with an order on two GPUs.
func check(t *testing.T, access func(l *audit.Ledger), order timing.System) ([]audit.Total, error) {
	l := audit.NewLedger(0)
	access(l)
	l.Next()
	return l.Check("system", order, timingtest.TinyPlan(t, "sceptic", 2), make([]timing.Work, 1))
}

// TestEachResource: bytes of each resource are compared, and a row more or less is a difference.
func TestEachResource(t *testing.T) {
	for resource, use := range uses {
		totals, err := check(t, use.access, charging(resource, 2))
		require.NoError(t, err, resource)
		require.Equal(t, []audit.Total{{Resource: resource, Timeline: 32, Counted: 32}}, totals)
		for rows, charge := range map[int]string{0: "0 (nothing)", 1: "16 (work 16)", 3: "48 (work 48)"} {
			totals, err = check(t, use.access, charging(resource, rows))
			want := "audit: system, mini-batch 0, " + resource + ": " + use.count + ", but the timeline charges " + charge
			require.ErrorContains(t, err, want, resource)
			require.Equal(t, []audit.Total{{Resource: resource, Timeline: int64(rows * row), Counted: 32}}, totals)
		}
		for other := range uses {
			if other != resource {
				_, err = check(t, use.access, charging(other, 2))
				require.ErrorContains(t, err, "bytes counted", "%s charged to %s", resource, other)
			}
		}
	}
}

// TestCollect: a row that a GPU reads and sends to host memory uses the link and both memories.
func TestCollect(t *testing.T) {
	evict := func(l *audit.Ledger) {
		l.Read(access(1, 0, 7))
		l.Write(access(server.Host, 0, 7))
	}
	totals, err := check(t, evict, charging(timing.GPUCollect, 1))
	require.ErrorContains(t, err, "mini-batch 0, GPUs to host: 16 bytes counted (values 16), but the timeline charges 0 (nothing)")
	require.ElementsMatch(t, []audit.Total{{timing.LinkToHost, 0, row}, {timing.HostWrite, 0, row}, {timing.GPUCollect, row, row}}, totals)
}

// TestFetched: missed rows come as rows or pooled, and their gradients return in one form.
func TestFetched(t *testing.T) {
	fetch := func(l *audit.Ledger) {
		for i := range uint64(3) { // three rows of five lookups in two bags
			l.Read(access(server.Host, i*row, i+1))
			l.Write(access(0, i*row, i+1))
		}
		l.Fetched(3*row, 5*row, 2*row)
		l.Reduced(2, 0, 4, row, false)
		l.Updated(3 * row)
	}
	rows := func(toGPUs, read, toHost, network int) timing.System {
		return func(s *timing.Schedule, works []timing.Work) {
			s.Begin(0)
			p := timeline.Point{}
			for _, x := range []struct {
				resource string
				rows     int
			}{{timing.LinkToGPUs, toGPUs}, {timing.HostRead, read}, {timing.LinkToHost, toHost}, {timing.LinkNetwork, network}} {
				p = s.CPU.Book(timeline.Work{Label: "work", Time: 1, Data: s.Data(x.resource, x.rows*row)}, p)
			}
			s.Mark("work", p)
			s.End(p)
		}
	}
	for _, ok := range [][4]int{{3, 3, 2, 1}, {3, 3, 3, 1}, {2, 5, 2, 1}, {3, 3, 3, 4}} {
		_, err := check(t, fetch, rows(ok[0], ok[1], ok[2], ok[3]))
		require.NoError(t, err, "%v", ok)
	}
	for resource, bad := range map[string][4]int{
		timing.LinkToGPUs:  {2, 3, 2, 1},
		timing.HostRead:    {3, 5, 2, 1},
		timing.LinkNetwork: {3, 3, 2, 4}, // gradients that are sent twice
		timing.LinkToHost:  {3, 3, 0, 4},
	} {
		_, err := check(t, fetch, rows(bad[0], bad[1], bad[2], bad[3]))
		require.ErrorContains(t, err, "bytes counted", resource)
	}
}
