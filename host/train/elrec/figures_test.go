package elrec_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
	"github.com/hotline-rtl/hotline/host/train/elrec"
)

// TestOptionsOfTheDocument: the document lists the options and their defaults.
func TestOptionsOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/explanation/systems/elrec.md")
	require.NoError(t, err)
	o := elrec.DefaultOptions()
	require.Contains(t, string(text), fmt.Sprintf("`threshold` (%d), `rank` (%d), `host` (%v), `queue` (%d), `reorder_groups` (%d, 0 for none) and `hot_ratio` (%v)",
		o.Threshold, o.Rank, o.Host, o.Queue, o.Groups, o.Hot))
}

// TestExchangeIsSmall: the exchange of rows, which is not in the paper, is smaller than the
// exchange of the cores, even if all lookups of the paper's mini-batch are distinct.
func TestExchangeIsSmall(t *testing.T) {
	o := elrec.DefaultOptions()
	for _, name := range []string{"rm2", "rm3", "rm4"} {
		model, ok := dlrm.Preset(name)
		require.True(t, ok)
		values, rows := 0, 0
		for _, table := range model.Tables {
			if table.Rows > o.Threshold {
				s, err := tt.ShapeOf(table.Rows, model.Dim, o.Rank)
				require.NoError(t, err)
				values += s.Len()
				rows += 4096
			}
		}
		require.Less(t, rows*(4*model.Dim+8), 4*values, name)
	}
}
