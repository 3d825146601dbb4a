package timingtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// TestSeededOrders checks that AddsUp detects orders that break a rule.
func TestSeededOrders(t *testing.T) {
	calls := 0
	for want, order := range map[string]timing.System{
		"ended 0 mini-batches of 1": func(*timing.Schedule, []timing.Work) {},
		"a bare run takes": func(s *timing.Schedule, _ []timing.Work) {
			calls++ // an order must depend only on its arguments
			p := s.Book(s.CPU, "compute", des.Time(calls), 0)
			s.Mark("computing", p)
			s.End(p)
		},
		"events move [7 0] bytes, but links carry [0 0]": func(s *timing.Schedule, _ []timing.Work) {
			s.Begin(0)
			p := s.Book(s.Resource("copies to host", 1), "copy", 1, 7) // a second resource of the name
			s.Mark("copying", p)
			s.End(p)
		},
	} {
		require.ErrorContains(t, check(order, TinyPlan(t, "sceptic", 1), make([]timing.Work, 1)), want)
	}
}

// TestSeededTotals checks that a different count, size or time, and an unwanted total, are
// detected.
func TestSeededTotals(t *testing.T) {
	want := map[string]Total{"GPU: MLP": {3, 8, 1}}
	for name, got := range map[string]map[string]Total{
		"kernels": {"GPU: MLP": {2, 8, 1}}, "bytes": {"GPU: MLP": {3, 4, 1}}, "time": {"GPU: MLP": {3, 8, 1.1}}, "none": {},
		"more": {"GPU: MLP": {3, 8, 1}, "CPU: pool rows": {0, 8, 1}},
	} {
		failed := &recorder{TB: t}
		func() {
			defer func() { _ = recover() }()
			RequireTotals(failed, want, got)
		}()
		require.True(t, failed.failed, name)
	}
	RequireTotals(t, want, map[string]Total{"GPU: MLP": {3, 8, 1.0001}, "CPU: pool rows": {0, 8, 1}}, "CPU: pool rows")
}

// recorder records whether a test fails.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) FailNow()              { panic("failed") }
