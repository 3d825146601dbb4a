package command

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/safetensors"
)

// trained runs hotline train on the tiny configuration.
func trained(t *testing.T, args ...string) (stdout string) {
	code, stdout, stderr := hotline(append([]string{"train", "--config", tiny}, args...)...)
	require.Zero(t, code, stderr)
	return stdout
}

// TestCheckpointFiles: a run that is stopped and resumed writes the same files as an uninterrupted
// run.
func TestCheckpointFiles(t *testing.T) {
	dir := folder(t, map[string]string{"tiny.hcl": contents(t, tiny)})
	in := func(name string) string { return filepath.Join(dir, name) }
	config := []string{"--config", in("tiny.hcl")}
	trained(t, append(config, "--checkpoint", in("whole"), "--export", in("whole.all"))...)
	trained(t, append(config, "--batches", "3", "--system", "hotline", "--checkpoint", in("half"), "--checkpoint-every", "2")...)
	trained(t, append(config, "--resume", in("half"), "--system", "hybrid", "--gpus", "1", "--checkpoint", in("half"), "--export", in("half.all"))...)
	require.Equal(t, contents(t, in("whole")), contents(t, in("half")))
	require.Equal(t, contents(t, in("whole.all")), contents(t, in("half.all")))
	require.Equal(t, []string{"half", "half.all", "tiny.hcl", "whole", "whole.all"}, names(t, dir))

	require.NoError(t, modelFiles{end: in("early")}.save(nil, false))
	require.NoFileExists(t, in("early"), "an export is of the end")
	code, _, stderr := hotline(append([]string{"train", "--resume", in("half")}, config...)...)
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "the model was trained on 5 mini-batches, and this run has no more; ask for more")
}

// TestExportedStartAndInputs: the exported start of a resumed training is the exported end of the
// first one. Its exported inputs are the inputs of the remaining mini-batches.
func TestExportedStartAndInputs(t *testing.T) {
	const batch = 32 // of tiny.hcl
	dir := folder(t, map[string]string{"tiny.hcl": contents(t, tiny)})
	in := func(name string) string { return filepath.Join(dir, name) }
	config := []string{"--config", in("tiny.hcl"), "--system", "hybrid"}
	trained(t, append(config, "--batches", "3", "--checkpoint", in("half"), "--export-start", in("0"), "--export", in("3"), "--export-inputs", in("0-2"))...)
	trained(t, append(config, "--resume", in("half"), "--export-start", in("3 again"), "--export-inputs", in("3-4"))...)
	trained(t, append(config, "--export-inputs", in("0-4"), "--values", "off")...)
	require.Equal(t, contents(t, in("3")), contents(t, in("3 again")))
	require.NotEqual(t, contents(t, in("3")), contents(t, in("0")))

	first, rest := labels(t, in("0-2"), 3*batch), labels(t, in("3-4"), 2*batch)
	require.Equal(t, labels(t, in("0-4"), 5*batch), append(first, rest...))
	require.NotEqual(t, first[:batch], rest[:batch])
}

// labels returns the labels of n exported inputs.
func labels(t *testing.T, path string, n int) []float32 {
	f, err := safetensors.Read(path)
	require.NoError(t, err)
	out, err := f.F32("labels", n)
	require.NoError(t, err)
	return out
}
