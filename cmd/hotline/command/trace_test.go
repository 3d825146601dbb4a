package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// captured makes a capture of the tiny configuration with a command, and returns its path.
func captured(t *testing.T, command ...string) string {
	file := filepath.Join(t.TempDir(), "run.pcapng")
	code, _, stderr := hotline(append(command, "--config", tiny, "--batches", "2", "--pcapng", file)...)
	require.Zero(t, code, stderr)
	return file
}

// tracesJSON returns the output of hotline trace --json in all its forms.
func tracesJSON(t *testing.T) []string {
	file := captured(t, "train")
	var list []string
	for _, args := range [][]string{{}, {"--list"}, {"--follow", "3"}, {"--replay"}, {"--replay", "--config", tiny, "--accelerator", "functional"}} {
		_, out, stderr := hotline(append([]string{"trace", file, "--json"}, args...)...)
		require.NotEmpty(t, out, stderr)
		list = append(list, out)
	}
	return list
}

func TestTraceOfACapture(t *testing.T) {
	file := captured(t, "train")
	code, stdout, stderr := hotline("trace", file)
	require.Zero(t, code, stderr)
	require.Regexp(t, `^[\d,]+ packets and \d+ commands in [\d,.]+ us of simulated time\n`, stdout)
	require.Contains(t, stdout, "completion entry")

	code, stdout, stderr = hotline("trace", file, "--type", "doorbell,interrupt", "--to", "40us")
	require.Zero(t, code, stderr)
	require.NotEmpty(t, stdout)
	for _, line := range strings.Split(strings.TrimSuffix(stdout, "\n"), "\n") {
		require.Regexp(t, `\| (doorbell|interrupt)`, line)
	}

	code, stdout, stderr = hotline("trace", file, "--follow", "2")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "command 2: s_wr(")

	code, _, stderr = hotline("trace", file, "--follow", "100000")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "trace: there is no command 100000; the capture has")

	page := filepath.Join(t.TempDir(), "run.html")
	code, _, stderr = hotline("trace", file, "--html", page)
	require.Zero(t, code, stderr)
	require.Contains(t, contents(t, page), "<h1>run.pcapng</h1>")

	code, stdout, _ = hotline("trace", "--dissector")
	require.Zero(t, code)
	require.Contains(t, stdout, `"rows_ahead"`)
}

// TestReplay: a run can be replayed on a card of the same fidelity. On a card with another link or
// fidelity, the replay differs.
func TestReplay(t *testing.T) {
	for _, fidelity := range []string{fidelityFunctional, fidelityCycle} {
		file := captured(t, "train", "--accelerator", fidelity)
		code, stdout, stderr := hotline("trace", file, "--replay", "--config", tiny, "--accelerator", fidelity)
		require.Zero(t, code, stderr)
		require.Contains(t, stdout, "from it as in the capture: all that the capture has, at the same times")

		code, stdout, stderr = hotline("trace", file, "--replay", "--accelerator", fidelityFunctional)
		require.Equal(t, 1, code, "another clock")
		require.Contains(t, stdout, "packet 53 of the capture is", "the first register")
		require.Contains(t, stderr, "hotline: the accelerator sends other packets than the capture has")
	}
	file := captured(t, "train", "--accelerator", fidelityFunctional)
	code, stdout, _ := hotline("trace", file, "--replay", "--config", tiny, "--accelerator", fidelityCycle)
	require.Equal(t, 1, code, "the functional model is not exact here")
	require.Contains(t, stdout, "of the capture is")
}

// TestCutCapture: for a truncated capture, all complete packets are printed, and the command fails.
// A capture with other damage is rejected.
func TestCutCapture(t *testing.T) {
	file := captured(t, "train")
	text := contents(t, file)
	tlps := func(list string) (lines []string) { // without purposes, which later packets determine
		for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
			lines = append(lines, strings.TrimSpace(strings.Split(line, " | ")[0]))
		}
		return lines
	}
	_, list, _ := hotline("trace", file, "--list")
	whole := tlps(list)
	for n := len(text) - 1; n > 500; n = n * 4 / 5 {
		require.NoError(t, os.WriteFile(file, []byte(text[:n]), 0o600))
		code, stdout, stderr := hotline("trace", file, "--list")
		require.Equal(t, 1, code)
		if n < len(text)-100 { // later cuts are in the statistics
			require.Less(t, len(tlps(stdout)), len(whole))
		}
		lines := tlps(stdout)
		require.Equal(t, whole[:len(lines)], lines)
		require.Regexp(t, fmt.Sprintf(`^hotline: .*: capture: at byte \d+: .*; the last whole packet is number %d, of `, len(lines)), stderr)
	}
	for _, bad := range []string{"", text[:20], strings.Replace(text, "\x93\x00\x00\x00", "\x94\x00\x00\x00", 1)} {
		require.NoError(t, os.WriteFile(file, []byte(bad), 0o600))
		code, stdout, _ := hotline("trace", file)
		require.Equal(t, 2, code)
		require.Empty(t, stdout)
	}
}

// TestCosimCaptures: cosim writes the same capture as train with the cycle model.
func TestCosimCaptures(t *testing.T) {
	require.Equal(t, contents(t, captured(t, "train", "--accelerator", fidelityCycle)), contents(t, captured(t, "cosim")))
}

// TestDoorbells: docs/explanation/decisions/doorbells.md contains the number of doorbells.
func TestDoorbells(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.pcapng")
	code, _, stderr := hotline("train", "--pcapng", file)
	require.Zero(t, code, stderr)
	code, stdout, stderr := hotline("trace", file)
	require.Zero(t, code, stderr)
	count := func(what string) string {
		m := regexp.MustCompile(what + ` +([0-9]+) `).FindStringSubmatch(stdout)
		require.NotNil(t, m)
		return m[1]
	}
	text, err := os.ReadFile("../../../docs/explanation/decisions/doorbells.md")
	require.NoError(t, err)
	require.Contains(t, string(text), "takes "+count("doorbell")+" doorbells for its "+count("command fetch")+" commands")
}

// TestCapturesFromTheFirstTLP: a capture begins with the first configuration request.
func TestCapturesFromTheFirstTLP(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.pcapng")
	code, _, stderr := hotline("run", programs+"v_add.s", "--pcapng", file)
	require.Zero(t, code, stderr)
	for _, file := range []string{captured(t, "train"), file} {
		_, stdout, _ := hotline("trace", file, "--list")
		require.Regexp(t, `^ +1  0s +down  function 01:00.0, .*\n +2  .* CfgRd0 00:00.0>01:00.0 tag=000 @000 be=f \| configuration read 0x000\n`, stdout)
	}
}
