package tb

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
)

// TestBenchInIcarus runs the bench as its first comment says.
func TestBenchInIcarus(t *testing.T) {
	bench, err := filepath.Abs("hotline_tb.v")
	require.NoError(t, err)
	d, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, gen.Write(dir, d, gen.Options{List: "hotline.f"}))
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.Empty(t, run("iverilog", "-g2005", "-o", "tb", bench, "-f", "hotline.f"))
	require.Regexp(t, `^PASS: identity 484f544c, ready after \d+ reads\n`, run("vvp", "tb"))
	run("vvp", "tb", "+vcd")
	_, err = os.Stat(filepath.Join(dir, "hotline_tb.vcd"))
	require.NoError(t, err)
}
