package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// On any number of GPUs and servers all systems that promise sequential training have
// the same parameters, and predict the same as on one, whatever the clicks.
func TestAnyNumberOfGPUs(t *testing.T) {
	config := contents(t, "../../configs/small.hcl")
	for from, to := range map[string]string{ // for time steps, many rows and several mini-batches of a few inputs
		"tables        = 32": "tables = 64", "tag_bits      = 13": "tag_bits = 17", "batch       = 256": "batch = 24", "relearn     = 20": "relearn = 2",
	} {
		config = edited(t, config, from, to)
	}
	path, data := filepath.Join(t.TempDir(), "many.hcl"), "../../host/rec/data/"
	require.NoError(t, os.WriteFile(path, []byte(config), 0o600))
	for _, clicks := range []string{"--data criteo:" + clicks, "--data avazu:" + data + "avazu/testdata/avazu.csv",
		"--model rm1 --data taobao:" + data + "taobao/testdata/userbehavior.csv", "--data gen:kaggle --batches 3"} {
		var want []any // loss and AUC
		for _, gpus := range []string{"1", "2", "3", "4", "8", "2 --nodes 2"} {
			line := clicks + " --gpus " + gpus
			code, stdout, stderr := hotline(append([]string{"train", "--config", path, "--system", "all", "--json"}, strings.Fields(line)...)...)
			require.Zero(t, code, "%s: %s", line, stderr)
			var got map[string]any
			require.NoError(t, json.Unmarshal([]byte(stdout), &got))
			for _, s := range got["systems"].([]any) {
				s := s.(map[string]any)
				require.Equal(t, s["promise"] == "sequential", s["parameters_identical"] == true, "%s: %s", line, s["system"])
				if s["promise"] != "sequential" {
					continue
				}
				if want == nil {
					want = []any{s["loss"], s["auc"]}
				}
				require.Equal(t, want, []any{s["loss"], s["auc"]}, "%s: %s", line, s["system"])
			}
		}
	}
}

// A system without an accelerator is not limited by it.
func TestGPUsWithoutAccelerator(t *testing.T) {
	code, stdout, stderr := hotline("train", "--config", tiny, "--system", "hybrid", "--gpus", "8", "--nodes", "2")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "tiny, 8 GPUs in each of 2 servers, ")
}
