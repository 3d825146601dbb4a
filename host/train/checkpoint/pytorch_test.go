package checkpoint_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
)

// python returns the Python of the environment that scripts/pytorch creates. Without it the test is
// skipped, unless HOTLINE_PYTORCH is "required".
func python(t *testing.T) string {
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	path := filepath.Join(cache, "hotline", "pytorch", "bin", "python")
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("HOTLINE_PYTORCH") == "required" {
			require.NoError(t, err, "scripts/pytorch installs PyTorch")
		}
		t.Skipf("PyTorch is not there: %v; scripts/pytorch installs it", err)
	}
	return path
}

// run returns the output of a program.
func run(t *testing.T, dir, program string, args ...string) string {
	c := exec.Command(program, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// small returns newModel with the learning rate of rm1.
func small(kind dlrm.Kind, optimiser dlrm.Optimiser) dlrm.Config {
	m := newModel(kind, optimiser)
	m.LearningRate = 0.05
	return m
}

// paper returns a model of the papers with at most 2,000 rows per table.
func paper(t *testing.T, name string, optimiser dlrm.Optimiser, rate float32) dlrm.Config {
	m, ok := dlrm.Preset(name)
	require.True(t, ok)
	for i := range m.Tables {
		m.Tables[i].Rows = min(m.Tables[i].Rows, 2000)
	}
	m.Optimiser, m.LearningRate = optimiser, rate
	return m
}

// TestPyTorch: PyTorch has the same loss in each of 100 mini-batches, within 1e-6, and with SGD the
// same final parameters. PyTorch reads nothing but the exported start and inputs.
//
// For rm2, PyTorch in float32 differs by 0.02 from PyTorch in float64, to which this training is
// close.
func TestPyTorch(t *testing.T) {
	program := python(t)
	for _, c := range []struct {
		name  string
		model dlrm.Config
		dtype string
	}{
		{"DLRM, SGD", small(dlrm.DLRM, dlrm.SGD), "float32"},
		{"DLRM, Adagrad", small(dlrm.DLRM, dlrm.Adagrad), "float32"},
		{"TBSM, SGD", small(dlrm.TBSM, dlrm.SGD), "float32"},
		{"TBSM, Adagrad", small(dlrm.TBSM, dlrm.Adagrad), "float32"},
		{"rm1, SGD", paper(t, "rm1", dlrm.SGD, 0.05), "float32"},
		{"rm2, SGD", paper(t, "rm2", dlrm.SGD, 0.1), "float64"},
		{"rm2, Adagrad", paper(t, "rm2", dlrm.Adagrad, 0.01), "float64"},
	} {
		t.Run(c.name+", "+c.dtype, func(t *testing.T) {
			ours, files := trainForPyTorch(t, c.model, 100)
			out := run(t, ".", program, "testdata/train.py", files[0], files[1], files[2], c.dtype)
			var theirs []float64
			for _, line := range strings.Fields(out) {
				x, err := strconv.ParseFloat(line, 64)
				require.NoError(t, err, "%s", out)
				theirs = append(theirs, x)
			}
			require.Len(t, theirs, 100+1)
			worst := 0.0
			for i, x := range ours {
				worst = max(worst, math.Abs(theirs[i]-float64(x)))
			}
			t.Logf("loss %.4f to %.4f; losses differ by up to %.1e, parameters by up to %.1e", ours[0], ours[99], worst, theirs[100])
			require.LessOrEqual(t, worst, 1e-6)
			if c.model.Optimiser == dlrm.SGD {
				require.LessOrEqual(t, theirs[100], 2e-6)
			}
		})
	}
}

// trainForPyTorch trains a model with Hotline. It returns the losses, and files with the initial
// parameters, the inputs, and the final parameters.
func trainForPyTorch(t *testing.T, m dlrm.Config, miniBatches int) (losses []float32, files [3]string) {
	dir := t.TempDir()
	for i, name := range []string{"start", "inputs", "end"} {
		files[i] = filepath.Join(dir, name+".safetensors")
	}
	start, b := initial(t, m), newBatches(t, m, miniBatches)
	require.NoError(t, checkpoint.Export(files[0], start))
	require.NoError(t, checkpoint.ExportInputs(files[1], start, b))
	h := machine{"hotline", 2}.begin(t, start)
	_, err := train.Run(h, b, train.Unwatched{}, func(step train.Step) error {
		losses = append(losses, step.Loss)
		return nil
	})
	require.NoError(t, err)
	end, err := start.After(h)
	require.NoError(t, err)
	require.NoError(t, checkpoint.Export(files[2], end))
	return losses, files
}
