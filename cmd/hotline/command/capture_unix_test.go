//go:build unix

package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// growing waits until a capture contains at least the given number of packets.
func growing(t *testing.T, file string, packets int) {
	require.Eventually(t, func() bool {
		b, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		r, err := capture.NewReader(bytes.NewReader(b))
		for n := 0; err == nil; n++ {
			if n == packets {
				return true
			}
			_, err = r.Next()
		}
		return false
	}, 5*time.Minute, 10*time.Millisecond)
}

// requireTorn reads the capture of a killed process. All forms of trace print the complete packets,
// report where they end, and fail. tshark also reads the capture, except with -short.
func requireTorn(t *testing.T, file string) {
	code, list, stderr := hotline("trace", file, "--list")
	require.Equal(t, exitFailed, code, stderr)
	lines := strings.Split(strings.TrimSpace(list), "\n")
	last := strings.Fields(lines[len(lines)-1])
	require.Regexp(t, fmt.Sprintf(`^hotline: %s: capture: at byte \d+: .*; the last whole packet is number %s, of %s\n$`, regexp.QuoteMeta(file), last[0], regexp.QuoteMeta(last[1])), stderr)
	code, summary, again := hotline("trace", file)
	require.Equal(t, exitFailed, code)
	require.Contains(t, summary, " packets and ")
	require.Equal(t, stderr, again)
	code, _, stderr = hotline("trace", file, "--replay")
	require.Equal(t, exitFailed, code)
	require.Contains(t, stderr, "there is no replay of a part")

	if testing.Short() {
		return
	}
	tools.Need(t, "tshark")
	script := filepath.Join(t.TempDir(), "hotline.lua")
	code, dissector, stderr := hotline("trace", "--dissector")
	require.Zero(t, code, stderr)
	require.NoError(t, os.WriteFile(script, []byte(dissector), 0o600))
	out, _ := exec.Command("tshark", "-X", "lua_script:"+script, "-r", file, "-T", "fields", "-e", "tlp.kind").Output() // fails at the truncated end of the file
	require.Len(t, strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"), len(lines))
}

// TestKilledCosim: the capture of a killed process contains the traffic up to one second before.
func TestKilledCosim(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.pcapng")
	p := start(t, program(t), "cosim", "--config", tiny, "--batches", "2000", "--pcapng", file)
	growing(t, file, 100)
	p.interrupt(syscall.SIGKILL)
	code, _, stderr := p.end()
	require.Equal(t, -1, code, stderr)
	requireTorn(t, file)
}

// TestInterruptedCapture: the capture of a run that a signal ends is complete.
func TestInterruptedCapture(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		file := filepath.Join(t.TempDir(), "run.pcapng")
		p := start(t, program(t), "train", "--config", tiny, "--batches", "1000000", "--pcapng", file)
		growing(t, file, 100)
		p.interrupt(s)
		code, _, stderr := p.end()
		require.Equal(t, 128+int(s), code, stderr)
		code, _, stderr = hotline("trace", file)
		require.Zero(t, code, stderr)
	}
}

// TestCrashedCapture: the capture of a process that panics is complete.
func TestCrashedCapture(t *testing.T) {
	const name = "HOTLINE_TEST_CRASHED_CAPTURE"
	if file := os.Getenv(name); file != "" { // in the child process
		r, err := captureFlag{file: file}.open()
		require.NoError(t, err)
		_ = r.during(func() error {
			for i := range 10 {
				r.writer.TLP(link.Up, 1000, 0, pcie.NewRead(0, uint16(i), 0x1000, 64))
			}
			panic("a fault of the program")
		})
		return
	}
	file := filepath.Join(t.TempDir(), "run.pcapng")
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrashedCapture$")
	cmd.Env = append(os.Environ(), name+"="+file)
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "panic: a fault of the program")
	code, list, stderr := hotline("trace", file, "--list")
	require.Zero(t, code, stderr)
	require.Len(t, strings.Split(strings.TrimSpace(list), "\n"), 10)
}

// TestLastPackets: --pcapng-last keeps the beginning and the last packets of the capture that
// --pcapng alone writes.
func TestLastPackets(t *testing.T) {
	dir := t.TempDir()
	run := func(file string, args ...string) (lines []string) {
		file = filepath.Join(dir, file)
		code, _, stderr := hotline(append([]string{"train", "--config", tiny, "--batches", "30", "--pcapng", file}, args...)...)
		require.Zero(t, code, stderr)
		code, list, stderr := hotline("trace", file, "--list")
		require.Zero(t, code, stderr)
		for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
			lines = append(lines, strings.Join(strings.Fields(strings.Split(line, " | ")[0])[1:], " "))
		}
		return lines
	}
	whole := run("whole.pcapng")
	part := run("part.pcapng", "--pcapng-last", "100KB")
	info, err := os.Stat(filepath.Join(dir, "part.pcapng"))
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(100_000+64<<10+8192))
	gap := 0
	for !strings.HasSuffix(part[gap], " packets before this one were not kept") {
		require.Equal(t, whole[gap], part[gap])
		gap++
	}
	kept := part[gap+2:]
	require.Greater(t, len(kept), 500)
	require.Equal(t, whole[len(whole)-len(kept):], kept)
	require.Equal(t, []string{"part.pcapng", "whole.pcapng"}, names(t, dir), "nothing else is left")

	for args, want := range map[string]string{
		"--pcapng-last 64MB":                       "--pcapng-last needs --pcapng FILE",
		"--pcapng x --pcapng-last 1KB":             "expected a number of bytes from 65536 on, as 64MB (KB, MB, GB)",
		"--pcapng x --pcapng-last -64MB":           "expected a number of bytes",
		"--pcapng x --pcapng-last +64MB":           "expected a number of bytes",
		"--pcapng x --pcapng-last 64M":             "expected a number of bytes",
		"--pcapng x --pcapng-last MB":              "expected a number of bytes",
		"--pcapng x --pcapng-last 99999999999GB":   "expected a number of bytes",
		"--pcapng /dev/null --pcapng-last 64MB":    "--pcapng-last needs a regular file, but /dev/null is not one",
		"--pcapng none/x.pcapng --pcapng-last 1MB": "no such file or directory",
	} {
		t.Chdir(dir)
		code, _, stderr := hotline(append([]string{"train", "--batches", "1"}, strings.Fields(args)...)...)
		require.Equal(t, exitUsage, code, args)
		require.Contains(t, stderr, want, args)
	}
}

// TestPipedCapture: a capture can be written to a pipe, whose reader receives it during the run.
func TestPipedCapture(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	p := start(t, program(t), "train", "--config", tiny, "--batches", "1000000", "--pcapng", pipe)
	file, err := os.Open(pipe)
	require.NoError(t, err)
	r, err := capture.NewReader(file)
	require.NoError(t, err)
	for range 100 {
		_, err := r.Next()
		require.NoError(t, err)
	}
	p.interrupt(syscall.SIGTERM)
	for err == nil {
		_, err = r.Next()
	}
	require.True(t, errors.Is(err, io.EOF), "%v", err)
	require.NoError(t, file.Close())
	code, _, stderr := p.end()
	require.Equal(t, 143, code, stderr)
}
