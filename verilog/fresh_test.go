package verilog

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
)

// TestFresh: the committed files are identical to the output of the generator.
func TestFresh(t *testing.T) {
	for _, c := range []*configs.Config{configs.Small(), configs.Paper()} {
		t.Run(c.Name, func(t *testing.T) {
			d, err := hw.Elaborate(top.Hotline{Params: *c.Accelerator})
			require.NoError(t, err)
			files, err := gen.Render(d, gen.Options{List: "hotline.f", Core: "hotline-rtl:hotline:" + c.Name, MHz: c.ClockMHz, Parameters: c.Accelerator})
			require.NoError(t, err)
			want := map[string]bool{}
			for _, f := range files {
				want[f.Name] = true
				have, err := os.ReadFile(filepath.Join(c.Name, f.Name))
				require.NoError(t, err)
				require.True(t, string(f.Data) == string(have), "%s/%s is stale: run go generate ./verilog", c.Name, f.Name)
			}
			entries, err := os.ReadDir(c.Name)
			require.NoError(t, err)
			for _, e := range entries {
				require.True(t, want[e.Name()], "%s/%s is not generated any more: run go generate ./verilog", c.Name, e.Name())
			}
		})
	}
}
