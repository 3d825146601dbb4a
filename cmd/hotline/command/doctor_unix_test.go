//go:build unix

package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// onlyTools leaves one tool in the PATH, a script.
func onlyTools(t *testing.T, name, script string) (dir string) {
	dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700))
	t.Setenv("PATH", dir)
	return dir
}

// TestDoctor: a tool is found if it is in the PATH and prints a version.
func TestDoctor(t *testing.T) {
	dir := onlyTools(t, "yosys", "echo Yosys 0.99\necho more\n")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	code, text, stderr := hotline("doctor")
	require.Zero(t, code, stderr)
	require.Regexp(t, `\nyosys +Yosys 0.99  +hotline synth, and proofs\n`, text)
	require.Regexp(t, `\nverilator +missing  `, text)

	code, text, stderr = hotline("doctor", "--json")
	require.Zero(t, code, stderr)
	var d diagnosis
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	require.Len(t, d.Tools, len(externalTools))
	for _, x := range d.Tools {
		require.Equal(t, x.Name == "yosys", x.Found, x.Name)
		if x.Found {
			require.Equal(t, filepath.Join(dir, "yosys"), x.Path)
			require.Equal(t, "Yosys 0.99", x.Version)
		}
	}
	require.Equal(t, listed(t, "hotline doctor"), printed(t, text))
}

// TestDoctorInTheCache: a tool that scripts/setup has installed is found in the cache, and its
// size does not count as builds.
func TestDoctorInTheCache(t *testing.T) {
	onlyTools(t, "yosys", "echo Yosys 0.99\n")
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	bin := filepath.Join(cache, "hotline", "python", "bin")
	require.NoError(t, os.MkdirAll(bin, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "fusesoc"), []byte("#!/bin/sh\necho 2.4\n"), 0o700))
	code, text, stderr := hotline("doctor", "--need", "fusesoc")
	require.Zero(t, code, stderr)
	require.Regexp(t, `\nfusesoc +2\.4  `, text)
	require.Contains(t, text, ", 0 B of at most 512.0 MB")
	code, _, _ = hotline("doctor", "--need", "cocotb")
	require.Equal(t, exitFailed, code)
}

// TestDoctorNeeds: --need fails for a tool that is missing or does not run, and for no other.
func TestDoctorNeeds(t *testing.T) {
	onlyTools(t, "yosys", "echo Yosys 0.99\n")
	code, _, stderr := hotline("doctor", "--need", "yosys")
	require.Zero(t, code, stderr)
	code, stdout, stderr := hotline("doctor", "--need", "yosys,verilator")
	require.Equal(t, exitFailed, code)
	require.Equal(t, "hotline: missing tools: verilator\n", stderr)
	require.NotEmpty(t, stdout)
	code, stdout, stderr = hotline("doctor", "--need", "yosys,spice")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, `--need has "spice"; expected some of go, cc, `)
	require.Empty(t, stdout)
	onlyTools(t, "yosys", "exit 1\n")
	code, _, stderr = hotline("doctor", "--need", "yosys")
	require.Equal(t, exitFailed, code)
	require.Equal(t, "hotline: missing tools: yosys\n", stderr)
}
