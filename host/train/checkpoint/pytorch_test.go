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

// optimised returns small with an optimiser, a schedule and weight decay.
func optimised(kind dlrm.Kind, optimiser dlrm.Optimiser, rate float32) dlrm.Config {
	m := small(kind, optimiser)
	m.LearningRate = rate
	m.Optimiser.WeightDecay, m.Optimiser.Schedule = 1e-3, dlrm.Schedule{WarmupSteps: 10, DecayStart: 30, DecaySteps: 60}
	return m
}

// comparisons returns the trainings that PyTorch repeats. PyTorch in float32 differs from PyTorch
// in float64, to which these trainings are close: by 0.02 for rm2, and by 2e-6 with the schedule.
func comparisons(t *testing.T) []comparison {
	return []comparison{
		{"DLRM, SGD", small(dlrm.DLRM, dlrm.SGD), "float32"},
		{"DLRM, SGD, schedule", optimised(dlrm.DLRM, dlrm.SGD, 0.05), "float64"},
		{"DLRM, momentum", small(dlrm.DLRM, dlrm.Momentum), "float32"},
		{"DLRM, momentum, schedule", optimised(dlrm.DLRM, dlrm.Momentum, 0.02), "float64"},
		{"DLRM, Adagrad", small(dlrm.DLRM, dlrm.Adagrad), "float32"},
		{"DLRM, Adagrad, schedule", optimised(dlrm.DLRM, dlrm.Adagrad, 0.05), "float64"},
		{"DLRM, row-wise Adagrad", small(dlrm.DLRM, dlrm.RowwiseAdagrad), "float32"},
		{"DLRM, row-wise Adagrad, schedule", optimised(dlrm.DLRM, dlrm.RowwiseAdagrad, 0.05), "float64"},
		{"DLRM, Adam, schedule", optimised(dlrm.DLRM, dlrm.Adam, 0.01), "float64"},
		{"TBSM, SGD", small(dlrm.TBSM, dlrm.SGD), "float32"},
		{"TBSM, momentum, schedule", optimised(dlrm.TBSM, dlrm.Momentum, 0.02), "float64"},
		{"TBSM, Adagrad", small(dlrm.TBSM, dlrm.Adagrad), "float32"},
		{"TBSM, row-wise Adagrad", small(dlrm.TBSM, dlrm.RowwiseAdagrad), "float32"},
		{"TBSM, Adam, schedule", optimised(dlrm.TBSM, dlrm.Adam, 0.01), "float64"},
		{"rm1, SGD", paper(t, "rm1", dlrm.SGD, 0.05), "float32"},
		{"rm2, SGD", paper(t, "rm2", dlrm.SGD, 0.1), "float64"},
		{"rm2, Adagrad", paper(t, "rm2", dlrm.Adagrad, 0.01), "float64"},
	}
}

type comparison struct {
	name  string
	model dlrm.Config
	dtype string
}

// TestPyTorch: PyTorch has the same loss in each of 100 mini-batches, within 1e-6, and with SGD the
// same final parameters. PyTorch reads nothing but the exported start and inputs.
func TestPyTorch(t *testing.T) {
	program := python(t)
	for _, c := range comparisons(t) {
		t.Run(c.name+", "+c.dtype, func(t *testing.T) {
			ours, files := trainForPyTorch(t, c.model, 100)
			losses, parameters := compared(t, program, ours, files, c.dtype)
			t.Logf("loss %.4f to %.4f; losses differ by up to %.1e, parameters by up to %.1e", ours[0], ours[99], losses, parameters)
			require.LessOrEqual(t, losses, 1e-6)
			if c.model.Optimiser.Rule == dlrm.RuleSGD {
				require.LessOrEqual(t, parameters, 2e-6)
			}
		})
	}
}

// compared repeats a training with PyTorch. It returns the largest differences of a loss and of a
// parameter.
func compared(t *testing.T, program string, ours []float32, files [3]string, dtype string) (losses, parameters float64) {
	out := run(t, ".", program, "testdata/train.py", files[0], files[1], files[2], dtype)
	var theirs []float64
	for _, line := range strings.Fields(out) {
		x, err := strconv.ParseFloat(line, 64)
		require.NoError(t, err, "%s", out)
		theirs = append(theirs, x)
	}
	require.Len(t, theirs, len(ours)+1)
	for i, x := range ours {
		losses = max(losses, math.Abs(theirs[i]-float64(x)))
	}
	return losses, theirs[len(ours)]
}

// TestPyTorchFinds: PyTorch's losses differ by more than 1e-6 if PyTorch trains with other settings.
func TestPyTorchFinds(t *testing.T) {
	program := python(t)
	m := optimised(dlrm.DLRM, dlrm.Adam, 0.01)
	ours, files := trainForPyTorch(t, m, 20)
	losses, _ := compared(t, program, ours, files, "float64")
	require.LessOrEqual(t, losses, 1e-6)
	for name, change := range map[string]func(*dlrm.Optimiser){
		"another decay":            func(o *dlrm.Optimiser) { o.Beta2 = 0.9995 },
		"no weight decay":          func(o *dlrm.Optimiser) { o.WeightDecay = 0 },
		"one step less to warm up": func(o *dlrm.Optimiser) { o.Schedule.WarmupSteps-- },
	} {
		other := initial(t, m)
		change(&other.Model.Optimiser)
		require.NoError(t, checkpoint.ExportInputs(files[1], other, newBatches(t, m, 20)))
		losses, _ := compared(t, program, ours, files, "float64")
		require.Greater(t, losses, 1e-6, name)
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
