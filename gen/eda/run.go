package eda

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Run runs a program in a folder and returns its output. An error contains the last lines of the
// output.
func Run(ctx context.Context, dir, name string, args ...string) (string, error) {
	if _, err := exec.LookPath(name); err != nil {
		return "", fmt.Errorf("program %q not found; install it or add it to PATH", name)
	}
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, LastLines(string(out)))
	}
	return string(out), nil
}

// LastLines returns the end of a program's output.
func LastLines(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}

// Yosys runs a script in a folder.
func Yosys(ctx context.Context, dir, script string) error {
	if err := outfile.Scratch(filepath.Join(dir, "script.ys"), []byte(script)); err != nil {
		return err
	}
	_, err := Run(ctx, dir, "yosys", "-q", "-s", "script.ys")
	return err
}

// Version returns the version line of Yosys.
func Version(ctx context.Context) (string, error) { return Run(ctx, "", "yosys", "-V") }

// ErrOutOfTime reports that ABC has used up its processor time.
var ErrOutOfTime = errors.New("yosys-abc: timed out")

// ABC runs commands, separated by semicolons, and returns their output. If seconds is positive, it
// limits the processor time of ABC. Unlike a deadline, this limit does not depend on the load of
// the machine.
func ABC(dir string, seconds int, commands string) (string, error) {
	if seconds <= 0 {
		return Run(context.Background(), dir, "yosys-abc", "-q", commands)
	}
	limited := fmt.Sprintf("ulimit -t %d; exec yosys-abc -q '%s'", seconds, commands)
	out, err := Run(context.Background(), dir, "sh", "-c", limited)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && strings.HasPrefix(exit.String(), "signal: ") {
		return "", ErrOutOfTime
	}
	return out, err
}
