package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const programs = "../../../examples/programs/"

// TestAssemble: every example program is unchanged after assembling, disassembling and assembling
// again.
func TestAssemble(t *testing.T) {
	files, err := filepath.Glob(programs + "*.s")
	require.NoError(t, err)
	require.Len(t, files, 6)
	dir := t.TempDir()
	for _, file := range files {
		first, second, text := filepath.Join(dir, "1.bin"), filepath.Join(dir, "2.bin"), filepath.Join(dir, "2.s")
		code, _, stderr := hotline("asm", file, "--out", first)
		require.Zero(t, code, stderr)
		code, stdout, stderr := hotline("disasm", first)
		require.Zero(t, code, stderr)
		require.NoError(t, os.WriteFile(text, []byte(stdout), 0o600))
		code, _, stderr = hotline("asm", text)
		require.Zero(t, code, stderr)
		require.Equal(t, contents(t, first), contents(t, second), file)
	}
}

// TestRunOfBothModels: both models of the accelerator produce the same outcomes, values and bytes.
func TestRunOfBothModels(t *testing.T) {
	for _, name := range []string{"dma_rd", "gpu_rd"} {
		var outputs []string
		for _, fidelity := range []string{fidelityFunctional, fidelityCycle} {
			file := filepath.Join(t.TempDir(), "run.pcapng")
			code, stdout, stderr := hotline("run", programs+name+".s", "--accelerator", fidelity, "--pcapng", file)
			require.Zero(t, code, stderr)
			outputs = append(outputs, stdout)
			code, stdout, stderr = hotline("trace", file, "--replay", "--accelerator", fidelity)
			require.Zero(t, code, stdout+stderr)
		}
		require.Equal(t, outputs[0], outputs[1])
	}
	_, stdout, _ := hotline("run", programs+"gpu_rd.s")
	require.Contains(t, stdout, "\nout: 111 222 333 444\n")
	require.Contains(t, stdout, "operand out of range\n")
}

// TestExamplesAreTests: the shipped programs meet their expectations, on both models.
func TestExamplesAreTests(t *testing.T) {
	files, err := filepath.Glob(programs + "*.s")
	require.NoError(t, err)
	for _, file := range files {
		for _, fidelity := range []string{fidelityFunctional, fidelityCycle} {
			report := filepath.Join(t.TempDir(), "report.xml")
			code, stdout, stderr := hotline("run", file, "--accelerator", fidelity, "--junit", report)
			require.Zero(t, code, stderr)
			met := regexp.MustCompile(`(?m)^expectations: (\d+) of (\d+) met$`).FindStringSubmatch(stdout)
			require.NotNil(t, met, stdout)
			require.Equal(t, met[1], met[2])
			require.Contains(t, contents(t, report), `tests="`+met[1]+`" failures="0" errors="0"`)
		}
	}
}

// TestProgramThatFails: an unmet expectation causes exit code 1, a message with line and both
// values, and a failure in the test report.
func TestProgramThatFails(t *testing.T) {
	const program = "row: .float 1, 2\n s_wr row_log2, 6\n.expect status, ok\n v_add load\n.expect status, ok\n.expect float, row, 1, 3\n"
	for _, fidelity := range []string{fidelityFunctional, fidelityCycle} {
		folder(t, map[string]string{"bad.s": program})
		args := []string{"run", "bad.s", "--accelerator", fidelity, "--junit", "report.xml"}
		code, stdout, stderr := hotline(args...)
		require.Equal(t, exitFailed, code)
		require.Contains(t, stdout, "no row is ahead\nexpectations: 1 of 3 met\n")
		require.True(t, strings.HasSuffix(stderr, `hotline: bad.s:5: .expect status, ok: found 37 (no row is ahead), expected 0 (ok)
  bad.s:6: .expect float, row, 1, 3: found 2 (0x40000000) in word 1, expected 3 (0x40400000); 1 of 2 words differ
`), stderr)
		report := contents(t, "report.xml")
		require.Contains(t, report, `<testsuite name="bad.s" tests="3" failures="2" errors="0"`)
		require.Contains(t, report, `<testcase name="line 5: .expect status, ok" classname="bad.s" time="0">`)
		require.Contains(t, report, `<failure type="expect" message="found 37 (no row is ahead), expected 0 (ok)">bad.s:5: `)
		code, stdout, _ = hotline(append(args, "--json")...)
		require.Equal(t, exitFailed, code)
		require.Contains(t, stdout, `{"line":5,"text":".expect status, ok","met":false,"found":"37 (no row is ahead)","expected":"0 (ok)"}`)
	}
}

// TestProgramWithoutPlace: a program that does not fit the machine is wrong usage, and the test
// report contains an error.
func TestProgramWithoutPlace(t *testing.T) {
	folder(t, map[string]string{"far.s": ".gpu 9\na: .float 1\n fence\n.expect status, ok\n", "plain.s": " fence\n"})
	code, stdout, stderr := hotline("run", "far.s", "--junit", "report.xml")
	require.Equal(t, exitUsage, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "far.s: asm: data for GPU 9, but the machine has 4 GPUs")
	require.Contains(t, contents(t, "report.xml"), `tests="1" failures="0" errors="1"`)
	require.Contains(t, contents(t, "report.xml"), `<error type="run" message="asm: data for GPU 9, but the machine has 4 GPUs">`)

	code, _, stderr = hotline("run", "plain.s", "--junit", "other.xml")
	require.Equal(t, exitUsage, code)
	require.Equal(t, "hotline: --junit reports what .expect states, but plain.s has no .expect\n", stderr)
	require.NoFileExists(t, "other.xml")
	code, stdout, stderr = hotline("run", "far.s", "--junit", "nowhere/report.xml")
	require.Equal(t, exitUsage, code, stderr)
	require.Empty(t, stdout)
	require.Equal(t, "hotline: open nowhere/report.xml: no such file or directory\n", stderr)
}

// TestCommandsOfTheDocument runs the commands of docs/how-to/captures.md that read a capture.
func TestCommandsOfTheDocument(t *testing.T) {
	document := contents(t, "../../../docs/how-to/captures.md")
	dir := t.TempDir()
	t.Chdir(dir)
	code, _, stderr := hotline("run", filepath.Join(origin(t), programs, "v_add.s"), "--accelerator", "cycle", "--pcapng", "run.pcapng")
	require.Zero(t, code, stderr)
	n := 0
	for _, m := range regexp.MustCompile(`(?m)^hotline (trace run.pcapng[^#\n]*)`).FindAllStringSubmatch(document, -1) {
		line := strings.Replace(m[1], "--follow 12", "--follow 2", 1)
		var args []string
		for i, part := range strings.Split(strings.TrimSpace(line), "'") {
			if i%2 == 1 {
				args = append(args, part)
			} else {
				args = append(args, strings.Fields(part)...)
			}
		}
		code, _, stderr := hotline(args...)
		require.Zero(t, code, "%s: %s", m[1], stderr)
		n++
	}
	require.Equal(t, 5, n)
}
