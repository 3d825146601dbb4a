package docs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/calibrate"
)

// TestCalibration: evidence/calibration.md has the errors of all committed runs, and the table of the
// first run.
func TestCalibration(t *testing.T) {
	const (
		file = "evidence/calibration.md"
		from = "<!-- generated -->\n"
	)
	text := read(t, file)
	before, _, ok := strings.Cut(text, from)
	require.True(t, ok)
	want := before + from + calibrations(t, func(*calibrate.Measurements) {})
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o666))
		return
	}
	require.Equal(t, want, text, "%s is stale: run go test ./docs -run Calibration -update", file)
	require.NotEqual(t, want, before+from+calibrations(t, func(x *calibrate.Measurements) { x.Operators[40].Us *= 2 }))
}

// calibrations returns the tables of the page, after a change of the measurements.
func calibrations(t *testing.T, change func(*calibrate.Measurements)) string {
	var summary, first strings.Builder
	summary.WriteString("\n| run | `--seed` | operators: median error | worst error | machine: median error | worst error |\n|---|---:|---:|---:|---:|---:|\n")
	for i, seed := range []uint64{1, 1, 2, 3} {
		x, err := calibrate.Load(fmt.Sprintf("../host/train/calibrate/testdata/epyc-%d.json", i+1))
		require.NoError(t, err)
		for j, s := range calibrate.NewRequest(x.Device, seed).Steps {
			s.Us = x.Steps[j].Us
			require.Equal(t, s, x.Steps[j], "the seed of run %d", i+1)
		}
		change(&x)
		list, err := calibrate.Predict(x, calibrate.Machine(x), calibrate.Profile(x))
		require.NoError(t, err)
		median, worst := calibrate.Errors(list, calibrate.ByOperators)
		machineMedian, machineWorst := calibrate.Errors(list, calibrate.ByMachine)
		fmt.Fprintf(&summary, "| %d | %d | %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n", i+1, seed, 100*median, 100*worst, 100*machineMedian, 100*machineWorst)
		if i == 0 {
			require.NoError(t, calibrate.Print(&first, x, list))
		}
	}
	_, table, _ := strings.Cut(first.String(), "\n\n")
	table, _, _ = strings.Cut(table, "\n\n| predicted from")
	return summary.String() + "\nRun 1. " + table + "\n"
}
