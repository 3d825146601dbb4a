package command

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/catalog"
)

// TestAllSystems trains all systems on several servers. The report states that the systems with
// sequential semantics have the same parameters. Package host/study/experiment tests that this
// holds for any number of GPUs and any data.
func TestAllSystems(t *testing.T) {
	code, stdout, stderr := hotline("train", "--config", tiny, "--system", "all", "--gpus", "1", "--nodes", "2", "--batches", "3", "--check", "--json")
	require.Zero(t, code, stderr)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	require.Len(t, got["systems"], len(catalog.Systems()))
	for _, s := range got["systems"].([]any) {
		s := s.(map[string]any)
		require.Equal(t, s["promise"] == "sequential", s["parameters_identical"] == true, s["system"])
		if s["promise"] != "approximate" {
			require.Zero(t, s["check"].(map[string]any)["findings"], s["system"])
		}
	}
}

// TestGPUsWithoutAccelerator: the limits of the accelerator do not apply to a system without it.
func TestGPUsWithoutAccelerator(t *testing.T) {
	code, stdout, stderr := hotline("train", "--config", tiny, "--system", "hybrid", "--gpus", "8", "--nodes", "2")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "tiny, 8 GPUs in each of 2 servers, ")
}
