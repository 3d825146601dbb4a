package dlrm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// denseParameters counts the weights and biases of an MLP.
func denseParameters(widths ...int) int {
	n := 0
	for i, in := range widths[:len(widths)-1] {
		n += (in + 1) * widths[i+1]
	}
	return n
}

// TestPresetsMatchPublishedCounts compares with Table II of the Hotline paper. Its dense parameters
// omit the first layer of the top MLP of a DLRM, and are twice the dense parameters of the TBSM.
func TestPresetsMatchPublishedCounts(t *testing.T) {
	for _, c := range []struct {
		name                  string
		steps, features, dim  int
		topIn, dense          int
		published, sparse, gb float64 // thousands, millions, GiB
	}{
		{"rm1", 21, 3, 16, 22, 3_638, 7.3, 5.1, 0.3},
		{"rm2", 1, 26, 16, 367, 475_985, 287.5, 33.8, 2},
		{"rm3", 1, 26, 64, 415, 762_177, 549.1, 266, 63},
		{"rm4", 1, 21, 16, 247, 408_401, 281.4, 9.3, 0.55},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg, ok := Preset(c.name)
			require.True(t, ok)
			n, err := NewNet(cfg, 1)
			require.NoError(t, err)
			require.Equal(t, []int{c.steps, c.features, c.dim, c.topIn}, []int{cfg.steps(), len(cfg.Tables), cfg.Dim, cfg.TopIn()})
			require.Equal(t, c.dense, n.Len())
			printed := 2 * n.Len()
			if cfg.Kind == DLRM {
				printed = n.Len() - denseParameters(cfg.TopIn(), cfg.Top[0])
			}
			require.InDelta(t, c.published, float64(printed)/1e3, 0.1)
			rows := 0
			for _, table := range cfg.Tables {
				rows += table.Rows
			}
			require.InDelta(t, c.sparse, float64(rows)/1e6, 0.1)
			require.InEpsilon(t, c.gb, float64(rows)*float64(4*cfg.Dim)/(1<<30), 0.03)
		})
	}
}

func TestSyntheticPresets(t *testing.T) {
	for name, want := range map[string][2]int{"syn-m1": {102, 196}, "syn-m2": {204, 390}} {
		cfg, ok := Preset(name)
		require.True(t, ok)
		require.Len(t, cfg.Tables, want[0])
		bytes := 0
		require.Equal(t, want[0]+want[0]/4, cfg.Lookups(), "multi-hot")
		require.LessOrEqual(t, cfg.Lookups(), 256)
		for _, table := range cfg.Tables {
			require.Positive(t, table.Rows)
			bytes += table.Rows * 4 * cfg.Dim
		}
		require.InEpsilon(t, float64(want[1])*(1<<30), float64(bytes), 1e-6)
	}
}

func TestPresetsAreValid(t *testing.T) {
	names := map[string]bool{}
	for _, cfg := range Presets() {
		require.NoError(t, cfg.Validate(), cfg.Name)
		names[cfg.Name] = true
		cfg.Tables[0].Rows = 1
		again, ok := Preset(cfg.Name)
		require.True(t, ok)
		require.NotEqual(t, 1, again.Tables[0].Rows, "presets are independent of each other")
	}
	require.Len(t, names, len(Presets()))
	_, ok := Preset("rm5")
	require.False(t, ok)
}
