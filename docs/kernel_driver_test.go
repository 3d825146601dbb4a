package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// names returns the texts in backquotes in the first cells of a table.
func names(text, head string) (out []string) {
	_, table, _ := strings.Cut(text, "| "+head+" | |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, row := range strings.Split(table, "\n") {
		cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
			out = append(out, m[1])
		}
	}
	return out
}

// TestKernelDriver: kernel-driver.md lists the files of the driver, the log that the guest expects
// and the steps of the guest. It names only existing functions and constants.
func TestKernelDriver(t *testing.T) {
	page := read(t, "how-to/kernel-driver.md")
	files, err := filepath.Glob("../examples/kernel-driver/*")
	require.NoError(t, err)
	var have []string
	source := ""
	for _, file := range files {
		have = append(have, filepath.Base(file))
		if filepath.Ext(file) != "" || have[len(have)-1] == "Makefile" {
			source += read(t, file) // the others are folders
		}
	}
	require.ElementsMatch(t, have, names(page, "file"))

	_, log, ok := strings.Cut(page, "after the name of the device,\n\n```\n")
	require.True(t, ok)
	log, _, _ = strings.Cut(log, "```")
	require.Equal(t, read(t, "../cmd/hotline-lab/guest/device/selftest.log"), log)
	for _, line := range strings.Split(strings.TrimSpace(log), "\n") {
		word, _, _ := strings.Cut(line, ":")
		require.Contains(t, source, word)
	}

	program := read(t, "../cmd/hotline-lab/guest/device/kernel.go")
	_, sequence, ok := strings.Cut(program, "range []func() error{")
	require.True(t, ok)
	sequence, _, _ = strings.Cut(sequence, "}")
	var steps []string
	for _, m := range regexp.MustCompile(`k\.(\w+)`).FindAllStringSubmatch(sequence, -1) {
		if !slices.Contains(steps, m[1]) {
			steps = append(steps, m[1])
		}
	}
	require.Equal(t, steps, names(page, "step"))
	_, mistakes, _ := strings.Cut(page, "if the kernel reports a mistake (")
	mistakes, _, _ = strings.Cut(mistakes, ")")
	reported := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(mistakes, -1)
	require.NotEmpty(t, reported)
	for _, m := range reported {
		require.Contains(t, program, `"`+m[1]+`"`)
	}

	require.Contains(t, page, "(`aer_inject`)")
	require.Contains(t, program, `"/dev/aer_inject"`)
	for _, m := range regexp.MustCompile("`(hotline_\\w+|HOTLINE_\\w+)[`(]").FindAllStringSubmatch(page, -1) {
		require.Regexp(t, `\b`+m[1]+`\b`, source)
	}
	require.Regexp(t, `HOTLINE_POLL\s+\(HZ / 50\)`, source, "every 20 ms")
	for _, absent := range []string{"mmap", "cdev", "misc_register", "suspend"} {
		require.NotContains(t, source, absent)
	}
	for _, file := range files {
		if regexp.MustCompile(`\.[ch]$|Makefile`).MatchString(file) {
			first, _, _ := strings.Cut(read(t, file), "\n")
			require.Contains(t, first, "SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0")
		}
	}
}

// TestHeaderOfTheKernelDriver: the command of kernel-driver.md generates the header of the driver.
func TestHeaderOfTheKernelDriver(t *testing.T) {
	dir := t.TempDir()
	out, ok := golang(t, "..", "build", "-o", filepath.Join(dir, "bin", "hotline"), "./cmd/hotline")
	require.True(t, ok, out)
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	commands := blocks(read(t, "how-to/kernel-driver.md"), "sh")
	run := exec.Command("sh", "-ec", commands[len(commands)-1])
	run.Dir = dir
	text, err := run.CombinedOutput()
	require.NoError(t, err, string(text))
	require.Equal(t, read(t, "../examples/kernel-driver/hotline_regs.h"), read(t, filepath.Join(dir, "hotline_regs.h")))
}
