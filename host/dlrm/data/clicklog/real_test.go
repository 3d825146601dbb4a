package clicklog_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
)

// TestReal reads real rows if HOTLINE_SHARED names a folder that contains them. Their licence does
// not permit including them in the project.
func TestReal(t *testing.T) {
	shared := os.Getenv("HOTLINE_SHARED")
	if shared == "" {
		return
	}
	t.Run("train-7200", func(t *testing.T) {
		_, set := load(t, "criteo", filepath.Join(shared, "data/criteo-kaggle/train-7200.tsv"), clicklog.Options{})
		require.Len(t, set, 7200)
	})
}
