package static_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
)

// TestFigures logs the figures of the paper's data sets in docs/explanation/systems/fae.md. It
// checks figures that do not depend on the sizes, for a part of the inputs. With
// HOTLINE_FAE_FIGURES it uses all inputs, which takes minutes and 2 GB.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		model, clicks string
		inputs        int64
	}{{"rm2", "kaggle", 39_291_958}, {"rm3", "terabyte", 60_504_000}} {
		inputs, budgets := c.inputs/500, []int64{4, 16}
		if os.Getenv("HOTLINE_FAE_FIGURES") != "" {
			inputs, budgets = c.inputs, []int64{16, 32, 64, 128, 256, 512}
		}
		preset, err := gen.Named(c.clicks, 1)
		require.NoError(t, err)
		source, err := gen.New(preset.Params, preset.Inputs)
		require.NoError(t, err)
		model, ok := dlrm.Preset(c.model)
		require.True(t, ok)
		model.Tables = source.Shape().Tables
		l, err := static.NewLog(source, inputs, model, fae.DefaultOptions().Static(0))
		require.NoError(t, err)
		before := 0.0
		for _, mib := range budgets {
			row := int64(4 * model.Dim)
			hot, f, err := l.Optimise(row, mib<<20)
			require.NoError(t, err)
			require.LessOrEqual(t, int64(hot.Len())*row, mib<<20)
			require.Greater(t, f.Estimate.Entries, 14*f.Estimate.Scanned)
			popular, err := static.Popular(source, inputs, 101, model, hot)
			require.NoError(t, err)
			require.GreaterOrEqual(t, popular, before, "a larger budget serves no less")
			before = popular
			t.Logf("%s, %d inputs, %d MiB: threshold %.3g %% (of %d), counted %v; %d hot rows (%.1f MiB) serve %.1f %%; of large tables %d, estimated %.0f (up to %.0f); scanned 1/%.1f",
				c.clicks, inputs, mib, f.Threshold, f.Tries, f.Counted, hot.Len(), float64(int64(hot.Len())*row)/(1<<20), 100*popular,
				f.Rows, f.Estimate.Rows, f.Estimate.Upper, float64(f.Estimate.Entries)/float64(f.Estimate.Scanned))
		}
	}
}
