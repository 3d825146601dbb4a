package command

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
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

	require.NoError(t, modelFiles{export: in("early")}.save(nil, false))
	require.NoFileExists(t, in("early"), "an export is of the end")
	code, _, stderr := hotline(append([]string{"train", "--resume", in("half")}, config...)...)
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "the model was trained on 5 mini-batches, and this run has no more; ask for more")
}
