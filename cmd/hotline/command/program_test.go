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

// Every example: what is assembled and disassembled and assembled is the same.
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

// Both models of the accelerator give the same outcomes, values and bytes.
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

// The commands of docs/captures.md that read a capture.
func TestCommandsOfTheDocument(t *testing.T) {
	document := contents(t, "../../../docs/captures.md")
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
