package external

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/buildcache"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/gen/verilog"
)

// cached returns a directory with the files and the results of build. The cache key covers all
// inputs of the build: names and texts of the files, the command, and the version of its program.
func cached(dir, kind string, files []verilog.File, command []string, build func(dir string) error) (string, error) {
	k, err := buildcache.Open(dir)
	if err != nil {
		return "", err
	}
	version, err := versionOf(command[0])
	if err != nil {
		return "", err
	}
	parts := append([]string{version}, command...)
	for _, f := range files {
		parts = append(parts, f.Name, f.Text)
	}
	path, _, err := k.Get(kind, buildcache.Key(parts...), func(work string) error {
		for _, f := range files {
			if err := outfile.Scratch(filepath.Join(work, f.Name), []byte(f.Text)); err != nil {
				return fmt.Errorf("external: %w", err)
			}
		}
		return build(work)
	})
	return path, err
}

// versionOf returns the first line of the program's version output.
func versionOf(program string) (string, error) {
	flag := "--version"
	if program == "iverilog" {
		flag = "-V"
	}
	out, err := exec.Command(program, flag).Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("program %q not found; install it or add it to PATH", program)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line, nil
}

// run executes a command in dir. The error includes the end of the output.
func run(dir string, command ...string) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("program %q not found; install it or add it to PATH", command[0])
	}
	if err != nil {
		return fmt.Errorf("external: %s: %w\n%s", command[0], err, tail(out, 4000))
	}
	return nil
}

// tail returns at most the last n bytes of a program's output. A truncated result starts at the
// beginning of a line.
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
