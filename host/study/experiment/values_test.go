package experiment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
)

// withoutValues returns a report as JSON without its value-dependent parts, and its trace. It
// removes the number of simulated cycles, because the hardware has more idle cycles when registers
// contain zeros.
func withoutValues(t *testing.T, r *report.Report) (map[string]any, string) {
	text, err := json.Marshal(r)
	require.NoError(t, err)
	var report map[string]any
	require.NoError(t, json.Unmarshal(text, &report))
	delete(report, "values")
	delete(report["accelerator"].(map[string]any), "cycles_simulated")
	for _, s := range report["systems"].([]any) {
		for _, key := range []string{"loss", "auc", "parameters_identical"} {
			compared := key != "parameters_identical" || s.(map[string]any)["promise"] == "sequential"
			require.Equal(t, !r.Values || !compared, s.(map[string]any)[key] == nil, key)
			delete(s.(map[string]any), key)
		}
		for _, m := range s.(map[string]any)["series"].([]any) {
			require.Equal(t, r.Values, m.(map[string]any)["loss"] != nil)
			delete(m.(map[string]any), "loss")
		}
	}
	var trace bytes.Buffer
	require.NoError(t, r.WriteTrace(&trace))
	return report, trace.String()
}

// TestValueless: without values, a report contains the same times, also for the cycle model of the
// hardware.
func TestValueless(t *testing.T) {
	for _, functional := range []bool{true, false} {
		reports := map[bool]map[string]any{}
		traces := map[bool]string{}
		for _, off := range []bool{false, true} {
			j := newJob(t, nil)
			j.Trace, j.Valueless = true, off
			if functional {
				j.Accelerator = experiment.Functional(*j.Config.Accelerator)
			}
			r := run(t, j)
			require.True(t, r.Identical())
			require.Equal(t, !off, r.Values)
			reports[off], traces[off] = withoutValues(t, r)
		}
		require.Equal(t, reports[false], reports[true])
		require.Equal(t, traces[false], traces[true])
	}
}

func TestValuelessRefusals(t *testing.T) {
	j := newJob(t, nil)
	j.Valueless, j.Config.Training.HeldOut = true, 10
	_, err := experiment.Run(t.Context(), j)
	require.EqualError(t, err, "experiment: without values there is nothing to evaluate on held-out inputs, and nothing to save")

	ctx, cancel := context.WithCancelCause(t.Context())
	j.Config.Training.HeldOut, j.Progress = 0, func(string, int, int) { cancel(errors.New("enough")) }
	_, err = experiment.Run(ctx, j)
	require.EqualError(t, err, "enough\nhybrid: 1 mini-batch, 32 inputs\nhotline: no mini-batch\nthe parameters were not compared")
}
