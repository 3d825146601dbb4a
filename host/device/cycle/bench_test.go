package cycle_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// BenchmarkClassify measures the host time of a simulated cycle of the small accelerator under
// load: lookups that hit.
func BenchmarkClassify(b *testing.B) {
	j := newJob(b, 1, 200, 1)
	j.hot()
	bitmap := j.r.alloc(64)
	b.ResetTimer()
	start := j.r.card.Simulated()
	for b.Loop() {
		j.r.do(driver.Classify(0, j.words.at, j.n, bitmap.at))
	}
	cycles := float64(j.r.card.Simulated() - start)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/cycles, "ns/cycle")
	b.ReportMetric(cycles/float64(b.N), "cycles/op")
}

// BenchmarkIdle measures the host time of a simulated idle cycle that is not skipped.
func BenchmarkIdle(b *testing.B) {
	r := newHarnessOf(b, 0, restless{engine(b)}, link.DefaultConfig())
	b.ResetTimer()
	for b.Loop() {
		r.k.Step()
	}
}
