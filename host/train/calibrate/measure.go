package calibrate

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed measure.py
var script string

// ErrNoPyTorch reports a Python without PyTorch.
var ErrNoPyTorch = errors.New("there is no PyTorch: run scripts/setup-pytorch, or use a Python that has it")

// Python returns the Python that scripts/setup-pytorch installs.
func Python() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "hotline", "pytorch", "bin", "python"), nil
}

// Measure runs the script with a Python that has PyTorch, and returns the times of everything that
// the request asks for.
func Measure(ctx context.Context, python string, request Measurements, progress func(done, total int)) (Measurements, error) {
	c := exec.CommandContext(ctx, python, "-c", script)
	c.Stdin = bytes.NewReader(request.JSON())
	var out bytes.Buffer
	c.Stdout = &out
	stderr, err := c.StderrPipe()
	if err != nil {
		return Measurements{}, err
	}
	text := ""
	if err = c.Start(); err == nil {
		text = watch(stderr, progress)
		err = c.Wait()
	}
	if err != nil {
		return Measurements{}, failure(ctx, err, text)
	}
	return parse("output of the script", out.Bytes())
}

// failure returns the error of a script that has written text.
func failure(ctx context.Context, err error, text string) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound), strings.Contains(text, "No module named 'torch'"):
		return ErrNoPyTorch
	}
	return fmt.Errorf("the script that measures failed: %w\n%s", err, text)
}

// watch reports progress until the script closes its standard error. It returns the other lines.
func watch(stderr io.Reader, progress func(done, total int)) string {
	var other []string
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		var done, total int
		if n, _ := fmt.Sscanf(lines.Text(), "%d/%d", &done, &total); n == 2 {
			progress(done, total)
		} else {
			other = append(other, lines.Text())
		}
	}
	return strings.Join(other, "\n")
}
