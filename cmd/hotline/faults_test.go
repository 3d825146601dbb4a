package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// faultPlan is the file of a plan: a row that does not come, and a write of a row that gets
// lost.
func faultPlan(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "faults.hcl")
	require.NoError(t, os.WriteFile(file, []byte(`fault "timeout" {
  place = "dma_rd"
  nth   = 5
}
fault "drop" {
  place = "dma_wr"
  nth   = 40
}
`), 0o644))
	return file
}

// TestFaults: they happen, are listed, and the parameters are the same; on the
// functional model and on the hardware.
func TestFaults(t *testing.T) {
	for _, command := range []string{"train", "cosim"} {
		code, stdout, stderr := hotline(command, "--config", tiny, "--faults", faultPlan(t))
		require.Zero(t, code, stderr)
		require.Regexp(t, `(?m)^faults +1 timeout at dma_rd: (engine reset|command repeated)$`, stdout)
		require.Regexp(t, `(?m)^faults +1 drop at dma_wr: command repeated$`, stdout)
		require.Regexp(t, `(?m)^error messages +0 correctable, 1 non-fatal, 0 fatal$`, stdout)
		require.Contains(t, stdout, "bit-identical")
	}
}

// TestFaultsBeforeAnError are listed with it.
func TestFaultsBeforeAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "faults.hcl")
	require.NoError(t, os.WriteFile(file, []byte("fault \"ur\" {\n  place = \"dma_rd\"\n  probability = 1\n}\n"), 0o644))
	code, _, stderr := hotline("train", "--config", tiny, "--faults", file)
	require.NotZero(t, code)
	require.Regexp(t, `failed: unsupported request \(status 10\)\n +faults before that:\n +32 ur at dma_rd: engine reset\n +8 ur at dma_rd: the run ended\n`, stderr)
}
