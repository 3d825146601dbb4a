package command

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/calibrate"
)

const measurements = "../../../host/train/calibrate/testdata/epyc-1.json"

// TestCalibrate: the machine and the profile of a run are read by other verbs.
func TestCalibrate(t *testing.T) {
	mine := filepath.Join(t.TempDir(), "mine")
	code, table, stderr := hotline("calibrate", "--from", measurements, "--out", mine)
	require.Zero(t, code, stderr)
	require.Equal(t, 24, strings.Count(table, " | 13-"), "a row for each step")
	require.Contains(t, table, "| predicted from | median error | worst error |\n")
	code, again, _ := hotline("calibrate", "--from", measurements, "--out", mine)
	require.Zero(t, code)
	require.Equal(t, table, again)

	code, out, stderr := hotline("train", "--config", tiny, "--batches", "2", "--machine", mine+".hcl", "--profile", mine+"-software.hcl")
	require.Zero(t, code, stderr)
	require.Contains(t, out, "simulated: mine, profile mine-software;")
	code, _, stderr = hotline("reproduce", "hotline/figure-29", "--fresh", "--machine", mine+".hcl")
	require.Zero(t, code, stderr)
}

// TestKeysOfMeasurements: docs/reference/json.md lists exactly the keys of measurements.
func TestKeysOfMeasurements(t *testing.T) {
	x, err := calibrate.Load(measurements)
	require.NoError(t, err)
	x.Accelerator, x.GPUs = "a GPU", 1
	require.Equal(t, listed(t, "Measurements of hotline calibrate"), printed(t, string(x.JSON())))
}

func TestCalibrateErrors(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "x")
	for _, c := range []struct{ line, want string }{
		{"--device tpu", `--device is "tpu"; expected cpu or cuda`},
		{"--from x.json --seed 2", "--from and --seed are both there; expected one of them"},
		{"--from " + filepath.Join(dir, "none.json"), "none.json"},
		{"--from calibrate_test.go", "calibrate_test.go:1: invalid character"},
		{"--python " + filepath.Join(dir, "python"), "there is no PyTorch: run scripts/setup-pytorch"},
		{"--python no-such-python", "there is no PyTorch: run scripts/setup-pytorch"},
		{"extra", "calibrate takes flags only"},
	} {
		code, _, stderr := hotline(append(strings.Fields("calibrate --out "+out), strings.Fields(c.line)...)...)
		require.Equal(t, exitUsage, code, c.line)
		require.Contains(t, stderr, c.want)
	}
	code, _, stderr := hotline("calibrate", "--from", measurements, "--out", filepath.Join(dir, "no", "x"))
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, filepath.Join(dir, "no"))
	require.Empty(t, names(t, dir))
}
