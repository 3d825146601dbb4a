package gen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

func BenchmarkCriteoLike(b *testing.B) { benchmark(b, CriteoLike(1)) }

func benchmark(b *testing.B, p Params) {
	s, err := New(p, 1<<62)
	require.NoError(b, err)
	r, err := s.Open(0)
	require.NoError(b, err)
	var batch dlrm.Batch
	for b.Loop() {
		batch.Reset()
		require.NoError(b, r.Read(&batch, 1000))
	}
	b.ReportMetric(1000*float64(b.N)/b.Elapsed().Seconds(), "inputs/s")
}
