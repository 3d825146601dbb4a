package top

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// The readers of Verilog have nothing to say; of the shipped configurations
// package verilog tests that.
func TestVerilogIsClean(t *testing.T) {
	for name, p := range map[string]arch.Params{"wide": sizes[1].Params} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := hw.Elaborate(Hotline{p})
			require.NoError(t, err)
			files, err := verilog.Generate(d)
			require.NoError(t, err)
			dir := t.TempDir()
			var names []string
			for _, f := range files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o600))
				names = append(names, f.Name)
			}
			top := d.Top.Name
			silent(t, dir, "verilator", append([]string{"--lint-only", "-Wall", "--top-module", top}, names...)...)
			silent(t, dir, "iverilog", append([]string{"-g2005", "-Wall", "-o", os.DevNull, "-s", top}, names...)...)
			silent(t, dir, "yosys", "-q", "-p", "read_verilog "+strings.Join(names, " ")+"; hierarchy -check -top "+top+"; proc; check -assert")
		})
	}
}

// silent runs a tool, if it is installed, that must print nothing.
func silent(t *testing.T, dir, tool string, args ...string) {
	if _, err := exec.LookPath(tool); err != nil {
		t.Skip("needs ", tool)
	}
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s", tool, out)
	require.Empty(t, string(out), tool)
}
