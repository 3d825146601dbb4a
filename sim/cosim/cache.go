package cosim

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
)

// cached is the path of what build makes of the files, keyed by everything that
// goes into it: names and texts of the files, and the command. A program that
// is there is used as it is.
func cached(dir, kind string, files []verilog.File, command []string, build func(dir string) error, product string) (string, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("cosim: no directory for builds: %w", err)
		}
		dir = filepath.Join(user, "hotline")
	}
	version, err := versionOf(command[0])
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %q\n", version, command)
	for _, f := range files {
		fmt.Fprintf(sum, "%q %d\n%s", f.Name, len(f.Text), f.Text)
	}
	done := filepath.Join(dir, kind+"-"+hex.EncodeToString(sum.Sum(nil)[:16]))
	if _, err := os.Stat(filepath.Join(done, product)); err == nil {
		return done, nil
	}
	return done, construct(dir, done, files, build)
}

// construct builds in a directory of its own, which then gets its name, so that
// other processes never see half a build.
func construct(dir, done string, files []verilog.File, build func(dir string) error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cosim: %w", err)
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return fmt.Errorf("cosim: %w", err)
	}
	defer os.RemoveAll(work)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(work, f.Name), []byte(f.Text), 0o644); err != nil {
			return fmt.Errorf("cosim: %w", err)
		}
	}
	if err := build(work); err != nil {
		return err
	}
	if err := os.Rename(work, done); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("cosim: %w", err)
	}
	return nil
}

// versionOf is the first line that the program says about itself.
func versionOf(program string) (string, error) {
	flag := "--version"
	if program == "iverilog" {
		flag = "-V"
	}
	out, err := exec.Command(program, flag).Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("cosim: program %q not found; install it or add it to PATH", program)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line, nil
}

// run executes a command in dir. The error has the end of what it printed.
func run(dir string, command ...string) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("cosim: program %q not found; install it or add it to PATH", command[0])
	}
	if err != nil {
		return fmt.Errorf("cosim: %s: %w\n%s", command[0], err, tail(out, 4000))
	}
	return nil
}

// tail is the last n bytes of what a program printed, from a line's start.
func tail(out []byte, n int) []byte {
	if len(out) <= n {
		return out
	}
	out = out[len(out)-n:]
	if i := bytes.IndexByte(out, '\n'); i >= 0 {
		out = out[i+1:]
	}
	return out
}
