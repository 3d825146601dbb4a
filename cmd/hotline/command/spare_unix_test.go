//go:build unix

package command

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/buildcache"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// noCache sets the user's cache to an invalid path, but keeps go's build cache. It returns the
// directory for temporary files.
func noCache(t *testing.T) (temporary string) {
	t.Helper()
	cached, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	temporary = t.TempDir()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	t.Setenv("GOCACHE", strings.TrimSpace(string(cached)))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(file, "cache"))
	t.Setenv("TMPDIR", temporary)
	return temporary
}

const spareSaid = "hotline: the build is not kept for the next run: builds: mkdir "

// TestCosimWithoutACache: without a cache, the model is built in a temporary directory. The command
// reports this once and removes the directory.
func TestCosimWithoutACache(t *testing.T) {
	program := program(t)
	temporary := noCache(t)
	code, stdout, stderr := start(t, program, "cosim", "--config", tiny, "--batches", "1", "--engine", engineCompiled).end()
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "engine compiled, ")
	require.Equal(t, 1, strings.Count(stderr, spareSaid), stderr)
	require.Regexp(t, `^compiled model of tiny: built in \S+ s\n`+spareSaid, stderr)
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestVerifyWithoutACache: without a cache, Verilator, here a script that fails, runs in a
// temporary directory.
func TestVerifyWithoutACache(t *testing.T) {
	temporary := noCache(t)
	programs := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" = --version ] || { pwd; exit 1; }\n"
	require.NoError(t, os.WriteFile(filepath.Join(programs, "verilator"), []byte(script), 0o700))
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	code, _, stderr := hotline("verify", "--config", tiny, "--cycles", "100", "--engine", engineInterp)
	require.Equal(t, exitOther, code)
	require.Contains(t, stderr, "hotline: external: verilator: exit status 1\n  "+temporary+"/hotline-builds-")
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestSpare: the user's cache is tried first each time, and the reason is reported once. A program
// started by reexec uses the same directory and does not remove it.
func TestSpare(t *testing.T) {
	noCache(t)
	unwritable := &buildcache.UnwritableError{Err: errors.New("full")}
	var asked []string
	make := func(dir string) (int, error) {
		if asked = append(asked, dir); dir == "" {
			return 0, unwritable
		}
		return len(asked), nil
	}
	s := newSpare()
	value, unkept, err := orSpare(s, make)
	require.Equal(t, []any{2, unwritable, nil}, []any{value, unkept, err})
	value, unkept, err = orSpare(s, make)
	require.Equal(t, []any{4, nil, nil}, []any{value, unkept, err})
	require.Equal(t, []string{"", s.dir, "", s.dir}, asked)
	require.Equal(t, "hotline: the build is not kept for the next run: builds: full", notKept(unwritable))

	t.Setenv(spareVariable, s.dir)
	started := newSpare()
	_, unkept, err = orSpare(started, make)
	require.NoError(t, errors.Join(unkept, err))
	started.remove()
	require.DirExists(t, s.dir)
	s.remove()
	require.NoDirExists(t, s.dir)

	broken := errors.New("broken")
	_, unkept, err = orSpare(newSpare(), func(string) (int, error) { return 0, broken })
	require.NoError(t, unkept, "another fault")
	require.Equal(t, broken, err)
}

// TestSpareForGo: if go's build cache is not writable either, it is in the temporary directory.
func TestSpareForGo(t *testing.T) {
	noCache(t)
	t.Setenv("GOCACHE", filepath.Join(os.Getenv("XDG_CACHE_HOME"), "go"))
	_, err := compiled.Build(elaboratedTiny(t), command, t.TempDir())
	require.ErrorAs(t, err, new(*buildcache.UnwritableError))
	s := newSpare()
	defer s.remove()
	cache, _, err := orSpare(s, func(string) (string, error) {
		if dir := os.Getenv("GOCACHE"); strings.HasPrefix(dir, os.TempDir()) {
			return dir, nil
		}
		return "", &buildcache.UnwritableError{Err: errors.New("full")}
	})
	require.NoError(t, err)
	require.Equal(t, filepath.Join(s.dir, "go"), cache)
}

func elaboratedTiny(t *testing.T) *ir.Design {
	cfg, err := configuration(tiny)
	require.NoError(t, err)
	d, err := elaborate(cfg)
	require.NoError(t, err)
	return d
}

// TestNoSpare: without a temporary directory, both reasons are reported.
func TestNoSpare(t *testing.T) {
	verify := []string{"verify", "--config", tiny, "--cycles", "100", "--engine", engineInterp}
	needed(t, verify)
	temporary := noCache(t)
	require.NoError(t, os.Remove(temporary))
	code, stdout, stderr := hotline(verify...)
	require.NotZero(t, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "hotline: builds: mkdir ")
	require.Contains(t, stderr, "no such file or directory")
	require.NoError(t, os.Mkdir(temporary, 0o700)) // for the end of the test
}
