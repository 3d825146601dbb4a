package command

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// different writes the tiny configuration with one part replaced, and returns its path.
func different(t *testing.T, old, new string) string {
	dir := folder(t, map[string]string{"tiny.hcl": edited(t, contents(t, filepath.Join(origin(t), tiny)), old, new)})
	return filepath.Join(dir, "tiny.hcl")
}

// failure is the JSON form of the failure of a system without a result.
type failure struct{ Kind, Text string }

// outcomes returns the failures of all systems by name, nil for trained systems.
func outcomes(t *testing.T, text string) map[string]*failure {
	var report struct {
		Systems []struct {
			System  string
			Loss    *float64
			Failure *failure
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &report), text)
	list := map[string]*failure{}
	for _, s := range report.Systems {
		require.Equal(t, s.Failure == nil, s.Loss != nil, s.System)
		list[s.System] = s.Failure
	}
	return list
}

// rows returns the lines of a text about a system, with single spaces.
func rows(text, system string) []string {
	var list []string
	for _, line := range strings.Split(text, "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == system {
			list = append(list, strings.Join(f, " "))
		}
	}
	return list
}

// TestDivergence: a diverged training is a result, with exit code 1.
func TestDivergence(t *testing.T) {
	config := different(t, "learning_rate = 0.5", "learning_rate = 3e30")
	args := []string{"train", "--config", config, "--system", "hybrid,scratchpipe,hotline"}
	code, stdout, stderr := hotline(args...)
	require.Equal(t, exitFailed, code, stderr)
	for _, name := range []string{"hybrid", "scratchpipe", "hotline"} {
		require.Regexp(t, `(?m)^  `+name+` +diverged`, stdout, "a row of the table of times")
		require.Regexp(t, `(?m)^`+name+` +diverged in mini-batch \d: .*; a smaller learning_rate may help$`, stdout)
		require.Regexp(t, name+`: diverged in mini-batch \d: `, stderr)
	}
	require.NotContains(t, stdout, "NaN")
	code, stdout, stderr = hotline(append(args, "--json")...)
	require.Equal(t, exitFailed, code, stderr)
	for name, f := range outcomes(t, stdout) {
		require.NotNil(t, f, name)
		require.Equal(t, "diverged", f.Kind)
	}
	code, _, stderr = hotline("cosim", "--config", config)
	require.Equal(t, exitFailed, code, stderr)
	require.Contains(t, stderr, "diverged")
	code, _, stderr = hotline(append(args, "--check")...)
	require.Equal(t, exitFailed, code, stderr)
	code, stdout, stderr = hotline(append(args, "--batches", "1", "--held-out", "20")...)
	require.Equal(t, exitFailed, code, stderr)
	require.Regexp(t, `(?m)^hybrid +diverged in mini-batch 0: held-out inputs: `, stdout, "the last update is seen in predictions only")
}

// TestUnmetPrecondition: an unmet requirement of a system is reported for this system, and the
// results of the other systems are printed.
func TestUnmetPrecondition(t *testing.T) {
	config := different(t, "budget_mib = 0.03125", "budget_mib = 0.0001")
	const why = "tiny.hcl:50: budget_mib is 0.0001, which holds 6 rows"
	code, stdout, stderr := hotline("train", "--config", config, "--system", "hybrid,fae,scratchpipe", "--html", "page.html")
	require.Equal(t, exitFailed, code, stderr)
	said := "fae: not trained: " + filepath.Dir(config) + "/" + why
	require.True(t, strings.HasPrefix(stderr, said), "before the run: %s", stderr)
	require.Equal(t, 2, strings.Count(stderr, said), "and at its end")
	require.Regexp(t, `(?m)^  fae +not trained`, stdout)
	require.Regexp(t, `(?m)^fae +not trained: .*`+why, stdout)
	require.Contains(t, contents(t, "page.html"), why)
	_, without, _ := hotline("train", "--config", config, "--system", "hybrid,scratchpipe")
	require.Equal(t, rows(without, "scratchpipe"), rows(stdout, "scratchpipe"), "the others are not disturbed")
	code, stdout, _ = hotline("train", "--config", config, "--system", "hybrid,fae,scratchpipe", "--json")
	require.Equal(t, exitFailed, code)
	got := outcomes(t, stdout)
	require.Nil(t, got["hybrid"])
	require.Nil(t, got["scratchpipe"])
	require.Equal(t, "not trained", got["fae"].Kind)

	code, stdout, stderr = hotline("train", "--config", config, "--system", "fae")
	require.Equal(t, exitUsage, code, "nothing could be trained")
	require.Empty(t, stdout)
	require.Contains(t, stderr, why)
}

