package static_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
)

// TestFigures logs what docs/systems.md says of the paper's data sets, of so many
// inputs as HOTLINE_FAE_INPUTS tells (all are hours of work), and holds of a few
// what does not depend on their number.
func TestFigures(t *testing.T) {
	inputs, budgets := int64(60_000), []int64{4, 16}
	if text := os.Getenv("HOTLINE_FAE_INPUTS"); text != "" {
		var err error
		inputs, err = strconv.ParseInt(text, 10, 64)
		require.NoError(t, err)
		budgets = []int64{16, 32, 64, 128, 256, 400, 512}
	}
	for _, c := range []struct{ model, clicks string }{{"rm2", "kaggle"}, {"rm3", "terabyte"}} {
		if only := os.Getenv("HOTLINE_FAE_DATA"); only != "" && only != c.clicks {
			continue
		}
		preset, err := gen.Named(c.clicks, 1)
		require.NoError(t, err)
		source, err := gen.New(preset.Params, preset.Inputs)
		require.NoError(t, err)
		model, ok := rec.Preset(c.model)
		require.True(t, ok)
		model.Tables = source.Shape().Tables
		b, err := train.NewBatches(model, source, 4096, inputs)
		require.NoError(t, err)
		l, err := static.NewLog(b, model, static.DefaultOptions())
		require.NoError(t, err)
		rowBytes := int64(4 * model.Dim)
		var sets []*static.Hot
		for _, mib := range budgets {
			hot, f, err := l.Optimise(rowBytes, mib<<20)
			require.NoError(t, err)
			require.LessOrEqual(t, int64(hot.Len())*rowBytes, mib<<20)
			require.Greater(t, f.Estimate.Entries, 14*f.Estimate.Scanned)
			sets = append(sets, hot)
			t.Logf("%s, %d inputs, %d MiB: threshold %.3g %%, %d tries, counted %v, %d hot rows (%.1f MiB), of large tables %d, estimated %.0f (up to %.0f), scanned 1/%.1f",
				c.clicks, inputs, mib, f.Threshold, f.Tries, f.Counted, hot.Len(), float64(int64(hot.Len())*rowBytes)/(1<<20), f.Rows, f.Estimate.Rows, f.Estimate.Upper,
				float64(f.Estimate.Entries)/float64(f.Estimate.Scanned))
		}
		popular, err := static.Popular(b, model, sets)
		require.NoError(t, err)
		for i, n := range popular {
			t.Logf("%s: %.1f MiB of hot rows serve %.1f %% of the inputs", c.clicks, float64(int64(sets[i].Len())*rowBytes)/(1<<20), 100*float64(n)/float64(inputs))
			if i > 0 {
				require.GreaterOrEqual(t, n, popular[i-1], "a larger budget serves no less")
			}
		}
	}
}
