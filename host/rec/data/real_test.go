package data

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRealCriteo reads real rows where HOTLINE_SHARED names a folder that has them; their licence keeps them out of the project.
func TestRealCriteo(t *testing.T) {
	shared := os.Getenv("HOTLINE_SHARED")
	if shared == "" {
		return
	}
	t.Run("train-7200", func(t *testing.T) {
		set, err := LoadCriteo(filepath.Join(shared, "data/criteo-kaggle/train-7200.tsv"), 0)
		require.NoError(t, err)
		require.Len(t, set.Samples, 7200)
		for i, table := range set.Tables {
			t.Logf("%-3s %5d rows, hottest 2%% %4.1f%%, 10%% %4.1f%% of accesses",
				table.Name, table.Rows, 100*set.TopShare(0.02)[i], 100*set.TopShare(0.1)[i])
		}
		for _, part := range []float64{0.02, 0.05, 0.1, 0.2, 0.5} {
			popular, independent := set.PopularShare(part)
			t.Logf("hottest %2.0f%% of rows: %4.1f%% of inputs popular, %.3f%% if tables were independent", 100*part, 100*popular, 100*independent)
		}
	})
}