// TestUnmetPreconditionOfAccelerator: an unmet requirement of the accelerator affects only the
// system that uses it.
func TestUnmetPreconditionOfAccelerator(t *testing.T) {
	config := filepath.Join(origin(t), tiny)
	const why = "gpus is 2, but the training uses 4 GPUs"
	code, stdout, stderr := hotline("train", "--config", config, "--gpus", "4", "--json")
	require.Equal(t, exitFailed, code, stderr)
	got := outcomes(t, stdout)
	require.Nil(t, got["hybrid"])
	require.Contains(t, got["hotline"].Text, why)
	code, stdout, stderr = hotline("cosim", "--config", config, "--gpus", "4")
	require.Equal(t, exitUsage, code, "without the accelerator there is nothing to compare")
	require.Empty(t, stdout)
	require.Contains(t, stderr, why)
}

// TestUnmetPreconditionOfStart: not every system can resume from a given model.
func TestUnmetPreconditionOfStart(t *testing.T) {
	config := different(t, "fae {", "elrec {\n  threshold = 1000\n  rank = 2\n}\n\nfae {")
	trained := []string{"train", "--config", config}
	code, _, stderr := hotline(append(trained, "--system", "hybrid", "--batches", "2", "--checkpoint", "half")...)
	require.Zero(t, code, stderr)
	const why = "shall be in tensor-train form, but the checkpoint holds its rows"
	code, stdout, stderr := hotline(append(trained, "--system", "hybrid,elrec", "--resume", "half", "--json")...)
	require.Equal(t, exitFailed, code, stderr)
	got := outcomes(t, stdout)
	require.Nil(t, got["hybrid"])
	require.Equal(t, "not trained", got["elrec"].Kind)
	require.Contains(t, got["elrec"].Text, why)
	code, stdout, stderr = hotline(append(trained, "--system", "elrec", "--resume", "half")...)
	require.Equal(t, exitUsage, code, stderr)
	require.Empty(t, stdout)
	require.Contains(t, stderr, why)
	code, stdout, stderr = hotline(append(trained, "--system", "elrec", "--checkpoint", "none")...)
	require.Equal(t, exitUsage, code, stderr)
	require.Empty(t, stdout)
	require.NoFileExists(t, "none")
}

// TestModelOfOtherData: a model whose inputs differ from the data is wrong usage, detected before
// the run.
func TestModelOfOtherData(t *testing.T) {
	for _, verb := range []string{"train", "cosim"} {
		code, stdout, stderr := hotline(verb, "--config", tiny, "--data", "taobao:../../../host/dlrm/data/visits/testdata/userbehavior.csv")
		require.Equal(t, exitUsage, code, stderr)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "dense features, the model has ")
		require.NotContains(t, stderr, "mini-batches")
	}
}

// TestFewerMiniBatchesThanAsked: a run with fewer mini-batches than requested reports this.
func TestFewerMiniBatchesThanAsked(t *testing.T) {
	run := []string{"train", "--config", tiny, "--system", "hybrid", "--data", "criteo:" + clicks}
	const says = "mini-batches   3, 70 inputs; 99 were asked for, but the data have no more\n"
	code, stdout, stderr := hotline(append(run, "--batches", "99")...)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, says)
	for _, args := range [][]string{{"--batches", "3"}, {"--batches", "2"}, {}} {
		code, stdout, stderr = hotline(append(run, args...)...)
		require.Zero(t, code, stderr)
		require.NotContains(t, stdout, "asked")
	}
	code, stdout, stderr = hotline(append(run, "--batches", "99", "--json")...)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, `"mini_batches":3,"asked_mini_batches":99,`)
	code, stdout, stderr = hotline(append(run, "--batches", "99", "--held-out", "40")...)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "mini-batches   1, 30 inputs; 99 were asked for, but the data have no more\n")
}
