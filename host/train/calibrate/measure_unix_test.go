//go:build unix

package calibrate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// program returns a shell script in place of Python.
func program(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "python")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700))
	return path
}

func ignore(int, int) {}

// TestMeasure: the measurements of the script are returned, and its progress is reported.
func TestMeasure(t *testing.T) {
	want := load(t, runs[0])
	file, err := filepath.Abs(runs[0])
	require.NoError(t, err)
	var seen [][2]int
	got, err := Measure(t.Context(), program(t, "echo 1/2 >&2; echo warning >&2; echo 2/2 >&2; cat >/dev/null; cat "+file), NewRequest("cpu", 1),
		func(done, total int) { seen = append(seen, [2]int{done, total}) })
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, [][2]int{{1, 2}, {2, 2}}, seen)
}

func TestMeasureErrors(t *testing.T) {
	request := NewRequest("cpu", 1)
	_, err := Measure(t.Context(), program(t, "echo \"ModuleNotFoundError: No module named 'torch'\" >&2; exit 1"), request, ignore)
	require.ErrorIs(t, err, ErrNoPyTorch)
	require.ErrorContains(t, err, "run scripts/setup-pytorch")
	_, err = Measure(t.Context(), filepath.Join(t.TempDir(), "python"), request, ignore)
	require.ErrorIs(t, err, ErrNoPyTorch)
	_, err = Measure(t.Context(), program(t, "echo PyTorch finds no GPU >&2; exit 1"), request, ignore)
	require.EqualError(t, err, "the script that measures failed: exit status 1\nPyTorch finds no GPU")
	_, err = Measure(t.Context(), program(t, "echo '{}'"), request, ignore)
	require.ErrorContains(t, err, `output of the script: schema is ""`)
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	_, err = Measure(ctx, program(t, "exec sleep 60"), request, ignore)
	require.ErrorIs(t, err, stop)
}

// TestPyTorch: PyTorch measures everything that the fits need. Times are not checked.
func TestPyTorch(t *testing.T) {
	if os.Getenv("HOTLINE_PYTORCH") != "required" {
		t.Skip("takes a minute and PyTorch; scripts/pytorch runs it")
	}
	python, err := Python()
	require.NoError(t, err)
	request := NewRequest("cpu", 1)
	request.Rounds, request.Steps = 1, request.Steps[:2]
	x, err := Measure(t.Context(), python, request, ignore)
	require.NoError(t, err)
	require.Len(t, predicted(t, x), 2)
	require.NotEmpty(t, x.PyTorch)
}
